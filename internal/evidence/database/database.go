// Package database finds the tables of a project as its migrations and models declare them: columns, unique keys, and
// references with what becomes of the referring rows. The entry point is [Read].
//
// A library is a reader in the table below, in a file of its own. Migrations are read in the order of their names, so that what a
// later one drops is gone. A table that several sources declare is one table with the keys of all.
package database

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Schema is the tables of a project, and its named queries.
type Schema struct {
	Tables  []*Table
	Queries map[string]Query // by their names in the files that hold them; see [Query]
	Steps   []Step           // what SQL removed, renamed and changed, in order
	late    []func()         // what needs all models
}

// Query is an SQL statement that a file names in a comment, as aiosql and others read it.
type Query struct {
	Text string
	At   Place
}

// Table is a table of a database.
type Table struct {
	Name       string
	Model      string // the class that stands for it; "" for none
	Columns    []Column
	Keys       []Key
	References []Reference
	At         Place
}

// Column is a column of a table.
type Column struct {
	Name     string
	Type     string // as written; "" if it is not known
	Required bool   // NOT NULL is written
	Default  string // as written; "" for none
	At       Place  // of its last declaration in SQL or in a schema of Prisma; zero for others
}

// Step is a statement of SQL that removes, renames or changes a table, a column of it, or a key.
type Step struct {
	Table  string
	Column string // "" for the table itself
	To     string // the new name of what was renamed; "" for other steps
	At     Place
}

// Key is a primary or another unique key.
type Key struct {
	Name    string // of the constraint; "" if it is not known
	Columns []string
	Primary bool
	At      Place
}

// Reference is a foreign key.
type Reference struct {
	Name     string
	Columns  []string
	To       string // the table or model that it refers to
	OnDelete string // [Cascade], [SetNull], another action in lower case, or "" if none is given
	At       Place
}

// What becomes of rows that refer to a deleted one.
const (
	Cascade = "cascade"
	SetNull = "set null"
)

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

// Text is a file that is not code: SQL, a schema of Prisma.
type Text struct {
	Path string
	Data []byte
}

// Wanted reports whether a file that is not code may declare tables or queries.
func Wanted(name string) bool {
	return strings.HasSuffix(name, ".sql") || strings.HasSuffix(name, ".prisma")
}

// Read returns the tables that files declare. The code was parsed with lang.Bodies and lang.Calls; tests are left out.
func Read(files []*code.File, texts []Text) *Schema {
	s := &Schema{Queries: map[string]Query{}}
	s.texts(texts)
	files = slices.SortedFunc(slices.Values(files), func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
	dumped := slices.ContainsFunc(files, func(f *code.File) bool { return path.Base(f.Path) == "schema.rb" })
	files = slices.DeleteFunc(files, func(f *code.File) bool {
		return f.Test || f.Bodies == nil || dumped && strings.Contains("/"+f.Path, "/db/migrate/")
	})
	for _, list := range []map[string]func(*Schema, *code.File){readers, modelReaders} { // models after migrations: they add what these do not say
		for _, f := range files {
			if read := list[f.Language]; read != nil {
				read(s, f)
			}
		}
	}
	for _, do := range s.late {
		do()
	}
	s.late = nil
	s.settle()
	return s
}

// texts reads the files that are not code.
func (s *Schema) texts(texts []Text) {
	slices.SortFunc(texts, func(a, b Text) int { return strings.Compare(order(a.Path), order(b.Path)) })
	prisma := slices.ContainsFunc(texts, func(t Text) bool { return strings.HasSuffix(t.Path, ".prisma") })
	for _, t := range texts {
		switch {
		case strings.HasSuffix(t.Path, ".prisma"):
			s.prisma(t)
		case !prisma || !strings.Contains(t.Path, "prisma/"): // its migrations are made from the schema
			s.sqlFile(t)
		}
	}
}

// settle removes what stands for another table's rows, not for values.
func (s *Schema) settle() {
	for _, t := range s.Tables {
		t.Columns = slices.DeleteFunc(t.Columns, func(c Column) bool {
			return c.Type != "" && slices.ContainsFunc(s.Tables, func(u *Table) bool { return u.Model == c.Type })
		})
		t.References = slices.DeleteFunc(t.References, func(r Reference) bool { return r.To == "" })
	}
}

// order is the key by which migrations are sorted: numbers of versions by their value.
func order(name string) string {
	dir, base := path.Split(name)
	digits := strings.TrimLeft(base, "Vv")
	n := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
	if n == 0 || n > 20 {
		return name
	}
	return dir + strings.Repeat("0", 20-n) + digits
}

// readers read migrations by language, and modelReaders the classes of object-relational mappers.
var (
	readers      = map[string]func(*Schema, *code.File){"python": alembic, "ruby": railsSchema, "php": laravelSchema, "go": sqlTexts}
	modelReaders = map[string]func(*Schema, *code.File){
		"python": pythonModels, "ruby": railsModels, "php": laravelModels, "typescript": typeORM, "java": jpa, "kotlin": jpa, "go": gorm, "csharp": entityFramework,
	}
)

// Of returns the table with a name, or for which a class stands; nil if none is known.
func (s *Schema) Of(name string) *Table {
	if s == nil || name == "" {
		return nil
	}
	name = bare(name)
	for _, t := range s.Tables {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	for _, t := range s.Tables {
		if t.Model == name {
			return t
		}
	}
	return nil
}

// bare returns a name without quotes and without the schema before it.
func bare(name string) string {
	name = strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "\"`[]'")
	return name
}

// Referring returns the tables that refer to a table, with their references.
func (s *Schema) Referring(t *Table, see func(from *Table, r *Reference)) {
	for _, from := range s.Tables {
		for i := range from.References {
			if r := &from.References[i]; s.Of(r.To) == t {
				see(from, r)
			}
		}
	}
}

// table returns the table with a name, which is new if it is not known.
func (s *Schema) table(name string, at Place) *Table {
	name = bare(name)
	if t := s.Of(name); t != nil {
		return t
	}
	t := &Table{Name: name, At: at}
	s.Tables = append(s.Tables, t)
	return t
}

func (s *Schema) drop(name string) {
	if t := s.Of(name); t != nil {
		s.Tables = slices.DeleteFunc(s.Tables, func(u *Table) bool { return u == t })
	}
}

// dropKey removes a constraint or an index by its name.
func (s *Schema) dropKey(name string) {
	for _, t := range s.Tables {
		t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool { return k.Name != "" && k.Name == name })
		t.References = slices.DeleteFunc(t.References, func(r Reference) bool { return r.Name != "" && r.Name == name })
	}
}

