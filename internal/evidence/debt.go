package evidence

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// deprecatedUses finds calls of the module's own deprecated functions.
var deprecatedUses = Rule{
	Kind: DeprecatedUse,
	find: func(m *Module, found func(Claim)) {
		old, names := map[string]bool{}, map[string]int{}
		m.symbols(func(name string, s *code.Symbol) {
			last := lastName(name)
			names[last]++
			if _, _, is := deprecated(s); is {
				old[last] = true
			}
		})
		for _, f := range m.Files {
			seen := map[string]bool{}
			for _, c := range f.Calls {
				if old[c.Name] && names[c.Name] == 1 && c.In != "" && !seen[c.In+" "+c.Name] {
					seen[c.In+" "+c.Name] = true
					found(Claim{Subject: c.In, Name: c.Name, At: []Place{{f.Path, c.Line, c.Name}}})
				}
			}
		}
	},
}

// deprecations finds symbols that their documentation or a decorator marks as deprecated.
var deprecations = Rule{
	Kind: Deprecation,
	find: func(m *Module, found func(Claim)) {
		m.symbols(func(name string, s *code.Symbol) {
			text, mark, ok := deprecated(s)
			if ok && s.Exported {
				found(Claim{Subject: name, Name: mark, Text: text, At: []Place{symbolPlace(s)}})
			}
		})
	},
}

// deprecationMarks begin the part of a doc comment that says why a symbol is deprecated.
var deprecationMarks = []string{"Deprecated:", "@deprecated", ".. deprecated::"}

// nextTag is the start of another part of a doc comment: @return, :param x:, \return.
var nextTag = lazyregexp.New(`\n[ \t]*(?:@[a-z]|\\[a-z]|:[a-z]+[ :])`)

// deprecated reports whether the documentation or a decorator marks a symbol as deprecated. It
// returns what the documentation says of it, or else the decorator.
func deprecated(s *code.Symbol) (text, mark string, ok bool) {
	for row := range strings.Lines(s.Doc) {
		row = strings.TrimSpace(row)
		if i := slices.IndexFunc(deprecationMarks, func(m string) bool { return strings.HasPrefix(row, m) }); i >= 0 {
			_, rest, _ := strings.Cut(s.Doc, deprecationMarks[i])
			rest, _, _ = strings.Cut(rest, "\n\n")
			if next := nextTag.FindStringIndex(rest); next != nil {
				rest = rest[:next[0]]
			}
			return strings.Join(strings.Fields(rest), " "), "", true
		}
	}
	for _, d := range s.Decorators {
		if strings.Contains(strings.ToLower(d), "deprecated") {
			return "", d, true
		}
	}
	return "", "", false
}

// notes finds remarks such as TODO and FIXME.
var notes = Rule{
	Kind: Note,
	find: func(m *Module, found func(Claim)) {
		for _, f := range m.All {
			for _, n := range f.Notes {
				found(Claim{Name: f.Path, Role: n.Marker, Text: n.Text, At: []Place{{f.Path, n.Line, n.Marker}}})
			}
		}
	},
}

// Thresholds for complex functions, and how many are listed.
const (
	heavyBranches = 20
	heaviest      = 10
)

// complexFunctions finds functions with a high complexity.
var complexFunctions = Rule{
	Kind: Complex,
	find: func(m *Module, found func(Claim)) {
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
			found(Claim{
				Subject: w.Symbol, Values: []string{strconv.Itoa(w.Branches), strconv.Itoa(w.Lines)},
				At: []Place{symbolPlace(w.symbol)},
			})
		}
	},
}

// functionOf returns the function with the given complexity, located by its text and leading
// comment; nil if it is not a function. Other declarations that contain functions have no
// branches of their own.
func (m *Module) functionOf(file string, w *code.Complexity) *code.Symbol {
	var out *code.Symbol
	for _, s := range m.namedSymbols(w.Symbol) {
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
