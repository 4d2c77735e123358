package contractfile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Whom a change of a database breaks.
var (
	breaksRead    = message.New("programs that still run with the former tables fail on it, and its data are lost")
	breaksRenamed = message.New("programs that still run with the former tables do not find it under its name")
	breaksInsert  = message.New("programs that still run insert rows without it, and those are refused; on a table with rows the migration itself fails")
	breaksNull    = message.New("programs that still run write NULL to it, and that is refused; rows that have NULL make the migration fail")
	breaksNarrow  = message.New("values that were stored before do not fit")
	breaksUnique  = message.New("rows that were allowed are refused; rows that are equal make the migration fail")
)

// compareDatabase compares the tables that all migrations make, before and now.
func compareDatabase(c *comparison) {
	old, now := tablesOf(c.old), tablesOf(c.now)
	d := &databases{comparison: c, old: old, now: now, steps: newSteps(old.Steps, now.Steps)}
	kept := map[*database.Table]bool{}
	for _, t := range old.Tables {
		u := now.Of(d.nameNow(t.Name))
		if u == nil {
			d.dropped(t)
			continue
		}
		kept[u] = true
		d.table(t, u)
	}
	for _, t := range now.Tables {
		if !kept[t] && slices.Contains(c.changed, t.At.File) {
			d.add("table-added", Added, harmless, t.Name, message.New("%s `%s` was added", "table", t.Name), "", t.Name, t.At, false)
		}
	}
}

func tablesOf(s Side) *database.Schema {
	var texts []database.Text
	for _, name := range s.Files {
		if text := read(s, name); database.Wanted(name) && text != nil {
			texts = append(texts, database.Text{Path: name, Data: text})
		}
	}
	return database.Read(nil, texts)
}

// newSteps returns the steps that came since.
func newSteps(old, now []database.Step) []database.Step {
	return slices.DeleteFunc(slices.Clone(now), func(s database.Step) bool { return slices.Contains(old, s) })
}

// databases compares two sets of tables.
type databases struct {
	*comparison
	old, now *database.Schema
	steps    []database.Step
}

func (d *databases) add(rule string, effect Effect, o outcome, symbol string, words message.Text, was, is string, at database.Place, gone bool) {
	d.changes = append(d.changes, Change{
		Rule: "database-" + rule, Effect: effect, Symbol: symbol, Words: words, Breaks: o.breaks, Risky: o.risky, Old: was, New: is, File: at.File, Line: max(at.Line, 1), Gone: gone,
	})
}

// nameNow returns the name that a table has now.
func (d *databases) nameNow(name string) string {
	for _, s := range d.steps {
		if s.Column == "" && s.To != "" && strings.EqualFold(s.Table, name) {
			name = s.To
		}
	}
	return name
}

// step returns the new step about a table or a column.
func (d *databases) step(table, column string) (database.Step, bool) {
	for _, s := range slices.Backward(d.steps) {
		if strings.EqualFold(s.Table, table) && strings.EqualFold(s.Column, column) {
			return s, true
		}
	}
	return database.Step{}, false
}

// at returns where a step is; else the former place of what is gone.
func (d *databases) at(table, column string, former database.Place) (at database.Place, gone bool) {
	if s, ok := d.step(table, column); ok {
		return s.At, false
	}
	return former, true
}

func (d *databases) dropped(t *database.Table) {
	at, gone := d.at(t.Name, "", t.At)
	if gone && !slices.Contains(d.changed, at.File) {
		return
	}
	d.add("table-removed", Removed, breaking(breaksRead), t.Name, message.New("%s `%s` was removed", "table", t.Name), "table "+t.Name, "", at, gone)
}

func (d *databases) table(t, u *database.Table) {
	if !strings.EqualFold(t.Name, u.Name) {
		at, gone := d.at(t.Name, "", t.At)
		d.add("table-renamed", Altered, breaking(breaksRenamed), t.Name, message.New("%s `%s` was renamed to `%s`", "table", t.Name, u.Name), t.Name, u.Name, at, gone)
	}
	kept := map[string]bool{}
	for _, a := range t.Columns {
		name := a.Name
		s, ok := d.step(t.Name, a.Name)
		if renamed := ok && s.To != "" && !strings.EqualFold(s.To, a.Name); renamed {
			name = s.To
			d.add("column-renamed", Altered, breaking(breaksRenamed), t.Name+"."+a.Name, message.New("%s `%s` was renamed to `%s`", "column", t.Name+"."+a.Name, name), a.Name, name, s.At, false)
		}
		i := slices.IndexFunc(u.Columns, func(b database.Column) bool { return strings.EqualFold(b.Name, name) })
		if i < 0 {
			at, gone := d.at(t.Name, a.Name, placeOf(a, t))
			d.add("column-removed", Removed, breaking(breaksRead), t.Name+"."+a.Name, message.New("%s `%s` was removed", "column", t.Name+"."+a.Name), declared(a), "", at, gone)
			continue
		}
		kept[strings.ToLower(name)] = true
		d.column(u, a, u.Columns[i])
	}
	for _, b := range u.Columns {
		if !kept[strings.ToLower(b.Name)] {
			d.newColumn(u, b)
		}
	}
	d.keys(t, u)
}

// placeOf returns the place of a column; that of its table if it has none.
func placeOf(c database.Column, t *database.Table) database.Place {
	if c.At.File != "" {
		return c.At
	}
	return t.At
}

