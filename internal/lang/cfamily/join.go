package cfamily

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// join makes symbols of a file's declarations: what several of them declare is one.
func (c *cReader) join(list []*cDecl) []code.Symbol {
	slices.SortStableFunc(list, func(a, b *cDecl) int { return c.at(a) - c.at(b) })
	list = c.enter(list)
	list = c.entities(list)
	return symbolsOf(list)
}

// at is where a declaration stands in the text.
func (c *cReader) at(d *cDecl) int { return c.Spans[d.span].Start }

// enter puts the declarations that stand outside of their class into it.
func (c *cReader) enter(list []*cDecl) []*cDecl {
	types := map[string]*cDecl{}
	for _, d := range list {
		if d.scope == "" {
			addTypes(types, d, d.Name)
		}
	}
	var out []*cDecl
	for _, d := range list {
		if d.scope == "" {
			out = append(out, d)
			continue
		}
		simple := strings.TrimPrefix(d.Name, scopedPrefix(d.space))
		owner, name := c.owner(types, d)
		switch {
		case owner != nil:
			d.Name = simple
			c.rename(d, name+"."+simple)
			owner.define(d)
			addTypes(types, d, name+"::"+simple)
		case c.isSpace(d):
			d.Name = scoped(scoped(d.space, d.scope), simple)
			c.rename(d, d.Name)
			out = append(out, d)
		case d.Kind == code.Constructor && strings.HasPrefix(d.params, "->"): // a guide without its class
			d.Kind = code.Function
			out = append(out, d)
		default:
			c.orphan(d, simple)
			out = append(out, d)
		}
	}
	return out
}

func scopedPrefix(space string) string {
	if space == "" {
		return ""
	}
	return space + "::"
}

// addTypes enters a type and the types in it under their names.
func addTypes(types map[string]*cDecl, d *cDecl, name string) {
	switch d.Kind {
	case code.Class, code.Struct, code.Union, code.Enum:
	default:
		return
	}
	if types[name] == nil {
		types[name] = d
	}
	for _, m := range d.members {
		addTypes(types, m, name+"::"+m.Name)
	}
}

// owner finds the class that the scope of d names, from the namespace around d
// outwards, and its name in the file.
func (c *cReader) owner(types map[string]*cDecl, d *cDecl) (*cDecl, string) {
	for space := d.space; ; {
		name := scoped(space, d.scope)
		if t := types[name]; t != nil {
			return t, c.Spans[t.span].Name
		}
		if t := types[withoutTemplateArguments(name)]; t != nil {
			return t, c.Spans[t.span].Name
		}
		if space == "" {
			return nil, ""
		}
		i := strings.LastIndex(space, "::")
		space = space[:max(i, 0)]
	}
}

// withoutTemplateArguments returns a qualified name without template arguments.
func withoutTemplateArguments(name string) string { return core.Outside(name, '<', '>') }

// isSpace reports whether the scope of d is a namespace that the file opens.
func (c *cReader) isSpace(d *cDecl) bool {
	for space := d.space; ; {
		if c.spaces[scoped(space, d.scope)] {
			return true
		}
		if space == "" {
			return false
		}
		i := strings.LastIndex(space, "::")
		space = space[:max(i, 0)]
	}
}

// orphan names a member whose class is declared in another file.
func (c *cReader) orphan(d *cDecl, simple string) {
	d.Name = scoped(d.space, d.scope) + "." + simple
	switch d.Kind {
	case code.Function, code.Constructor:
		d.Kind = code.Method
		d.Visibility, d.Exported = code.Public, true
	default:
		d.Visibility, d.Exported = code.Private, false
	}
	c.rename(d, d.Name)
}

// rename changes the name under which calls and errors in d are known.
func (c *cReader) rename(d *cDecl, name string) { c.Spans[d.span].Name = name }

// define adds a declaration from outside a class to its members: it completes
// the one that is declared there.
func (d *cDecl) define(m *cDecl) {
	if m.Kind == code.Function {
		m.Kind = code.Method
	}
	if m.Kind == code.Variable || m.Kind == code.Const {
		m.Kind = code.Property
	}
	if at := d.declared(m); at != nil {
		at.complete(m)
		return
	}
	if m.Kind == code.Constructor || m.Kind == code.Method {
		m.Visibility, m.Exported = code.Public, true
	}
	d.members = append(d.members, m)
}

// declared finds the member that m defines: the one of its parameters, else the
// only one of as many, else the first that has no body yet.
func (d *cDecl) declared(m *cDecl) *cDecl {
	var same, count, open []*cDecl
	for _, have := range d.members {
		if have.Name != m.Name {
			continue
		}
		if have.params == m.params {
			same = append(same, have)
		}
		if len(have.Params) == len(m.Params) && have.Part {
			count = append(count, have)
		}
		if have.Part {
			open = append(open, have)
		}
	}
	switch {
	case strings.HasPrefix(m.params, "->"):
		return nil
	case len(same) > 0:
		return same[0]
	case len(count) > 0:
		return count[0]
	case len(open) > 0:
		return open[0]
	}
	return nil
}

