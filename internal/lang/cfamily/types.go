package cfamily

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// typeKinds maps type specifiers to the kinds of symbols.
var typeKinds = map[string]code.Kind{
	"struct_specifier": code.Struct,
	"class_specifier":  code.Class,
	"union_specifier":  code.Union,
	"enum_specifier":   code.Enum,
}

// typeSpecifier reads a type with a body. One without a body is declared elsewhere. The
// members of an unnamed one belong to the enclosing declaration.
func (c *reader) typeSpecifier(t, outer syntax.Node, s *declScope) []*declaration {
	body := t.Field("body")
	name := t.Field("name")
	switch {
	case !body.Ok():
		return nil
	case !name.Ok() && t.Is("enum_specifier"):
		return c.enumerators(body, s.owner, code.Const, s)
	case !name.Ok():
		return c.declarations(body, s)
	}
	return []*declaration{c.namedType(t, outer, name, s)}
}

// namedType reads a class, union or enumeration with the given name.
func (c *reader) namedType(t, outer, name syntax.Node, s *declScope) *declaration {
	d := declaratorOf(name)
	text := srctext.OneLine(d.name.Text())
	kind := typeKinds[t.Kind()]
	out := c.begin(t, outer, text, kind, s)
	out.scope = c.qualifier(&d, outer)
	out.tag = !c.cpp && !outer.Is("type_definition")
	out.Bases = c.bases(t)
	c.place(out, outer, s)
	c.typeHead(out, t, outer)
	out.members = c.members(t, out.Name, kind, s)
	for _, m := range out.members {
		out.Abstract = out.Abstract || m.Abstract && m.Kind == code.Method // [class.abstract]
	}
	return out
}