func declared(c database.Column) string {
	text := strings.TrimSpace(c.Name + " " + c.Type)
	if c.Required {
		text += " not null"
	}
	if c.Default != "" {
		text += " default " + c.Default
	}
	return text
}

func (d *databases) newColumn(t *database.Table, c database.Column) {
	symbol := t.Name + "." + c.Name
	o := harmless
	if c.Required && c.Default == "" && !strings.Contains(strings.ToLower(c.Type), "serial") {
		o = breaking(breaksInsert)
	}
	d.add("column-added", Added, o, symbol, message.New("%s `%s` was added", "column", symbol), "", declared(c), placeOf(c, t), false)
}

func (d *databases) column(t *database.Table, a, b database.Column) {
	symbol, at := t.Name+"."+b.Name, placeOf(b, t)
	altered := func(term string, o outcome, was, is string) {
		words := message.New("%s of %s `%s` changed: `%s` → `%s`", term, "column", symbol, orNone(was), orNone(is))
		d.add("column-"+strings.ReplaceAll(term, " ", "-")+"-changed", Altered, o, symbol, words, was, is, at, false)
	}
	if a.Type != "" && b.Type != "" && canonical(a.Type) != canonical(b.Type) {
		if holds(canonical(b.Type), canonical(a.Type)) {
			altered("type", harmless, a.Type, b.Type)
		} else {
			altered("type", breaking(breaksNarrow), a.Type, b.Type)
		}
	}
	null := map[bool]string{true: "not null", false: "null"}
	switch {
	case !a.Required && b.Required:
		altered("nullability", breaking(breaksNull), null[false], null[true])
	case a.Required && !b.Required:
		altered("nullability", surprise, null[true], null[false])
	}
	switch {
	case a.Default == b.Default:
	case b.Default == "" && b.Required:
		altered("default value", breaking(breaksInsert), a.Default, b.Default)
	default:
		altered("default value", surprise, a.Default, b.Default)
	}
}

func (d *databases) keys(t, u *database.Table) {
	text := func(k database.Key) string {
		list := make([]string, len(k.Columns))
		for i, c := range k.Columns {
			list[i] = strings.ToLower(c)
			for _, s := range d.steps {
				if strings.EqualFold(s.Table, t.Name) && strings.EqualFold(s.Column, c) && s.To != "" {
					list[i] = strings.ToLower(s.To)
				}
			}
		}
		slices.Sort(list)
		return strings.Join(list, ", ")
	}
	known := map[string]bool{}
	for _, k := range t.Keys {
		known[text(k)] = true
	}
	fresh := func(k database.Key) bool { // a key of columns that are new refuses no row that was there
		return !slices.ContainsFunc(k.Columns, func(c string) bool {
			return slices.ContainsFunc(t.Columns, func(x database.Column) bool { return strings.EqualFold(x.Name, c) })
		})
	}
	for _, k := range u.Keys {
		if columns := strings.Join(k.Columns, ", "); !known[text(k)] && !fresh(k) {
			d.add("unique-key-added", Added, breaking(breaksUnique), u.Name, message.New("%s `%s` was added", "unique key", u.Name+" ("+columns+")"), "", columns, k.At, false)
		}
	}
}

// sameTypes are other names of types.
var sameTypes = map[string]string{
	"int": "integer", "int4": "integer", "int8": "bigint", "int2": "smallint", "bool": "boolean", "float8": "double precision", "float4": "real", "decimal": "numeric",
	"character varying": "varchar", "character": "char", "timestamptz": "timestamp with time zone", "serial": "integer", "bigserial": "bigint", "double": "double precision",
}

// sqlType is a type with its length.
type sqlType struct {
	name   string
	length int // -1 for none
	scale  int
}

func canonical(text string) sqlType {
	name, rest, _ := strings.Cut(strings.ToLower(text), "(")
	t := sqlType{strings.TrimSpace(name), -1, 0}
	if other, ok := sameTypes[t.name]; ok {
		t.name = other
	}
	inner, _, _ := strings.Cut(rest, ")")
	first, second, _ := strings.Cut(inner, ",")
	if n, err := strconv.Atoi(strings.TrimSpace(first)); err == nil {
		t.length = n
	}
	if n, err := strconv.Atoi(strings.TrimSpace(second)); err == nil {
		t.scale = n
	}
	if slices.Contains(wholeNumbers, t.name) {
		t.length = -1 // how wide it is shown
	}
	return t
}

// Each type of a list holds all values of those before it.
var (
	wholeNumbers = []string{"tinyint", "smallint", "mediumint", "integer", "bigint"}
	texts        = []string{"char", "varchar", "tinytext", "text", "mediumtext", "longtext"}
	floats       = []string{"real", "double precision"}
)

// holds reports whether a type holds all values of another one.
func holds(a, b sqlType) bool {
	for _, order := range [][]string{wholeNumbers, texts, floats} {
		i, j := slices.Index(order, a.name), slices.Index(order, b.name)
		if i < 0 || j < 0 {
			continue
		}
		return i >= j && (a.length < 0 || b.length >= 0 && a.length >= b.length)
	}
	switch {
	case a.name == "numeric" && slices.Contains(wholeNumbers, b.name):
		return a.length < 0
	case a.name == b.name:
		return a.length < 0 || b.length >= 0 && a.length >= b.length && a.scale >= b.scale && a.length-a.scale >= b.length-b.scale
	}
	return false
}
