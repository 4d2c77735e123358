package database

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// jpa reads the annotations of Jakarta Persistence.
func jpa(s *Schema, f *code.File) {
	classes(f, func(name string, c *code.Symbol) {
		all := strings.Join(c.Decorators, " ")
		table, entity := Snake(last(name)), false
		var unique [][]string
		decorations(all, func(head, args string) {
			switch head {
			case "Entity":
				entity = true
			case "Table":
				if named := argument(args, "name"); named != "" {
					table = named
				}
				unique = uniqueConstraints(args)
			}
		})
		if !entity {
			return
		}
		t := s.table(table, symbolPlace(f, c))
		t.Model = last(name)
		for _, columns := range unique {
			t.key(Key{Columns: columns, At: t.At})
		}
		for i := range c.Members {
			if m := &c.Members[i]; m.Kind == code.Property {
				jpaField(s, t, m, symbolPlace(f, m))
			}
		}
	})
}

// argument returns the text that an annotation gives to a name; "" for none.
func argument(args, name string) string {
	for at := 0; ; {
		i := strings.Index(args[at:], name)
		if i < 0 {
			return ""
		}
		rest := strings.TrimLeft(args[at+i+len(name):], " ")
		if (at+i == 0 || !isWord(args[at+i-1])) && strings.HasPrefix(rest, "=") {
			if rest = strings.TrimLeft(rest[1:], " \n\t"); strings.HasPrefix(rest, `"`) {
				return quoted(rest)[0]
			}
			end := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."))
			return rest[:end]
		}
		at += i + len(name)
	}
}

// uniqueConstraints returns the columns of @UniqueConstraint(columnNames = {"a", "b"}).
func uniqueConstraints(args string) [][]string {
	var out [][]string
	for {
		_, rest, ok := strings.Cut(args, "columnNames")
		if !ok {
			return out
		}
		list, after, _ := strings.Cut(rest, ")")
		if inner, _, ok := strings.Cut(list, "}"); ok {
			list = inner
		}
		if inner, _, ok := strings.Cut(list, "]"); ok {
			list = inner
		}
		out, args = append(out, quoted(list)), after
	}
}

// jpaField reads a field of an entity.
func jpaField(s *Schema, t *Table, m *code.Symbol, at Place) {
	column := Snake(m.Name)
	all := strings.Join(m.Decorators, " ")
	decorations(all, func(head, args string) {
		switch head {
		case "Column", "JoinColumn":
			if named := argument(args, "name"); named != "" {
				column = named
			}
		}
	})
	plain := true
	decorations(all, func(head, args string) {
		switch head {
		case "Id":
			c := Column{Name: column, Type: m.Returns, Required: true}
			if strings.Contains(all, "GeneratedValue") {
				c.Default = "generated"
			}
			t.column(c)
			t.key(Key{Columns: []string{column}, Primary: true, At: at})
		case "Column", "JoinColumn":
			if argument(args, "unique") == "true" {
				t.key(Key{Columns: []string{column}, At: at})
			}
		case "NaturalId":
			t.key(Key{Columns: []string{column}, At: at})
		case "ManyToOne":
			plain = false
			r := Reference{Columns: []string{column}, To: ormType(m.Returns), At: at}
			if strings.Contains(all, "OnDeleteAction.CASCADE") {
				r.OnDelete = Cascade
			}
			t.refer(r)
		case "OneToMany", "OneToOne":
			plain = false
			jpaChildren(s, t, m, args, at)
		case "ManyToMany", "Transient", "Embedded", "EmbeddedId", "ElementCollection":
			plain = false
		}
	})
	if plain && !m.Static {
		t.column(Column{Name: column, Type: m.Returns, Required: strings.Contains(compact(all), "nullable=false")})
	}
}

// jpaChildren reads the rows that are deleted with one: @OneToMany(cascade = ALL, orphanRemoval = true).
func jpaChildren(s *Schema, t *Table, m *code.Symbol, args string, at Place) {
	if !strings.Contains(args, "ALL") && !strings.Contains(args, "REMOVE") {
		return
	}
	model := ormType(m.Returns)
	if strings.Contains(strings.Join(m.Decorators, " "), "JoinTable") {
		return
	}
	s.late = append(s.late, func() { // the class of the rows may be in a later file
		for _, child := range s.Tables {
			if child.Model != model {
				continue
			}
			for i := range child.References {
				if r := &child.References[i]; s.Of(r.To) == t && r.OnDelete == "" {
					r.OnDelete, r.At = Cascade, at
					return
				}
			}
			if len(child.References) == 0 || argument(args, "mappedBy") == "" {
				child.refer(Reference{Columns: []string{Snake(t.Model) + "_id"}, To: t.Name, OnDelete: Cascade, At: at})
			}
		}
	})
}