// column adds a column, or what is not yet known of it.
func (t *Table) column(c Column) {
	if c.Name = bare(c.Name); c.Name == "" {
		return
	}
	for i := range t.Columns {
		if known := &t.Columns[i]; strings.EqualFold(known.Name, c.Name) {
			known.Type, known.Default, known.Required = cmp.Or(known.Type, c.Type), cmp.Or(known.Default, c.Default), known.Required || c.Required
			return
		}
	}
	t.Columns = append(t.Columns, c)
}

func (t *Table) dropColumn(name string) {
	name = bare(name)
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(c string) bool { return strings.EqualFold(c, name) })
	}
	t.Columns = slices.DeleteFunc(t.Columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool { return has(k.Columns) })
	t.References = slices.DeleteFunc(t.References, func(r Reference) bool { return has(r.Columns) })
}

// key adds a key, unless the table has one of the same columns.
func (t *Table) key(k Key) {
	for i := range k.Columns {
		k.Columns[i] = bare(k.Columns[i])
	}
	if len(k.Columns) == 0 || slices.ContainsFunc(t.Keys, func(known Key) bool { return sameNames(known.Columns, k.Columns) }) {
		return
	}
	t.Keys = append(t.Keys, k)
}

// refer adds a foreign key, or the action of one that is known without it.
func (t *Table) refer(r Reference) {
	for i := range r.Columns {
		r.Columns[i] = bare(r.Columns[i])
	}
	r.To, r.OnDelete = bare(r.To), strings.ToLower(r.OnDelete)
	for i := range t.References {
		if known := &t.References[i]; sameNames(known.Columns, r.Columns) && len(r.Columns) > 0 {
			known.To, known.OnDelete = cmp.Or(known.To, r.To), cmp.Or(known.OnDelete, r.OnDelete)
			return
		}
	}
	t.References = append(t.References, r)
}

func sameNames(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	return !slices.ContainsFunc(a, func(name string) bool {
		return !slices.ContainsFunc(b, func(other string) bool { return strings.EqualFold(name, other) })
	})
}

// Given reports whether users decide the values of a key: it is not only a number that the database counts. A primary key of one
// column is taken for a counted one unless it is text.
func (t *Table) Given(k *Key) bool {
	if !k.Primary || len(k.Columns) > 1 {
		return true
	}
	for _, c := range t.Columns {
		if strings.EqualFold(c.Name, k.Columns[0]) {
			kind := strings.ToLower(c.Type)
			return c.Default == "" && (strings.Contains(kind, "text") || strings.Contains(kind, "char") || kind == "string")
		}
	}
	return false
}
