package python

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// assignmentFacts reads a = b = value and a: T = value.
func assignmentFacts(b *core.FactBuilder, n syntax.Node) {
	value := n.Field("right")
	targets := []syntax.Node{n.Field("left")}
	for value.Is("assignment") {
		targets = append(targets, value.Field("left"))
		value = value.Field("right")
	}
	if special(b, n, targets[0], value) {
		return
	}
	typ := b.Type(n.Field("type"))
	if name := typeName(n.Field("type")); name == "TypeAlias" {
		typ = 0
	}
	if typ == 0 && value.Ok() {
		typ = typeComment(b, n)
	}
	for _, t := range targets {
		if t.Is("identifier", "attribute", "subscript") {
			assign(b, t, b.Value(value), typ, n.End())
			continue
		}
		unpack(b, t, value, b.Value(value), n.End())
	}
}

// typeComment returns the type in the comment after an assignment (# type: T), or 0.
func typeComment(b *core.FactBuilder, n syntax.Node) code.Ref {
	c := n.Parent().Next()
	if !c.Is("comment") || c.Line() != n.EndLine() {
		return 0
	}
	text := c.Text()
	rest, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(text, "#")), "type:")
	if !ok || strings.HasPrefix(strings.TrimSpace(rest), "ignore") {
		return 0
	}
	return typeIn(b, rest, c.End()-len(rest))
}

// special reads assignments that declare types: T = TypeVar("T"), X = NewType(…), A =
// Union[B, C], and x = property(get). It reports false for other assignments.
func special(b *core.FactBuilder, n, target, value syntax.Node) bool {
	if !target.Is("identifier") {
		return false
	}
	name := target.Text()
	d := code.Def{Name: name, Kind: code.DefAlias, Line: int32(target.Line())}
	switch {
	case value.Is("call") && makesType(value):
		args := syntax.NamedChildren(value.Field("arguments"))
		b.Value(value)
		if value.Field("function").Ends("NewType") && len(args) == 2 {
			d.Type = b.Type(args[1])
			bindName(b, d)
			return true
		}
		flowOf(b).typeVars[name] = typeVarBound(b, args)
		return true
	case value.Is("call") && value.Field("function").TextIs("property") && b.Scopes[b.Scope].Kind == code.TypeScope:
		b.Value(value)
		return propertyOf(b, d, value.Field("arguments").First())
	case typeName(n.Field("type")) == "TypeAlias", aliasesType(value):
		if d.Type = b.Type(value); d.Type != 0 {
			bindName(b, d)
			return true
		}
	}
	return false
}

// typeVarBound returns the bound of a type variable, or the union of its constraints.
func typeVarBound(b *core.FactBuilder, args []syntax.Node) code.Ref {
	var all []code.Ref
	for i, a := range args {
		switch {
		case a.Is("keyword_argument"):
			if a.Field("name").TextIs("bound") {
				return b.Type(a.Field("value"))
			}
		case i > 0:
			all = append(all, b.Type(a))
		}
	}
	return b.Either(all...)
}

// propertyOf binds a property to its getter.
func propertyOf(b *core.FactBuilder, d code.Def, getter syntax.Node) bool {
	defs := b.Scopes[b.Scope].Defs
	for i := range defs {
		if defs[i].Name == getter.Text() && defs[i].Kind == code.DefFunc {
			d.Kind, d.Value = code.DefField, b.Apply(code.OpElem, scopedResult(b, defs[i].Scope))
			b.Define(d)
			return true
		}
	}
	return false
}

// scopedResult returns a list of the results of a function in this file.
func scopedResult(b *core.FactBuilder, scope int32) code.Ref {
	s := &b.Scopes[scope]
	if s.Result != 0 {
		return b.Group(code.OpList, 0, []code.Ref{b.Apply(code.OpAs, s.Result)})
	}
	return b.Group(code.OpList, 0, s.Returns)
}

