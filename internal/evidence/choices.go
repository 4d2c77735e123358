package evidence

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// maxListed limits a list inside a sentence.
const maxListed = 12

// listed formats the first elements of a list as code and counts the rest.
func listed(list []string) string {
	text := quoteAll(list[:min(len(list), maxListed)])
	if left := len(list) - maxListed; left > 0 {
		text += fmt.Sprintf(", … +%d", left)
	}
	return text
}

// choices finds switch statements.
var choices = Rule{
	ID: "choice", Evidence: "inferred", Section: Logic,
	En: "%s decides by %s: %s", Zh: "%s 依据 %s 分支：%s",
	find: func(m *Module, found func(Finding)) {
		m.bodies(func(f *code.File, b *code.Bodies) {
			for _, c := range b.Choices {
				if c.In == "" || len(c.Cases) < 3 {
					continue
				}
				word, _, _ := strings.Cut(c.On, " ")
				found(Finding{
					Symbol: c.In, Words: []string{quote(c.In), quote(c.On), listed(c.Cases)},
					At: []Place{{f.Path, c.Line, strings.TrimLeft(word, "(")}},
				})
			}
		})
	},
}

// enums finds types with a fixed list of values.
var enums = Rule{
	ID: "enum", Evidence: "inferred", Section: Constraint,
	En: "%s is one of %s", Zh: "%s 取值为 %s",
	find: func(m *Module, found func(Finding)) {
		m.symbols(func(name string, s *code.Symbol) {
			var values []string
			for _, v := range s.Members {
				if v.Kind == code.EnumMember {
					values = append(values, v.Name)
				}
			}
			if s.Kind == code.Type && len(values) == 0 {
				values = literals(s)
			}
			if len(values) > 1 {
				found(Finding{Symbol: name, Words: []string{quote(name), listed(values)}, At: []Place{symbolPlace(s)}})
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
	ID: "const-group", Evidence: "inferred", Section: Constraint,
	En: "%s has the named values %s", Zh: "%s 的具名取值为 %s",
	find: func(m *Module, found func(Finding)) {
		values, types := map[string][]string{}, map[string]*code.Symbol{}
		m.symbols(func(name string, s *code.Symbol) {
			switch {
			case s.Kind == code.Const && s.Returns != "":
				values[s.Returns] = append(values[s.Returns], s.Name)
			case s.Kind == code.Type:
				types[name] = s
			}
		})
		m.symbols(func(name string, s *code.Symbol) {
			if list := values[name]; types[name] == s && len(list) > 1 {
				found(Finding{Symbol: name, Words: []string{quote(name), listed(list)}, At: []Place{symbolPlace(s)}})
			}
		})
	},
}
