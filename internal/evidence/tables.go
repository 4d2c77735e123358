package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// tables finds database tables: those created by SQL in strings, and those of models.
var tables = Rule{
	Kind: Table,
	find: func(m *Module, found func(Claim)) {
		known := map[string]bool{}
		facts(func(c Claim) {
			known[c.Name] = true
			found(c)
		}, func(add func(fact, string, string)) {
			m.bodies(func(f *code.File, b *code.Bodies) {
				for _, t := range b.Tables {
					add(fact{name: t.Name, on: lastName(t.Name), line: t.Line}, t.In, f.Path)
				}
			})
			m.symbols(func(name string, s *code.Symbol) {
				if t, ok := model(name, s); ok {
					add(t, name, s.File)
				}
			})
		})
		m.touchedTables(known, found)
	},
}

// model returns the table of a model class, by the name in an annotation or a member, or by
// its base class.
func model(name string, s *code.Symbol) (fact, bool) {
	for _, d := range s.Decorators {
		head, args, _ := strings.Cut(strings.Trim(d, "@#[]"), "(")
		if head = lastName(head[strings.LastIndexByte(head, '\\')+1:]); head != "Table" && head != "Entity" {
			continue
		}
		if named := tableIn(head, args); named != "" {
			return fact{name: named, of: name, on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, true
		}
	}
	if s.Kind != code.Class && s.Kind != code.Struct {
		return fact{}, false
	}
	for i := range s.Members {
		f := &s.Members[i]
		if value := strings.Trim(f.Value, "\"'"); f.Name == "__tablename__" && isWord(value) {
			return fact{name: value, of: name, on: value, line: f.StartLine}, true
		}
	}
	if slices.Contains(s.Bases, "models.Model") {
		return djangoModel(name, s)
	}
	return fact{}, false
}

// tableIn returns the table named in the arguments of an annotation; "" for none.
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

// djangoModel returns the table of a Django model. It is named after the application, which is
// the folder, and the class, unless Meta says otherwise.
func djangoModel(name string, s *code.Symbol) (fact, bool) {
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
				return fact{}, false
			case "db_table":
				return fact{name: value, of: name, on: value, line: option.StartLine}, isWord(value)
			case "app_label":
				app, isModels = value, true
			}
		}
	}
	table := app + "_" + strings.ToLower(lastName(name))
	return fact{name: table, of: name, on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, isModels && isWord(table)
}
