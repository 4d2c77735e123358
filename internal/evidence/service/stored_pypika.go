package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// pypikaVerbs are what methods of the query builder PyPika do to the table that they are given.
var pypikaVerbs = map[string]string{"from_": Reads, "into": Inserts, "update": Updates}

// pypika reads the calls of the query builder PyPika: Query.from_(articles).join(tags).
func (w *accessWalk) pypika(c Call, _ map[string]row) (Access, bool) {
	receiver, name := c.Of()
	verb := pypikaVerbs[name]
	switch {
	case name == "join" || strings.HasSuffix(name, "_join"):
		verb = Reads
	case !strings.HasSuffix(receiver, "Query"):
		return Access{}, false
	}
	if verb == "" || !w.importsAny("python", "pypika") {
		return Access{}, false
	}
	table := w.pypikaTable(c)
	if table == "" {
		return Access{}, false
	}
	if name == "from_" && c.leadsTo("delete") {
		verb = Deletes
	}
	alone, driver := w.commits("python")
	return Access{Verb: verb, Table: table, Alone: alone, driver: driver}, true
}

// pypikaTable returns the table that a call of PyPika is given: its name, or a variable that holds a Table or an object of a
// class derived from it; "" for others.
func (w *accessWalk) pypikaTable(c Call) string {
	v := c.Value.Arg(0)
	if v == nil {
		return ""
	}
	if v.Kind == code.ValueString {
		return v.Text
	}
	b, ok := w.bound(c.File.Path, v)
	if v.Kind != code.ValueName || !ok || b.Value.Kind != code.ValueCall {
		return ""
	}
	if name, ok := w.Text(b.File.Path, b.Value.Arg(0)); ok && Last(b.Value.Text) == "Table" {
		return name
	}
	name, _ := w.attribute(w.class(b.File.Path, b.Value.Text), "__table__")
	if name.Value == nil {
		return ""
	}
	return name.Text
}

// leadsTo reports whether the chain that begins with a call has one of a method.
func (c Call) leadsTo(method string) bool {
	return slices.ContainsFunc(c.File.Bodies.Calls, func(u code.CallUse) bool {
		return u.After > 0 && Last(u.Value.Text) == method && Call{c.File, &u}.root() == c.CallUse
	})
}
