package database

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// typeORM reads the decorators of TypeORM and MikroORM.
func typeORM(s *Schema, f *code.File) {
	classes(f, func(name string, c *code.Symbol) {
		table, entity := entityName(c)
		if !entity {
			return
		}
		t := s.table(table, symbolPlace(f, c))
		t.Model = last(name)
		for _, d := range c.Decorators {
			decorations(d, func(head, args string) {
				if list := quoted(args); len(list) > 0 && (head == "Unique" || head == "Index" && isUnique(args)) {
					t.key(Key{Columns: namesIn(args), At: t.At})
				}
			})
		}
		for i := range c.Members {
			if m := &c.Members[i]; m.Kind == code.Property {
				ormProperty(t, m, symbolPlace(f, m))
			}
		}
	})
}

// entityName returns the table of a class with the decorator Entity; ok is false for others.
func entityName(c *code.Symbol) (table string, ok bool) {
	for _, d := range c.Decorators {
		decorations(d, func(head, args string) {
			if head != "Entity" {
				return
			}
			table, ok = Snake(last(c.Name)), true
			if list := quoted(args); len(list) > 0 && (strings.HasPrefix(args, "'") || strings.HasPrefix(args, `"`) || strings.Contains(args, "name:") || strings.Contains(args, "tableName:")) {
				table = list[0]
			}
		})
	}
	return table, ok
}

// decorations calls see for each decorator in a text, with its arguments: "Column", "{ unique: true }".
func decorations(text string, see func(head, args string)) {
	for text != "" {
		_, rest, ok := strings.Cut(text, "@")
		if !ok {
			return
		}
		n := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:"))
		head := rest[:n]
		rest = rest[n:]
		args := ""
		if strings.HasPrefix(rest, "(") {
			end := matching(rest)
			args, rest = strings.TrimSpace(rest[1:max(end, 1)]), rest[min(end+1, len(rest)):]
		}
		see(last(head), args)
		text = rest
	}
}

// matching returns the index of the parenthesis that closes the first one; the last index if there is none.
func matching(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			i = code.QuoteEnd(text, i)
		}
	}
	return len(text) - 1
}

// quoted returns the strings in a text.
func quoted(text string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\'' {
			if end := code.QuoteEnd(text, i); end > i {
				out = append(out, text[i+1:end])
				i = end
			}
		}
	}
	return out
}

// namesIn returns the names in the list of a decorator: Unique("name", ["a", "b"]), Index({ properties: ["a"] }).
func namesIn(args string) []string {
	if _, rest, ok := strings.Cut(args, "["); ok {
		list, _, _ := strings.Cut(rest, "]")
		return quoted(list)
	}
	return quoted(args)
}

func isUnique(args string) bool { return strings.Contains(compact(args), "unique:true") }

func compact(text string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\t", "", "\r", "").Replace(text)
}

// ormProperty reads a property of an entity.
func ormProperty(t *Table, m *code.Symbol, at Place) {
	name := m.Name
	for _, d := range m.Decorators {
		decorations(d, func(head, args string) {
			switch head {
			case "PrimaryColumn", "PrimaryGeneratedColumn", "PrimaryKey", "ObjectIdColumn":
				c := Column{Name: name, Type: m.Returns, Required: true}
				if head == "PrimaryGeneratedColumn" {
					c.Default = "generated"
				}
				t.column(c)
				t.key(Key{Columns: []string{name}, Primary: true, At: at})
			case "Column", "CreateDateColumn", "UpdateDateColumn", "Property":
				t.column(Column{Name: name, Type: m.Returns, Required: !strings.Contains(compact(args), "nullable:true")})
				if isUnique(args) {
					t.key(Key{Columns: []string{name}, At: at})
				}
			case "Unique":
				t.key(Key{Columns: []string{name}, At: at})
			case "Index":
				if isUnique(args) {
					t.key(Key{Columns: []string{name}, At: at})
				}
			case "ManyToOne", "OneToOne":
				ormReference(t, name, m, head, args, at)
			}
		})
	}
}

// ormReference reads @ManyToOne(() => User, …, { onDelete: 'CASCADE' }); of @OneToOne the side that has @JoinColumn.
func ormReference(t *Table, name string, m *code.Symbol, head, args string, at Place) {
	if head == "OneToOne" && !strings.Contains(strings.Join(m.Decorators, " "), "JoinColumn") {
		return
	}
	r := Reference{Columns: []string{name}, To: ormType(m.Returns), At: at}
	if _, rest, ok := strings.Cut(compact(args), "onDelete:"); ok {
		r.OnDelete = strings.ToLower(strings.Join(quoted(rest)[:min(1, len(quoted(rest)))], ""))
	} else if _, rest, ok := strings.Cut(compact(args), "deleteRule:"); ok {
		r.OnDelete = strings.ToLower(strings.Join(quoted(rest)[:min(1, len(quoted(rest)))], ""))
	}
	t.refer(r)
	if head == "OneToOne" {
		t.key(Key{Columns: []string{name}, At: at})
	}
}

// ormType returns the class in a type: "User" for "Promise<User>", "Ref<User> | null".
func ormType(text string) string {
	text, _, _ = strings.Cut(text, "|")
	if i := strings.LastIndexByte(text, '<'); i >= 0 {
		text = text[i+1:]
	}
	return strings.Trim(text, " <>?[]!")
}