// complete adds a definition to the declaration d, which keeps its signature.
func (d *cDecl) complete(m *cDecl) {
	if m.BodyHash != "" {
		if d.BodyHash == "" {
			d.BodyHash = m.BodyHash
		} else {
			d.BodyHash = core.ShortHash([]byte(d.BodyHash + m.BodyHash))
		}
	}
	if d.Part && !m.Part {
		d.StartLine, d.EndLine = m.StartLine, m.EndLine
		d.Async = d.Async || m.Async
	}
	d.Part = d.Part && m.Part
	if d.Doc == "" {
		d.Doc = m.Doc
	}
	if d.Value == "" {
		d.Value = m.Value
	}
	for _, a := range m.Decorators {
		d.Decorators = appendNew(d.Decorators, a)
	}
	d.members = append(d.members, m.members...)
}

// entities joins the declarations of one name at one level.
func (c *cReader) entities(list []*cDecl) []*cDecl {
	first := map[string][]*cDecl{}
	var out []*cDecl
	for _, d := range list {
		if d.Name == "" {
			continue
		}
		same := first[d.Name]
		if d.tag || slices.ContainsFunc(same, func(e *cDecl) bool { return e.tag }) {
			if into, hide := tags(same, d); into != nil {
				into.complete(d)
				continue
			} else if hide {
				continue
			}
		} else if len(same) > 0 {
			same[0].absorb(d, c.cpp)
			continue
		}
		first[d.Name] = append(same, d)
		out = append(out, d)
	}
	for _, d := range out {
		d.members = c.entities(d.members)
	}
	return c.apart(out, first)
}

// tags decides on a name of a struct, union or enumeration of C, which may be an
// ordinary name as well: a definition again joins the first; a typedef of the same
// name says nothing new.
func tags(same []*cDecl, d *cDecl) (into *cDecl, hide bool) {
	for _, e := range same {
		switch {
		case e.tag && d.tag, !e.tag && !d.tag:
			return e, false
		case e.tag && d.Kind == code.Type && d.members == nil:
			return nil, true
		}
	}
	return nil, false
}

// apart names a tag of C in full where an ordinary name is the same.
func (c *cReader) apart(list []*cDecl, first map[string][]*cDecl) []*cDecl {
	var out []*cDecl
	for _, d := range list {
		same := first[d.Name]
		if len(same) > 1 && d.Kind == code.Type && slices.ContainsFunc(same, func(e *cDecl) bool { return e.tag }) {
			continue // typedef struct x x; before the struct
		}
		if d.tag && len(same) > 1 && slices.ContainsFunc(same, func(e *cDecl) bool { return !e.tag && e.Kind != code.Type }) {
			d.Name = string(d.Kind) + " " + d.Name
		}
		out = append(out, d)
	}
	return out
}

// absorb joins the declaration m of the same name to d.
func (d *cDecl) absorb(m *cDecl, overloads bool) {
	switch {
	case d.Kind == code.Macro && m.Kind != code.Macro:
		*d, *m = *m, *d
		d.add(m)
	case !isCFunction(d) || !isCFunction(m):
		d.add(m)
	case !overloads || d.params == m.params:
		d.again(m)
	default:
		for _, other := range d.more {
			if other.params == m.params {
				other.again(m)
				return
			}
		}
		d.more = append(d.more, m)
	}
}

// again joins a declaration of the same function: a prototype and its definition,
// or what the branches of a condition declare.
func (d *cDecl) again(m *cDecl) {
	if m.Visibility == code.Private || d.Visibility == code.Private { // static, once said
		d.Visibility, d.Exported = code.Private, false
		m.Visibility, m.Exported = code.Private, false
	}
	if d.Part != m.Part || d.params == m.params || d.SignatureHash == m.SignatureHash {
		d.complete(m)
		return
	}
	d.add(m)
}

// add joins another declaration of the same name as one more signature.
func (d *cDecl) add(m *cDecl) {
	same := d.SignatureHash == m.SignatureHash
	d.Part = d.Part && m.Part
	core.Merge(&d.Symbol, &m.Symbol, same)
	d.members = append(d.members, m.members...)
}

func isCFunction(d *cDecl) bool {
	return d.Kind == code.Function || d.Kind == code.Method || d.Kind == code.Constructor
}

// symbolsOf makes symbols of declarations, overloads joined.
func symbolsOf(list []*cDecl) []code.Symbol {
	var out []code.Symbol
	for _, d := range list {
		for _, m := range d.more {
			d.add(m)
		}
		d.Members = symbolsOf(d.members)
		out = append(out, d.Symbol)
	}
	return out
}
