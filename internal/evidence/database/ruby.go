package database

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// railsSchema reads create_table, add_index, add_foreign_key and what drops these, of db/schema.rb or else of the migrations.
func railsSchema(s *Schema, f *code.File) {
	for i := range f.Bodies.Calls {
		c := &f.Bodies.Calls[i]
		if strings.HasSuffix(c.In, ".down") || c.In == "down" {
			continue
		}
		list, at := args(c), Place{f.Path, c.Line}
		table := s.Of(text(list, 0))
		switch of := last(c.Value.Text); {
		case of == "create_table" && text(list, 0) != "":
			t := s.table(list[0].Text, at)
			if c.Value.Named("id") == nil {
				t.key(Key{Columns: []string{"id"}, Primary: true, At: at})
			}
		case of == "drop_table":
			s.drop(text(list, 0))
		case table == nil:
			railsColumn(s, f, c)
		default:
			railsChange(table, of, c, list, at)
		}
	}
}

// railsChange reads a call that changes a table, its first argument.
func railsChange(t *Table, of string, c *code.CallUse, list []code.Value, at Place) {
	switch {
	case of == "add_index" && len(list) > 1 && holds(c.Value.Named("unique")):
		t.key(Key{Columns: texts(&list[1]), At: at})
	case of == "add_foreign_key":
		railsForeignKey(t, text(list, 1), c, at)
	case of == "add_column" && len(list) > 2:
		t.column(Column{Name: text(list, 1), Type: list[2].Text, Required: isFalse(c.Value.Named("null"))})
	case of == "remove_column":
		t.dropColumn(text(list, 1))
	case of == "add_reference", of == "add_belongs_to":
		railsReference(t, text(list, 1), c, at)
	}
}

func isFalse(v *code.Value) bool { return v != nil && strings.EqualFold(v.Text, "false") }

// railsColumn reads a call in the block of create_table: t.string "title", null: false.
func railsColumn(s *Schema, f *code.File, c *code.CallUse) {
	block := around(f, c)
	if block == nil || last(block.Value.Text) != "create_table" && last(block.Value.Text) != "change_table" {
		return
	}
	table := s.Of(text(args(block), 0))
	before, kind, ok := strings.Cut(c.Value.Text, ".")
	list, at := args(c), Place{f.Path, c.Line}
	if table == nil || !ok || strings.ContainsAny(before, ".(") {
		return
	}
	switch kind {
	case "index":
		if len(list) > 0 && holds(c.Value.Named("unique")) {
			table.key(Key{Columns: texts(&list[0]), At: at})
		}
	case "references", "belongs_to":
		railsReference(table, text(list, 0), c, at)
	case "timestamps":
		table.column(Column{Name: "created_at", Type: "datetime"})
		table.column(Column{Name: "updated_at", Type: "datetime"})
	case "foreign_key":
		railsForeignKey(table, text(list, 0), c, at)
	case "check_constraint", "remove", "rename", "change", "change_default":
	default:
		for i := range list {
			table.column(Column{Name: text(list, i), Type: kind, Required: isFalse(c.Value.Named("null")), Default: plain(c.Value.Named("default"))})
		}
	}
}

// plain returns a literal as written; "" for none.
func plain(v *code.Value) string {
	if v == nil || v.Kind == code.ValueOther || v.Kind == code.ValueFunction {
		return ""
	}
	return v.Text
}

func railsReference(t *Table, name string, c *code.CallUse, at Place) {
	if name == "" || holds(c.Value.Named("polymorphic")) {
		return
	}
	column := name + "_id"
	t.column(Column{Name: column, Type: "bigint", Required: isFalse(c.Value.Named("null"))})
	if index := c.Value.Named("index"); index != nil && holds(index.Named("unique")) {
		t.key(Key{Columns: []string{column}, At: at})
	}
	if key := c.Value.Named("foreign_key"); key != nil && !isFalse(key) {
		to := plural(name)
		if v := key.Named("to_table"); v != nil {
			to = v.Text
		}
		t.refer(Reference{Columns: []string{column}, To: to, OnDelete: railsAction(key.Named("on_delete")), At: at})
	}
}

func railsForeignKey(t *Table, to string, c *code.CallUse, at Place) {
	if to == "" {
		return
	}
	column := strings.TrimSuffix(to, "s") + "_id"
	if v := c.Value.Named("column"); v != nil {
		column = v.Text
	}
	t.refer(Reference{Columns: []string{column}, To: to, OnDelete: railsAction(c.Value.Named("on_delete")), At: at})
}

// railsAction returns the action of on_delete: :nullify is SET NULL.
func railsAction(v *code.Value) string {
	switch {
	case v == nil:
		return ""
	case v.Text == "nullify":
		return SetNull
	}
	return v.Text
}

// railsModels links classes with their tables, and reads what they delete with a row: has_many :comments, dependent: :destroy.
func railsModels(s *Schema, f *code.File) {
	classes(f, func(name string, c *code.Symbol) {
		if !slices.ContainsFunc(c.Bases, func(b string) bool { return b == "ApplicationRecord" || strings.HasSuffix(b, "ActiveRecord::Base") }) {
			return
		}
		table := plural(Snake(last(name)))
		for i := range f.Bodies.Bindings {
			if b := &f.Bodies.Bindings[i]; strings.HasPrefix(b.In, name) && b.Name == "table_name" && b.Value.Kind == code.ValueString {
				table = b.Value.Text
			}
		}
		t := s.Of(table)
		if t == nil {
			return
		}
		t.Model = last(name)
		for i := range f.Bodies.Calls {
			u := &f.Bodies.Calls[i]
			if !strings.HasPrefix(u.In, name) || u.Value.Text != "has_many" && u.Value.Text != "has_one" || u.Value.Named("through") != nil {
				continue
			}
			railsDependent(s, t, u, Place{f.Path, u.Line})
		}
	})
}

func railsDependent(s *Schema, t *Table, u *code.CallUse, at Place) {
	dependent := u.Value.Named("dependent")
	if dependent == nil {
		return
	}
	name := text(args(u), 0)
	if v := u.Value.Named("class_name"); v != nil {
		name = Snake(last(v.Text))
	}
	child := s.Of(name)
	if child == nil {
		child = s.Of(plural(name))
	}
	if child == nil {
		return
	}
	column := Snake(t.Model) + "_id"
	if v := u.Value.Named("foreign_key"); v != nil {
		column = v.Text
	} else if v := u.Value.Named("as"); v != nil {
		column = v.Text + "_id"
	}
	action := map[string]string{"destroy": Cascade, "delete_all": Cascade, "delete": Cascade, "destroy_async": Cascade, "nullify": SetNull}[dependent.Text]
	has := slices.ContainsFunc(child.Columns, func(c Column) bool { return c.Name == column })
	if action != "" && has {
		child.refer(Reference{Columns: []string{column}, To: t.Name, OnDelete: action, At: at})
	}
}
