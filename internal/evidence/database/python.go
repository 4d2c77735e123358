package database

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// alembic reads op.create_table and the like.
func alembic(s *Schema, f *code.File) {
	for i := range f.Bodies.Calls {
		c := &f.Bodies.Calls[i]
		of, ok := strings.CutPrefix(c.Value.Text, "op.")
		if !ok || c.In == "downgrade" {
			continue
		}
		list, at := args(c), Place{f.Path, c.Line}
		switch of {
		case "create_table":
			if text(list, 0) == "" {
				continue
			}
			created := s.table(list[0].Text, at)
			for j := range list[1:] {
				alchemyItem(created, &list[j+1], f)
			}
		case "execute":
			s.sql(text(list, 0), at)
		case "drop_table":
			s.drop(text(list, 0))
		case "drop_constraint", "drop_index":
			s.dropKey(strings.Join(texts(c.Value.Arg(0)), ""))
		case "add_column", "drop_column":
			alembicColumn(s.Of(text(list, 0)), of, list, f)
		default:
			alembicKey(s.Of(text(list, 1)), of, c, list, at)
		}
	}
}

// alembicColumn reads op.add_column and op.drop_column.
func alembicColumn(t *Table, of string, list []code.Value, f *code.File) {
	switch {
	case t == nil || len(list) < 2:
	case of == "add_column":
		alchemyItem(t, &list[1], f)
	default:
		t.dropColumn(text(list, 1))
	}
}

// alembicKey reads op.create_unique_constraint, op.create_primary_key, op.create_foreign_key and op.create_index, whose second
// argument is the table.
func alembicKey(t *Table, of string, c *code.CallUse, list []code.Value, at Place) {
	if t == nil || len(list) < 3 {
		return
	}
	name := strings.Join(texts(&list[0]), "")
	switch {
	case of == "create_unique_constraint", of == "create_primary_key", of == "create_index" && holds(c.Value.Named("unique")):
		t.key(Key{Name: name, Columns: texts(&list[2]), Primary: of == "create_primary_key", At: at})
	case of == "create_foreign_key" && len(list) > 3:
		t.refer(Reference{Name: name, Columns: texts(&list[3]), To: text(list, 2), OnDelete: plain(c.Value.Named("ondelete")), At: at})
	}
}

// alchemyItem reads a column or a constraint in a call of create_table.
func alchemyItem(t *Table, v *code.Value, f *code.File) {
	at := Place{f.Path, v.Line}
	switch last(v.Text) {
	case "Column", "mapped_column":
		if name := text(v.Args, 0); name != "" {
			alchemyColumn(t, name, v, at)
		}
	case "PrimaryKeyConstraint", "UniqueConstraint":
		name := ""
		if n := v.Named("name"); n != nil {
			name = strings.Join(texts(n), "")
		}
		var columns []string
		for i := range v.Args {
			if a := &v.Args[i]; a.Name == "" && a.Kind == code.ValueString {
				columns = append(columns, a.Text)
			}
		}
		t.key(Key{Name: name, Columns: columns, Primary: last(v.Text) == "PrimaryKeyConstraint", At: at})
	case "ForeignKeyConstraint":
		if len(v.Args) > 1 {
			to := strings.Join(texts(v.Arg(1)), " ")
			t.refer(Reference{Columns: texts(v.Arg(0)), To: owner(to), OnDelete: plain(v.Named("ondelete")), At: at})
		}
	}
}

// owner returns the table in the name of a column: "users" for "users.id".
func owner(column string) string {
	column, _, _ = strings.Cut(column, " ")
	if i := strings.LastIndexByte(column, '.'); i >= 0 {
		return column[:i]
	}
	return column
}

// alchemyColumn reads the arguments of Column, mapped_column and Field.
func alchemyColumn(t *Table, name string, v *code.Value, at Place) {
	c := Column{Name: name, Required: isFalse(v.Named("nullable")), Default: plain(v.Named("server_default", "default"))}
	for i := range v.Args {
		a := &v.Args[i]
		switch of := last(a.Text); {
		case a.Name != "":
		case of == "ForeignKey":
			t.refer(Reference{Columns: []string{name}, To: owner(text(a.Args, 0)), OnDelete: plain(a.Named("ondelete")), At: at})
		case c.Type == "" && (a.Kind == code.ValueName || a.Kind == code.ValueCall) && of != "Computed" && of != "Identity":
			c.Type = of
		}
	}
	if key := v.Named("foreign_key"); key != nil && key.Kind == code.ValueString {
		t.refer(Reference{Columns: []string{name}, To: owner(key.Text), OnDelete: plain(v.Named("ondelete")), At: at})
	}
	t.column(c)
	alchemyKey(t, name, v, at)
}

