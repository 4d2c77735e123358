package evidence

import (
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
	},
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
