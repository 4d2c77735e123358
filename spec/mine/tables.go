package mine

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// tables are the tables that the module keeps in a database: those that SQL in its
// texts makes, and those of its models.
var tables = Rule{
	ID: "table", Evidence: "inferred", Section: Constraint,
	En: "The database table %s is kept", Zh: "使用数据库表 %s",
	find: func(m *Module, found func(Finding)) {
		m.once(found, func(add func(told, string, string)) {
			m.bodies(func(f *code.File, b *code.Bodies) {
				for _, t := range b.Tables {
					add(told{name: t.Name, on: lastName(t.Name), line: t.Line}, t.In, f.Path)
				}
			})
			m.symbols(func(name string, s *code.Symbol) {
				if t, ok := model(name, s); ok {
					add(t, name, s.File)
				}
			})
		})
	},
}

// model tells the table of a class that is a model: by the table it names, in an
// annotation or in a member, or by its base.
func model(name string, s *code.Symbol) (told, bool) {
	of := "model " + quote(name)
	for _, d := range s.Decorators {
		head, args, _ := strings.Cut(strings.Trim(d, "@#[]"), "(")
		if head = lastName(head[strings.LastIndexByte(head, '\\')+1:]); head != "Table" && head != "Entity" {
			continue
		}
		if named := tableIn(head, args); named != "" {
			return told{name: named, detail: of, on: lastName(s.Name), line: s.StartLine}, true
		}
	}
	if s.Kind != code.Class && s.Kind != code.Struct {
		return told{}, false
	}
	for i := range s.Members {
		f := &s.Members[i]
		if value := strings.Trim(f.Value, "\"'"); f.Name == "__tablename__" && isWord(value) {
			return told{name: value, detail: of, on: value, line: f.StartLine}, true
		}
	}
	if slices.Contains(s.Bases, "models.Model") && !s.Abstract { // Django names it for the application, which is elsewhere
		return told{name: strings.ToLower(lastName(name)), detail: of, on: lastName(s.Name), line: s.StartLine}, !isAbstractModel(s)
	}
	return told{}, false
}

// tableIn is the table that the arguments of an annotation name; "" for none.
func tableIn(head, args string) string {
	list := quotedIn(args)
	if len(list) == 0 {
		return ""
	}
	if _, rest, ok := strings.Cut(args, "name"); ok {
		if named := quotedIn(rest); len(named) > 0 {
			return named[0]
		}
	}
	if head == "Table" && strings.IndexAny(args, "\"'") == 0 || head == "Entity" && strings.HasPrefix(args, "'") {
		return list[0]
	}
	return ""
}

// isAbstractModel tells a model of Django that has no table.
func isAbstractModel(s *code.Symbol) bool {
	for i := range s.Members {
		meta := &s.Members[i]
		if meta.Name != "Meta" {
			continue
		}
		for j := range meta.Members {
			if meta.Members[j].Name == "abstract" || meta.Members[j].Name == "proxy" {
				return true
			}
		}
	}
	return false
}
