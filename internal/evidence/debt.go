package evidence

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// deprecatedUses finds calls of the module's own deprecated functions.
var deprecatedUses = Rule{
	ID: "deprecated-use", Evidence: "inferred", Section: Debt,
	En: "%s uses %s, which is deprecated", Zh: "%s 使用了已弃用的 %s",
	find: func(m *Module, found func(Finding)) {
		old, names := map[string]bool{}, map[string]int{}
		m.symbols(func(name string, s *code.Symbol) {
			last := lastName(name)
			names[last]++
			if isDeprecated(s) {
				old[last] = true
			}
		})
		for _, f := range m.Files {
			seen := map[string]bool{}
			for _, c := range f.Calls {
				if old[c.Name] && names[c.Name] == 1 && c.In != "" && !seen[c.In+" "+c.Name] {
					seen[c.In+" "+c.Name] = true
					found(Finding{Symbol: c.In, Words: []string{quote(c.In), quote(c.Name)}, At: []Place{{f.Path, c.Line, c.Name}}})
				}
			}
		}
	},
}

func isDeprecated(s *code.Symbol) bool {
	if slices.ContainsFunc(s.Decorators, func(d string) bool { return strings.Contains(strings.ToLower(d), "deprecated") }) {
		return true
	}
	for row := range strings.Lines(s.Doc) {
		if row = strings.TrimSpace(row); strings.HasPrefix(row, "Deprecated:") || strings.HasPrefix(row, "@deprecated") {
			return true
		}
	}
	return false
}

// Thresholds for complex functions, and how many are listed.
const (
	heavyBranches = 20
	heaviest      = 10
)

// complexFunctions finds functions with a high complexity.
var complexFunctions = Rule{
	ID: "heavy-function", Evidence: "inferred", Section: Debt,
	En: "%s branches %s times in %s lines", Zh: "%s 有 %s 处分支，共 %s 行",
	find: func(m *Module, found func(Finding)) {
		type heavy struct {
			code.Complexity
			symbol *code.Symbol
		}
		var list []heavy
		m.bodies(func(f *code.File, b *code.Bodies) {
			for _, w := range b.Complexity {
				if w.Branches < heavyBranches {
					continue
				}
				if s := m.functionOf(f.Path, &w); s != nil {
					list = append(list, heavy{w, s})
				}
			}
		})
		slices.SortStableFunc(list, func(a, b heavy) int { return cmp.Compare(b.Branches, a.Branches) })
		for _, w := range list[:min(len(list), heaviest)] {
			found(Finding{
				Symbol: w.Symbol, Words: []string{quote(w.Symbol), strconv.Itoa(w.Branches), strconv.Itoa(w.Lines)},
				At: []Place{symbolPlace(w.symbol)},
			})
		}
	},
}

// functionOf returns the function with the given complexity, located by its text and leading
// comment; nil if it is not a function. Other declarations that contain functions have no
// branches of their own.
func (m *Module) functionOf(file string, w *code.Complexity) *code.Symbol {
	if m.named == nil {
		m.named = map[string][]*code.Symbol{}
		m.symbols(func(name string, s *code.Symbol) { m.named[name] = append(m.named[name], s) })
	}
	var out *code.Symbol
	for _, s := range m.named[w.Symbol] {
		if s.File != file {
			continue
		}
		switch s.Kind {
		case code.Function, code.Method, code.Constructor, code.Getter:
			if out == nil || s.StartLine >= w.Line && s.StartLine < w.Line+w.Lines {
				out = s
			}
		default:
		}
	}
	return out
}
