package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// entries finds where programs start.
var entries = Rule{
	Kind: Entry,
	find: func(m *Module, found func(Claim)) {
		for _, e := range m.Merged.Entries {
			found(Claim{Subject: e.Name, Name: e.File, At: []Place{{e.File, e.Line, ""}}})
		}
	},
}

// platforms finds files that are built only for some platforms or configurations. They have no
// place: the condition may be in the name of the file.
var platforms = Rule{
	Kind: Platform,
	find: func(m *Module, found func(Claim)) {
		for _, f := range m.All {
			if f.Constraint != "" {
				found(Claim{Name: f.Path, Text: f.Constraint})
			}
		}
	},
}

// maxConstant limits the values of constants that are claimed, in bytes.
const maxConstant = 120

// constants finds the values of constants other than limits.
var constants = Rule{
	Kind: Constant,
	find: func(m *Module, found func(Claim)) {
		for _, list := range [][]code.Symbol{m.Merged.Exports, m.Merged.Internals} {
			for i := range list {
				if s := &list[i]; s.Kind == code.Const && !isLimit(s) && s.Value != "" && len(s.Value) <= maxConstant {
					found(Claim{Subject: s.Name, Values: []string{s.Value}, From: m.dependants(s), At: []Place{symbolPlace(s)}})
				}
			}
		}
		m.defaultConstants(found)
	},
}

// defaultConstants finds the values of the constants by which parameters have defaults, where the interface does not show
// them: those of private constants, and those that a call makes.
func (m *Module) defaultConstants(found func(Claim)) {
	users := map[string][]string{}
	for i := range m.claimed {
		if c := &m.claimed[i]; c.Kind == Field && c.Option != nil && isWord(c.Option.Default) {
			name := lastName(dotted(c.Option.Default))
			users[name] = append(users[name], c.Subject)
		}
	}
	for _, f := range m.Files {
		if f.Whole == nil {
			continue
		}
		for i := range f.Whole.Bindings {
			b := &f.Whole.Bindings[i]
			if name, text := m.defaultConstant(f, b, users[b.Name]); text != "" {
				found(Claim{Subject: name, Values: []string{text}, From: slices.Compact(slices.Clone(users[b.Name])), At: []Place{{f.Path, b.Line, ""}}})
			}
		}
	}
}

// defaultConstant returns the name and the value of a constant by which functions have defaults; "" for others, and for those
// that the interface shows.
func (m *Module) defaultConstant(f *code.File, b *code.Binding, by []string) (name, text string) {
	if name = cmp.Or(b.In, b.Name); lastName(name) != b.Name {
		name += "." + b.Name
	}
	if len(by) == 0 || !m.sharesOwner(name, by) || b.Value.Kind == code.ValueName {
		return name, ""
	}
	if s := m.symbol(f.Path, name, b.Line); s != nil && s.Exported && s.Value != "" && len(s.Value) <= maxConstant {
		return name, ""
	}
	if text = written(&b.Value, f.Language); strings.Contains(text, "…") {
		return name, ""
	}
	return name, text
}

// sharesOwner reports whether a constant is of the file's top level or of the type of a function that names it.
func (m *Module) sharesOwner(name string, by []string) bool {
	owner, _ := cutLast(name)
	return slices.ContainsFunc(by, func(f string) bool { return owner == "" || strings.HasPrefix(f, owner+".") })
}

// dependants returns the exported functions that depend on a constant that is not exported and has a value of its own.
func (m *Module) dependants(s *code.Symbol) []string {
	if s.Exported || !isLiteral(s.Value) || strings.Contains(s.Value, "iota") {
		return nil
	}
	node := m.links.Find(s.File, s.Name, s.StartLine)
	if node == nil || !m.reached[node] {
		return nil
	}
	return m.users(node)
}
