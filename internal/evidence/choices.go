package evidence

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// choices finds switch statements.
var choices = Rule{
	Kind: Choice,
	find: func(m *Module, found func(Claim)) {
		m.bodies(func(f *code.File, b *code.Bodies) {
			for i := range b.Functions {
				in := b.Functions[i].In
				code.AllStmts(b.Functions[i].Stmts, func(s *code.Stmt) {
					cases := casesOf(s)
					if in == "" || s.Text == "" || len(cases) < 3 {
						return
					}
					word, _, _ := strings.Cut(s.Text, " ")
					found(Claim{
						Subject: in, Name: s.Text, Values: cases,
						At: []Place{{f.Path, s.Line, strings.TrimLeft(word, "(")}},
					})
				})
			}
		})
		m.picks(found)
	},
}

// casesOf returns the values of a switch; nil for other statements.
func casesOf(s *code.Stmt) []string {
	if s.Op != code.StmtSwitch {
		return nil
	}
	var out []string
	for i := range s.Arms {
		out = append(out, s.Arms[i].Labels...)
	}
	return out
}

// enums finds types with a fixed list of values.
var enums = Rule{
	Kind: Enum,
	find: func(m *Module, found func(Claim)) {
		m.symbols(func(name string, s *code.Symbol) {
			var values []string
			for _, v := range s.Members {
				if v.Kind == code.EnumMember {
					values = append(values, v.Name)
				}
			}
			if s.Kind == code.TypeDef && len(values) == 0 {
				values = literals(s)
			}
			if len(values) > 1 {
				found(Claim{Subject: name, Values: values, At: []Place{symbolPlace(s)}})
			}
		})
	},
}

// literals returns the values of a type that is a union of literals only.
func literals(s *code.Symbol) []string {
	_, value, ok := strings.Cut(s.Signature, "=")
	if !ok || strings.ContainsAny(value, "{(<[`") {
		return nil
	}
	var out []string
	for part := range strings.SplitSeq(strings.Trim(value, " \n|"), "|") {
		part = strings.TrimSpace(part)
		if part == "" || part[0] != '"' && part[0] != '\'' && (part[0] < '0' || part[0] > '9') {
			return nil
		}
		out = append(out, part)
	}
	return out
}

// constGroups finds types whose values are named constants: Go's enumerations.
var constGroups = Rule{
	Kind: ConstGroup,
	find: func(m *Module, found func(Claim)) {
		values, types := map[string][]string{}, map[string]*code.Symbol{}
		m.symbols(func(name string, s *code.Symbol) {
			switch {
			case s.Kind == code.Const && s.Returns != "":
				values[s.Returns] = append(values[s.Returns], s.Name)
			case s.Kind == code.TypeDef:
				types[name] = s
			}
		})
		m.symbols(func(name string, s *code.Symbol) {
			if list := values[name]; types[name] == s && len(list) > 1 {
				found(Claim{Subject: name, Values: list, At: []Place{symbolPlace(s)}})
			}
		})
	},
}
