package cfamily

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// join returns the symbols of a file's declarations, merging declarations of the same entity.
func (c *reader) join(list []*declaration) []code.Symbol {
	slices.SortStableFunc(list, func(a, b *declaration) int { return c.at(a) - c.at(b) })
	list = c.moveIntoClasses(list)
	list = c.entities(list)
	return symbolsOf(list)
}

// at returns the offset of a declaration.
func (c *reader) at(d *declaration) int { return c.Spans[d.span].Start }

// moveIntoClasses moves out-of-class definitions into their classes.
func (c *reader) moveIntoClasses(list []*declaration) []*declaration {
	types := map[string]*declaration{}
	for _, d := range list {
		if d.scope == "" {
			addTypes(types, d, d.Name)
		}
	}
	var out []*declaration
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

// addTypes adds a type and its nested types to types, by qualified name.
func addTypes(types map[string]*declaration, d *declaration, name string) {
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

// owner returns the class that the scope of d names, searching outwards from the namespace of
// d, and its name in the file.
func (c *reader) owner(types map[string]*declaration, d *declaration) (*declaration, string) {
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
func withoutTemplateArguments(name string) string { return srctext.Outside(name, '<', '>') }

// isSpace reports whether the scope of d is a namespace opened in the file.
func (c *reader) isSpace(d *declaration) bool {
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

// orphan sets the name of a member whose class is declared in another file.
func (c *reader) orphan(d *declaration, simple string) {
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

// rename changes the name to which calls and errors in d are attributed.
func (c *reader) rename(d *declaration, name string) { c.Spans[d.span].Name = name }

// define adds an out-of-class definition to the members: it completes the declaration of the
// member, if there is one.
func (d *declaration) define(m *declaration) {
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

// declared returns the member that m defines: the one with its parameters, else the only one
// with the same number of them, else the first without a body.
func (d *declaration) declared(m *declaration) *declaration {
	var same, count, open []*declaration
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
func (d *declaration) complete(m *declaration) {
	if m.BodyHash != "" {
		if d.BodyHash == "" {
			d.BodyHash = m.BodyHash
		} else {
			d.BodyHash = srctext.ShortHash([]byte(d.BodyHash + m.BodyHash))
		}
	}
	if d.Part && !m.Part {
		d.StartLine, d.EndLine, d.NameLine = m.StartLine, m.EndLine, m.NameLine
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

// entities merges the declarations of one name at one level.
func (c *reader) entities(list []*declaration) []*declaration {
	first := map[string][]*declaration{}
	var out []*declaration
	for _, d := range list {
		if d.Name == "" {
			continue
		}
		same := first[d.Name]
		if d.tag || slices.ContainsFunc(same, func(e *declaration) bool { return e.tag }) {
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
	return c.separateTags(out, first)
}

// tags handles the tag of a C struct, union or enumeration, which may have the name of another
// entity. A repeated definition is merged with the first; a typedef of the same name is
// hidden.
func tags(same []*declaration, d *declaration) (into *declaration, hide bool) {
	for _, e := range same {
		switch {
		case e.tag && d.tag, !e.tag && !d.tag:
			return e, false
		case e.tag && d.Kind == code.TypeDef && d.members == nil:
			return nil, true
		}
	}
	return nil, false
}

// separateTags adds the keyword to the name of a C tag if there is another entity of that name.
func (c *reader) separateTags(list []*declaration, first map[string][]*declaration) []*declaration {
	var out []*declaration
	for _, d := range list {
		same := first[d.Name]
		if len(same) > 1 && d.Kind == code.TypeDef && slices.ContainsFunc(same, func(e *declaration) bool { return e.tag }) {
			continue // typedef struct x x; before the struct
		}
		if d.tag && len(same) > 1 && slices.ContainsFunc(same, func(e *declaration) bool { return !e.tag && e.Kind != code.TypeDef }) {
			d.Name = string(d.Kind) + " " + d.Name
		}
		out = append(out, d)
	}
	return out
}

// absorb merges the declaration m of the same name into d.
func (d *declaration) absorb(m *declaration, overloads bool) {
	switch {
	case d.Kind == code.Macro && m.Kind != code.Macro:
		*d, *m = *m, *d
		d.add(m)
	case !isFunction(d) || !isFunction(m):
		d.add(m)
	case !overloads || d.params == m.params:
		d.redeclare(m)
	default:
		for _, other := range d.more {
			if other.params == m.params {
				other.redeclare(m)
				return
			}
		}
		d.more = append(d.more, m)
	}
}

// redeclare merges another declaration of the same function: a prototype and its definition, or
// the alternatives of a conditional group.
func (d *declaration) redeclare(m *declaration) {
	if m.Visibility == code.Private || d.Visibility == code.Private { // static applies to all declarations
		d.Visibility, d.Exported = code.Private, false
		m.Visibility, m.Exported = code.Private, false
	}
	if d.Part != m.Part || d.params == m.params || d.SignatureHash == m.SignatureHash {
		d.complete(m)
		return
	}
	d.add(m)
}

// add merges another declaration of the same name as an overload.
func (d *declaration) add(m *declaration) {
	same := d.SignatureHash == m.SignatureHash
	d.Part = d.Part && m.Part
	core.Merge(&d.Symbol, &m.Symbol, same)
	d.members = append(d.members, m.members...)
}

func isFunction(d *declaration) bool {
	return d.Kind == code.Function || d.Kind == code.Method || d.Kind == code.Constructor
}

// symbolsOf returns the symbols of declarations with overloads merged.
func symbolsOf(list []*declaration) []code.Symbol {
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