// alchemyKey reads primary_key=True and unique=True of a column.
func alchemyKey(t *Table, name string, v *code.Value, at Place) {
	switch {
	case holds(v.Named("primary_key")):
		for i := range t.Keys { // several columns are one key
			if k := &t.Keys[i]; k.Primary && k.At.File == at.File && !slices.Contains(k.Columns, name) {
				k.Columns = append(k.Columns, name)
				return
			}
		}
		t.key(Key{Columns: []string{name}, Primary: true, At: at})
	case holds(v.Named("unique")):
		t.key(Key{Columns: []string{name}, At: at})
	}
}

// pythonModels reads the classes of SQLAlchemy, SQLModel and Django.
func pythonModels(s *Schema, f *code.File) {
	classes(f, func(name string, c *code.Symbol) {
		django := slices.Contains(c.Bases, "models.Model") || slices.ContainsFunc(c.Members, func(m code.Symbol) bool {
			return strings.HasPrefix(m.Value, "models.") && strings.Contains(m.Value, "Field(")
		})
		table, abstract := tableOfModel(f, name)
		mapped := table != "" || slices.ContainsFunc(c.Bases, func(b string) bool { return strings.ReplaceAll(b, " ", "") == "table=True" })
		if abstract || !django && !mapped {
			return
		}
		if table == "" {
			if table = strings.ToLower(last(name)); django {
				table = last(name)
			}
		}
		t := s.table(table, symbolPlace(f, c))
		t.Model = last(name)
		bindings(f, name, func(field string, b *code.Binding) {
			if b.Value.Kind == code.ValueCall {
				modelField(t, field, &b.Value, Place{f.Path, b.Line})
			}
		})
		modelConstraints(t, f, name)
	})
}

// tableOfModel returns the table that a class names, and whether it is only a base of others.
func tableOfModel(f *code.File, class string) (table string, abstract bool) {
	for i := range f.Bodies.Bindings {
		b := &f.Bodies.Bindings[i]
		switch {
		case !strings.HasPrefix(b.In, class+"."):
		case (b.Name == "__tablename__" || b.Name == "db_table") && b.Value.Kind == code.ValueString:
			table = b.Value.Text
		case b.Name == "abstract" && strings.HasPrefix(b.In, class+".Meta"), b.Name == "__abstract__":
			abstract = holds(&b.Value)
		}
	}
	return table, abstract
}

// modelField reads a field of a model.
func modelField(t *Table, name string, v *code.Value, at Place) {
	switch of := last(v.Text); {
	case of == "Column", of == "mapped_column", of == "Field":
		alchemyColumn(t, name, v, at)
	case of == "ForeignKey" || of == "OneToOneField":
		to := ""
		if a := v.Arg(0); a != nil {
			to = last(a.Text)
		}
		t.column(Column{Name: name, Type: of, Required: !holds(v.Named("null"))})
		t.refer(Reference{Columns: []string{name}, To: to, OnDelete: djangoAction(v), At: at})
		if of == "OneToOneField" {
			t.key(Key{Columns: []string{name}, At: at})
		}
	case strings.HasPrefix(v.Text, "models.") && of != "ManyToManyField":
		t.column(Column{Name: name, Type: of, Required: !holds(v.Named("null")), Default: plain(v.Named("default"))})
		if holds(v.Named("unique")) || holds(v.Named("primary_key")) {
			t.key(Key{Columns: []string{name}, Primary: holds(v.Named("primary_key")), At: at})
		}
	}
}

// djangoAction returns what becomes of referring rows: on_delete=models.CASCADE.
func djangoAction(v *code.Value) string {
	on := v.Named("on_delete")
	if on == nil {
		on = v.Arg(1)
	}
	if on == nil {
		return ""
	}
	return strings.ToLower(strings.ReplaceAll(last(on.Text), "_", " "))
}

// modelConstraints reads UniqueConstraint in __table_args__ and in Meta.constraints, and Meta.unique_together.
func modelConstraints(t *Table, f *code.File, class string) {
	for i := range f.Bodies.Bindings {
		b := &f.Bodies.Bindings[i]
		if !strings.HasPrefix(b.In, class+".") && b.In != class {
			continue
		}
		at := Place{f.Path, b.Line}
		switch b.Name {
		case "__table_args__":
			for j := range b.Value.Args {
				alchemyItem(t, &b.Value.Args[j], f)
			}
			alchemyItem(t, &b.Value, f)
		case "unique_together":
			t.together(&b.Value, at)
		case "constraints":
			b.Value.All(func(v *code.Value) bool {
				if v.Kind == code.ValueCall && last(v.Text) == "UniqueConstraint" && v.Named("condition") == nil {
					t.key(Key{Columns: texts(v.Named("fields")), At: at})
				}
				return true
			})
		}
	}
}

// together reads ("a", "b") and (("a", "b"), ("c", "d")).
func (t *Table) together(v *code.Value, at Place) {
	if len(v.Args) > 0 && v.Args[0].Kind != code.ValueString {
		for i := range v.Args {
			t.together(&v.Args[i], at)
		}
		return
	}
	t.key(Key{Columns: texts(v), At: at})
}
