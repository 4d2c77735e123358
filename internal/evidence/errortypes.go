package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// errorTypes calls see for the structs of the module that are errors in Go.
func (m *Module) errorTypes(see func(s *code.Symbol)) {
	m.symbols(func(name string, s *code.Symbol) {
		if s.Kind == code.Struct && m.own(s.File) && !strings.Contains(name, ".") && isGoErrorType(s) {
			see(s)
		}
	})
}

// errorFields finds the exported fields of error types and exception classes.
var errorFields = Rule{
	Kind: ErrorField,
	find: func(m *Module, found func(Claim)) {
		m.symbols(func(name string, s *code.Symbol) {
			isGo := s.Kind == code.Struct && m.language[s.File] == "go" && isGoErrorType(s)
			if !s.Exported || !m.own(s.File) || !isGo && !isErrorClass(s) {
				return
			}
			documented := readDocs(s.Doc).params
			for i := range s.Members {
				f := &s.Members[i]
				if f.Kind != code.Property && f.Kind != code.Getter || !f.Exported || f.Static || strings.HasPrefix(f.Name, "_") {
					continue
				}
				help, _ := meaning(f.Doc)
				o := Option{Type: typeText(f.Returns), Help: cmp.Or(help, documentedAs(documented, f.Name))}
				found(Claim{Subject: name, Name: f.Name, Option: &o, At: []Place{symbolPlace(f)}})
			}
		})
	},
}

// errorTexts finds the texts of error types, with their conditions.
var errorTexts = Rule{
	Kind: ErrorText,
	find: func(m *Module, found func(Claim)) {
		types := map[string]bool{}
		m.errorTypes(func(s *code.Symbol) { types[s.Name] = s.Exported })
		m.bodies(func(f *code.File, b *code.Bodies) {
			for i := range b.Functions {
				body := &b.Functions[i]
				owner, last := cutLast(body.In)
				if last != "Error" || !types[owner] || body.Use.Kind != "" {
					continue
				}
				for _, at := range m.reader.Statements(b.Functions, body, func(s *code.Stmt) bool { return s.Op == code.StmtReturn || s.Op == code.StmtError }) {
					text := at.Stmt.Value
					if at.Stmt.Exit != nil && at.Stmt.Exit.Kind == code.Fails {
						text = &at.Stmt.Exit.Value
					}
					values, ok := formatOf(text)
					if ok && !at.Partial && !slices.ContainsFunc(values[1:], isLocal) {
						found(Claim{Subject: owner, Values: values, When: []Condition{{All: at.When}}, At: []Place{{f.Path, at.Stmt.Line, ""}}})
					}
				}
			}
		})
	},
}

// isLocal reports whether an argument of a format is a variable of its function.
func isLocal(arg string) bool { return !strings.Contains(arg, ".") }

// formatOf returns the format and the arguments of a text; ok is false if the value does not show them.
func formatOf(v *code.Value) (list []string, ok bool) {
	if v == nil {
		return nil, false
	}
	switch v.Kind {
	case code.ValueString:
		return []string{strings.ReplaceAll(v.Text, "%", "%%")}, true
	case code.ValueCall:
		if v.Text == "fmt.Sprintf" && len(v.Args) > 0 && v.Args[0].Kind == code.ValueString && v.Args[0].Text != "" {
			return formatted(v)
		}
		return []string{"%v", v.Text + "()"}, len(v.Args) == 0
	case code.ValueName:
		return []string{"%v", v.Text}, true
	case code.ValueOther:
		return concatenated(v.Args)
	default:
		return nil, false
	}
}

// formatted returns the format and the arguments of a call of Sprintf.
func formatted(v *code.Value) (list []string, ok bool) {
	list = []string{v.Args[0].Text}
	for i := range v.Args[1:] {
		a := &v.Args[i+1]
		text := a.Text
		if a.Kind == code.ValueCall {
			text += "()"
		}
		if text == "" {
			return nil, false
		}
		list = append(list, text)
	}
	return list, true
}

// concatenated returns the format and the arguments of parts that are joined.
func concatenated(parts []code.Value) (list []string, ok bool) {
	var format strings.Builder
	for i := range parts {
		part, is := formatOf(&parts[i])
		if !is {
			return nil, false
		}
		format.WriteString(strings.TrimSuffix(part[0], "…"))
		list = append(list, part[1:]...)
	}
	return append([]string{format.String()}, list...), len(parts) > 1
}

// errorsMade finds the literals of error types.
var errorsMade = Rule{
	Kind: ErrorMade,
	find: func(m *Module, found func(Claim)) {
		types := map[string]bool{}
		m.errorTypes(func(s *code.Symbol) { types[s.Name] = true })
		if len(types) == 0 {
			return
		}
		exits := map[Place][]*paths.Exit{}
		m.exits(func(f *code.File, x *paths.Exit) {
			if x.Value != nil {
				at := Place{f.Path, x.Value.Line, ""}
				exits[at] = append(exits[at], x)
			}
		})
		known := map[string]bool{}
		for i := range m.claimed {
			known[m.claimed[i].ID()] = m.claimed[i].Kind == Exit
		}
		m.bodies(func(f *code.File, b *code.Bodies) {
			for i := range b.Literals {
				l := &b.Literals[i]
				if !types[baseType(l.Of)] || l.In == "" || len(l.Fields) == 0 {
					continue
				}
				c := Claim{Subject: baseType(l.Of), Of: l.In, At: []Place{{f.Path, l.Line, ""}}}
				for _, field := range l.Fields {
					c.Values = append(c.Values, field.Name+" = "+field.Text)
				}
				for _, x := range exits[c.At[0]] {
					outcome := m.outcomeOf(f, x)
					exit := Claim{Kind: Exit, Subject: x.In, Outcome: &outcome}
					if id := exit.ID(); known[id] && !slices.Contains(c.Exits, id) {
						c.Exits = append(c.Exits, id)
						c.When = append(c.When, Condition{All: m.withValues(m.function(f.Path, x.In, x.Line), x.When), Partial: x.Partial})
					}
				}
				found(c)
			}
		})
	},
}
