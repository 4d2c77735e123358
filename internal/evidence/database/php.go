package database

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// laravelSchema reads Schema::create('users', …) and Schema::table('users', …) of migrations: the columns, then what follows in
// their chains, $table->string('email')->unique().
func laravelSchema(s *Schema, f *code.File) {
	for _, chained := range []bool{false, true} {
		for i := range f.Bodies.Calls {
			if c := &f.Bodies.Calls[i]; !strings.HasSuffix(c.In, "down") && chained == (c.After > 0) {
				laravelCall(s, f, c)
			}
		}
	}
}

func laravelCall(s *Schema, f *code.File, c *code.CallUse) {
	list := args(c)
	switch c.Value.Text {
	case "Schema.create":
		if name := text(list, 0); name != "" {
			s.table(name, Place{f.Path, c.Line})
		}
		return
	case "Schema.drop", "Schema.dropIfExists":
		if t := s.Of(text(list, 0)); t != nil && t.At.File != f.Path { // a migration drops what it creates to undo it
			s.drop(t.Name)
		}
		return
	}
	first := root(f, c)
	block := around(f, first)
	if block == nil || block.Value.Text != "Schema.create" && block.Value.Text != "Schema.table" {
		return
	}
	t := s.Of(text(args(block), 0))
	switch {
	case t == nil:
	case c != first:
		laravelModifier(t, f, first, c, text(args(first), 0))
	default:
		laravelColumn(t, c, Place{f.Path, c.Line})
	}
}

// laravelColumn reads $table->string('email') and other calls that begin a chain.
func laravelColumn(t *Table, c *code.CallUse, at Place) {
	of, list := last(c.Value.Text), args(c)
	column := text(list, 0)
	switch {
	case of == "unique" || of == "primary":
		if len(list) > 0 {
			t.key(Key{Columns: texts(&list[0]), Primary: of == "primary", At: at})
		}
	case of == "id", of == "increments", of == "bigIncrements":
		if column == "" {
			column = "id"
		}
		t.column(Column{Name: column, Type: of, Required: true})
		t.key(Key{Columns: []string{column}, Primary: true, At: at})
	case of == "timestamps":
		t.column(Column{Name: "created_at", Type: "timestamp"})
		t.column(Column{Name: "updated_at", Type: "timestamp"})
	case of == "dropColumn" && len(list) > 0:
		for _, name := range texts(&list[0]) {
			t.dropColumn(name)
		}
	case strings.HasPrefix(of, "drop"), strings.HasPrefix(of, "rename"), of == "index", of == "foreign", of == "fullText", of == "rememberToken", of == "softDeletes", column == "":
	case of == "foreignIdFor":
	default:
		t.column(Column{Name: column, Type: of, Required: true})
	}
}

// laravelModifier reads what follows in the chain of a column or a foreign key.
func laravelModifier(t *Table, f *code.File, first, c *code.CallUse, column string) {
	at := Place{f.Path, first.Line}
	list := args(c)
	switch of := last(c.Value.Text); of {
	case "unique":
		t.key(Key{Columns: []string{column}, At: at})
	case "nullable":
		for i := range t.Columns {
			if t.Columns[i].Name == column {
				t.Columns[i].Required = false
			}
		}
	case "on":
		t.refer(Reference{Columns: []string{column}, To: text(list, 0), At: at})
	case "constrained":
		to := text(list, 0)
		if to == "" {
			to = plural(strings.TrimSuffix(column, "_id"))
		}
		t.refer(Reference{Columns: []string{column}, To: to, At: at})
	case "onDelete", "cascadeOnDelete", "nullOnDelete":
		action := strings.ToLower(text(list, 0))
		switch of {
		case "cascadeOnDelete":
			action = Cascade
		case "nullOnDelete":
			action = SetNull
		}
		t.acts(column, action, at)
	}
}

// acts sets the action of the reference of a column; the reference may be declared later in the chain.
func (t *Table) acts(column, action string, at Place) {
	for i := range t.References {
		if r := &t.References[i]; slices.Equal(r.Columns, []string{column}) {
			r.OnDelete = action
			return
		}
	}
	t.References = append(t.References, Reference{Columns: []string{column}, OnDelete: action, At: at})
}

// laravelModels links Eloquent's classes with their tables.
func laravelModels(s *Schema, f *code.File) {
	classes(f, func(name string, c *code.Symbol) {
		if !slices.ContainsFunc(c.Bases, func(b string) bool { return last(b) == "Model" || last(b) == "Authenticatable" || last(b) == "Pivot" }) {
			return
		}
		table := plural(Snake(last(name)))
		for i := range c.Members {
			if m := &c.Members[i]; strings.TrimPrefix(m.Name, "$") == "table" && m.Value != "" {
				table = strings.Trim(m.Value, "'\"")
			}
		}
		if t := s.Of(table); t != nil && t.Model == "" {
			t.Model = last(name)
		}
	})
}