// typeHead fills the signature of a type: the text before its body, and after it if that names
// the type.
func (c *reader) typeHead(d *declaration, t, outer syntax.Node) {
	body := t.Field("body")
	skip := append(attributeNodes(outer, t), body)
	for m := range t.Children() { // attributes after the name and after the body
		if attributeKinds[m.Kind()] {
			skip = append(skip, m)
			d.Decorators = appendNew(d.Decorators, srctext.OneLine(m.Text()))
		}
	}
	if outer.Is("type_definition") {
		d.Signature = c.pieces(start(outer), c.firstDeclaratorEnd(outer), body, ";")
		for m := range outer.Children() {
			if m.FieldName() == "declarator" && m != outer.Field("declarator") {
				skip = append(skip, m)
			}
		}
		d.SignatureHash = c.Hash(outer, skip...)
		return
	}
	d.Signature = c.Head(start(outer), body.Start(), "{")
	for p := t.Parent(); p.Ok() && p.Index() >= outer.Index(); p = p.Parent() {
		for m := range p.Children() {
			if m.FieldName() == "declarator" {
				skip = append(skip, m)
			}
		}
	}
	d.SignatureHash = c.Hash(outer, skip...)
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

func (c *reader) firstDeclaratorEnd(n syntax.Node) int {
	if d := n.Field("declarator"); d.Ok() {
		return d.End()
	}
	return n.End()
}

// bases returns the base classes of a class, or the underlying type of an enumeration.
func (c *reader) bases(t syntax.Node) []string {
	if t.Is("enum_specifier") { // the grammars parse at most one word
		if _, base, ok := strings.Cut(c.between(t.Field("name"), t.Field("body")), ":"); ok {
			return []string{srctext.OneLine(base)}
		}
		return nil
	}
	var out []string
	for b := range t.Child("base_class_clause").Children() {
		switch {
		case b.Is("..."):
			if len(out) > 0 {
				out[len(out)-1] += "..."
			}
		case b.Named() && !b.Is("access_specifier", "virtual") && !syntax.IsComment(b.Kind()) && !attributeKinds[b.Kind()]:
			out = append(out, srctext.OneLine(b.Text()))
		}
	}
	return out
}

// members reads the body of the type called name.
func (c *reader) members(t syntax.Node, name string, kind code.Kind, s *declScope) []*declaration {
	owner := srctext.Join(s.owner, name)
	if core.TooDeep(owner) {
		return nil
	}
	body := t.Field("body")
	in := &declScope{space: s.space, owner: owner, of: kind, class: plainName(name), depth: s.depth, access: code.Public}
	if t.Is("class_specifier") {
		in.access = code.Private
	}
	if t.Is("enum_specifier") {
		return c.enumerators(body, owner, code.EnumMember, in)
	}
	return c.declarations(body, in)
}

// enumerators reads the values of an enumeration. Those of an unnamed one are constants of the
// enclosing declaration.
func (c *reader) enumerators(body syntax.Node, owner string, kind code.Kind, s *declScope) []*declaration {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxDepth {
		return nil
	}
	var out []*declaration
	for n := range body.NamedSeq() {
		if !n.Is("enumerator") {
			if strings.HasPrefix(n.Kind(), "preproc_") || n.Is("ERROR") {
				out = append(out, c.enumerators(n, owner, kind, s)...)
			}
			continue
		}
		name, value := n.Field("name"), n.Field("value")
		e := &declaration{space: s.space}
		if kind == code.EnumMember {
			e.Name, e.Kind, e.Visibility, e.Exported = name.Text(), kind, code.Public, true
			e.Doc, e.Decorators = c.doc(n), attributesOf(n, n)
		} else {
			e = c.begin(n, n, name.Text(), kind, s)
			if s.owner == "" && !c.header && !c.module {
				e.Visibility, e.Exported = code.Private, false
			}
		}
		e.Readonly = kind == code.Const
		e.Value, e.BodyHash = valueText(value), c.BodyHash(value)
		c.place(e, n, s)
		end := n.End()
		if value.Ok() && e.Value == "" {
			end = value.Start()
		}
		e.Signature = c.Head(start(n), end, "=")
		e.SignatureHash = c.Hash(n, append(attributeNodes(n, n), value)...)
		out = append(out, e)
	}
	return out
}

// typedef reads the names that a typedef declares. An unnamed struct, union or enumeration
// gets the first of them that is not a pointer.
func (c *reader) typedef(n, outer syntax.Node, s *declScope) []*declaration {
	t := n.Field("type")
	var out []*declaration
	named := syntax.Node{}
	body := t.Field("body")
	var tops []syntax.Node
	for top := range n.Children() {
		if top.FieldName() == "declarator" {
			tops = append(tops, top)
		}
	}
	switch {
	case body.Ok() && t.Field("name").Ok():
		out = append(out, c.namedType(t, n, t.Field("name"), s))
		out[0].tag = !c.cpp
	case body.Ok():
		for _, top := range tops {
			if top.Is("type_identifier", "identifier", "primitive_type") {
				named = top
				out = append(out, c.namedType(t, n, top, s))
				break
			}
		}
	}
	for _, top := range tops {
		if top != named {
			out = append(out, c.typedefName(n, outer, top, t, len(out) == 0, s)...)
		}
	}
	return out
}

// typedefName reads one name of a typedef.
func (c *reader) typedefName(n, outer, top, t syntax.Node, holds bool, s *declScope) []*declaration {
	d := declaratorOf(top)
	if !d.name.Ok() {
		return nil
	}
	out := c.begin(n, outer, d.text(), code.TypeDef, s)
	out.Value = c.objectType(n, d)
	placed := outer
	if top.Next().Is(",") || top.Previous().Is(",") {
		placed = top
	}
	c.place(out, placed, s)
	c.head(out, n, outer, d.top, syntax.Node{})
	if holds && t.Field("body").Ok() {
		out.members = c.members(t, out.Name, typeKinds[t.Kind()], s)
	}
	return []*declaration{out}
}

// alias reads using X = T.
func (c *reader) alias(n, outer syntax.Node, s *declScope) []*declaration {
	t := n.Field("type")
	d := c.begin(n, outer, n.Field("name").Text(), code.TypeDef, s)
	d.Value = srctext.OneLine(t.Text())
	c.place(d, outer, s)
	c.head(d, n, outer, syntax.Node{}, syntax.Node{})
	if spec := t.Field("type"); spec.Field("body").Ok() { // using X = struct { … }
		d.Value, _ = c.specified(t, t.End())
		d.Signature = c.pieces(start(outer), outer.End(), spec.Field("body"), ";")
		d.members = c.members(spec, d.Name, typeKinds[spec.Kind()], s)
	}
	return []*declaration{d}
}

// concept reads a concept; its constraint is its body.
func (c *reader) concept(n, outer syntax.Node, s *declScope) []*declaration {
	name := n.Field("name")
	var asks syntax.Node
	for m := range n.NamedSeq() {
		if m != name {
			asks = m
		}
	}
	d := c.begin(n, outer, name.Text(), code.Interface, s)
	c.place(d, outer, s)
	d.Value = valueText(asks)
	end := outer.End()
	if asks.Ok() {
		end = asks.Start()
	}
	d.Signature = c.Head(start(outer), end, "; =")
	d.SignatureHash = c.Hash(outer, asks)
	d.BodyHash = c.BodyHash(asks)
	return []*declaration{d}
}
