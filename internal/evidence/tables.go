package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
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
			return told{name: named, detail: of, on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, true
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
	if slices.Contains(s.Bases, "models.Model") {
		return djangoModel(name, s)
	}
	return told{}, false
}

// tableIn returns the table that the arguments of an annotation name; "" for none.
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
	if head == "Table" && strings.IndexAny(args, "\"'") == 0 || head == "Entity" && strings.IndexAny(args, "\"'") == 0 {
		return list[0]
	}
	return ""
}

// djangoModel tells the table of a model of Django: named for the application, which
// is the folder, and the class, unless its Meta says otherwise.
func djangoModel(name string, s *code.Symbol) (told, bool) {
	folder, isModels := strings.CutSuffix(s.File, "/models.py")
	if at := strings.LastIndex(folder, "/models/"); at >= 0 {
		folder, isModels = folder[:at], true
	}
	app := baseName(folder)
	for i := range s.Members {
		if s.Members[i].Name != "Meta" {
			continue
		}
		for _, option := range s.Members[i].Members {
			value := strings.Trim(option.Value, "\"'")
			switch option.Name {
			case "abstract", "proxy":
				return told{}, false
			case "db_table":
				return told{name: value, detail: "model " + quote(name), on: value, line: option.StartLine}, isWord(value)
			case "app_label":
				app, isModels = value, true
			}
		}
	}
	table := app + "_" + strings.ToLower(lastName(name))
	return told{name: table, detail: "model " + quote(name), on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, isModels && isWord(table)
}
