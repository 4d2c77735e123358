package database

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// gorm reads the tags of structs: `gorm:"uniqueIndex"`.
func gorm(s *Schema, f *code.File) {
	uses := slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return strings.Contains(i.Module, "/gorm") || strings.Contains(i.Module, "gorm.io")
	})
	classes(f, func(name string, c *code.Symbol) {
		embeds := slices.ContainsFunc(c.Bases, func(b string) bool { return b == "gorm.Model" })
		if c.Kind != code.Struct || !embeds && !(uses && slices.ContainsFunc(c.Members, func(m code.Symbol) bool { return gormTag(&m) != "" })) {
			return
		}
		t := s.table(plural(Snake(name)), symbolPlace(f, c))
		t.Model = name
		if embeds {
			t.column(Column{Name: "id", Type: "uint", Required: true})
			t.key(Key{Columns: []string{"id"}, Primary: true, At: t.At})
		}
		groups := map[string]*Key{}
		var names []string
		for i := range c.Members {
			m := &c.Members[i]
			if m.Kind != code.Property || m.Name == "Model" {
				continue
			}
			gormField(t, m, symbolPlace(f, m), func(group string, k Key) {
				if known := groups[group]; known != nil {
					known.Columns = append(known.Columns, k.Columns...)
					return
				}
				names, groups[group] = append(names, group), &k
			})
		}
		for _, group := range names {
			t.key(*groups[group])
		}
	})
}

// gormTag returns the tag of a field for GORM; "" for none.
func gormTag(m *code.Symbol) string {
	_, rest, ok := strings.Cut(m.Signature, `gorm:"`)
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, `"`)
	return rest
}

// gormField reads a field; grouped is given keys that several fields may share.
func gormField(t *Table, m *code.Symbol, at Place, grouped func(group string, k Key)) {
	tag := gormTag(m)
	column := Snake(m.Name)
	if tag == "-" {
		return
	}
	c := Column{Name: column, Type: m.Returns}
	for part := range strings.SplitSeq(tag, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), ":")
		switch strings.ToLower(key) {
		case "column":
			c.Name = value
		case "not null":
			c.Required = true
		case "default":
			c.Default = value
		case "unique":
			t.key(Key{Columns: []string{c.Name}, At: at})
		case "uniqueindex", "unique_index":
			name, _, _ := strings.Cut(value, ",")
			if name == "" {
				name = "\x00" + c.Name
			}
			grouped(name, Key{Columns: []string{c.Name}, At: at})
		case "primarykey", "primary_key":
			t.key(Key{Columns: []string{c.Name}, Primary: true, At: at})
		case "constraint":
			gormConstraint(t, m, c.Name, value, at)
		}
	}
	if isBasic(m.Returns) {
		t.column(c)
	}
}

// gormConstraint reads constraint:OnDelete:CASCADE of a field that is another row.
func gormConstraint(t *Table, m *code.Symbol, column, value string, at Place) {
	if on, ok := strings.CutPrefix(compact(value), "OnDelete:"); ok && !strings.HasPrefix(m.Returns, "[]") {
		on, _, _ = strings.Cut(on, ",")
		t.refer(Reference{Columns: []string{column + "_id"}, To: strings.TrimPrefix(m.Returns, "*"), OnDelete: strings.ReplaceAll(strings.ToLower(on), "setnull", SetNull), At: at})
	}
}

// isBasic reports whether values of a type are columns, not rows of another table.
func isBasic(typ string) bool {
	first := typ[:min(1, len(typ))]
	return !strings.Contains(typ, "[") && (strings.ToLower(first) == first || strings.Contains(typ, "."))
}