// aliasesType reports whether value is a type expression: a generic type of typing or a
// union.
func aliasesType(value syntax.Node) bool {
	switch {
	case value.Is("subscript"):
		_, ok := genericTypes[lastName(value.Field("value"))]
		return ok
	case value.Is("binary_operator"):
		left, right := value.Field("left"), value.Field("right")
		typeLike := func(n syntax.Node) bool {
			name := lastName(n)
			return n.Is("none") || aliasesType(n) || name != "" && name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name || plainTypes[name] != ""
		}
		return value.Field("operator").TextIs("|") && typeLike(left) && typeLike(right)
	}
	return false
}

// assign binds one target: a name or an attribute of self. Other targets bind nothing.
func assign(b *core.FactBuilder, t syntax.Node, value, typ code.Ref, pos int) {
	switch t.Kind() {
	case "identifier":
		assignName(b, t, value, typ, pos)
	case "attribute":
		assignAttribute(b, t, value, typ)
	case "list_splat_pattern", "list_splat":
		assign(b, t.First(), b.Group(code.OpList, 0, []code.Ref{b.Apply(code.OpElem, value)}), typ, pos)
	default:
		b.Walk(t)
	}
}

func assignName(b *core.FactBuilder, t syntax.Node, value, typ code.Ref, pos int) {
	d := code.Def{Name: t.Text(), Kind: code.DefVar, Type: typ, Value: value, Pos: int32(pos), Line: int32(t.Line())}
	f := flowOf(b)
	switch s := &b.Scopes[variables(b)]; {
	case s.Kind == code.FuncScope && typ == 0:
		d.Type = f.typed[d.Name]
	case s.Kind == code.FuncScope:
		f.typed[d.Name] = typ
	case s.Kind == code.TypeScope && typ == 0 && f.enums[s.Symbol] && !strings.HasPrefix(d.Name, "_"):
		d.Kind, d.Pos = code.DefMember, 0
	default:
		d.Pos = 0
	}
	bindName(b, d)
}

// assignAttribute records the value of an attribute from here on. An attribute of self
// is also a field of the class.
func assignAttribute(b *core.FactBuilder, t syntax.Node, value, typ code.Ref) {
	f := flowOf(b)
	object := t.Field("object")
	b.Walk(object)
	key := t.Text()
	f.forget(key)
	if object.Is("identifier") && f.self != "" && object.Text() == f.self && f.class >= 0 {
		field(b, t.Field("attribute"), value, typ)
	}
	if value != 0 && typ == 0 && len(f.narrowed) < maxNarrowed && chained(t) {
		f.narrowed[key] = value
	}
}

// field binds an attribute that a method sets on self. Assignments of unknown values
// are bound once only.
func field(b *core.FactBuilder, name syntax.Node, value, typ code.Ref) {
	f := flowOf(b)
	class, key := f.class, fieldOf{f.class, name.Text()}
	if value == 0 && typ == 0 && f.fields[key] {
		return
	}
	f.fields[key] = true
	b.DefineIn(class, code.Def{Name: name.Text(), Kind: code.DefField, Type: typ, Value: value, Line: int32(name.Line())})
}

// chained reports whether n is a name or a chain of attributes of one, whose text
// identifies it.
func chained(n syntax.Node) bool {
	for n.Is("attribute") {
		n = n.Field("object")
	}
	return n.Is("identifier")
}

// unpack binds the names of a pattern to the parts of a value. source is the node of
// the value if its parts are literal in the text.
func unpack(b *core.FactBuilder, t, source syntax.Node, value code.Ref, pos int) {
	switch t.Kind() {
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
	case "parenthesized_expression":
		unpack(b, t.First(), source, value, pos)
		return
	default:
		assign(b, t, value, 0, pos)
		return
	}
	names := syntax.NamedChildren(t)
	if len(names) == 1 && !t.Has(",") && !t.Is("list_pattern", "list") {
		unpack(b, names[0], source, value, pos)
		return
	}
	values := unpacked(names, source)
	for i, name := range names {
		if values != nil {
			unpack(b, name, values[i], b.Value(values[i]), pos)
			continue
		}
		part := b.Part(value, i)
		if name.Is("list_splat_pattern", "list_splat") {
			part = value
		}
		unpack(b, name, syntax.Node{}, part, pos)
	}
}
