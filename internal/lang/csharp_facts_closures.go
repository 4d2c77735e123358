package lang

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// csharpLambda is a function without a name.
func csharpLambda(b *facts, n syntax.Node) code.Ref {
	scope := b.open(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	for _, m := range children(n, "modifier") {
		if m.Says("async") {
			b.Scopes[scope].Async = true
		}
	}
	list := n.Field("parameters")
	if list.Is("implicit_parameter", "identifier") {
		b.def(code.Def{Name: list.Text(), Kind: code.DefParam, Line: int32(list.Line())})
	} else {
		csharpParams(b, list)
	}
	body := n.Field("body")
	if !body.Ok() {
		body = n.Child("block")
	}
	csharpBody(b, body)
	b.shut()
	return b.scoped(code.OpFunc, scope)
}

// csharpQuery is from x in xs ... select y: a list of what is selected.
func csharpQuery(b *facts, n syntax.Node) code.Ref {
	b.open(code.BlockScope, "", n.Start(), n.End())
	var out, last code.Ref
	for c := range n.Inner() {
		switch c.Kind() {
		case "from_clause":
			source := b.value(lastInner(c))
			name := c.Field("name")
			d := code.Def{Name: name.Text(), Kind: code.DefVar, Type: b.typ(c.Field("type")), Line: int32(name.Line())}
			if d.Type == 0 {
				d.Value = b.of(code.OpElem, source)
			}
			b.def(d)
		case "join_clause":
			csharpJoin(b, c)
		case "let_clause":
			name := c.First()
			value := b.value(lastInner(c))
			b.def(code.Def{Name: name.Text(), Kind: code.DefVar, Value: value, Line: int32(name.Line())})
		case "select_clause":
			last = b.value(c.First())
			out = last
		case "group_clause":
			b.below(c)
			out = 0
		case "identifier": // into x
			b.def(code.Def{Name: c.Text(), Kind: code.DefVar, Value: out, Pos: int32(c.End()), Line: int32(c.Line())})
		default:
			b.below(c)
		}
	}
	b.shut()
	if out == 0 {
		return 0
	}
	return b.group(code.OpList, 0, []code.Ref{out})
}

// csharpJoin reads join x in xs on a equals b.
func csharpJoin(b *facts, n syntax.Node) {
	parts := inner(n)
	at := 0
	for at < len(parts) && !parts[at].Is("identifier") { // a type
		at++
	}
	if at+1 >= len(parts) {
		b.below(n)
		return
	}
	source := b.value(parts[at+1])
	b.def(code.Def{Name: parts[at].Text(), Kind: code.DefVar, Value: b.of(code.OpElem, source), Line: int32(parts[at].Line())})
	for _, p := range parts[at+2:] {
		b.walk(p)
	}
}

// csharpSwitch is x switch { pattern => value, ... }.
func csharpSwitch(b *facts, n syntax.Node) code.Ref {
	source := b.value(n.First())
	var out []code.Ref
	for _, arm := range children(n, "switch_expression_arm") {
		b.open(code.BlockScope, "", arm.Start(), arm.End())
		parts := inner(arm)
		for i, p := range parts {
			switch i {
			case 0:
				csharpPattern(b, p, source)
			case len(parts) - 1:
				out = append(out, b.value(p))
			default:
				b.walk(p)
			}
		}
		b.shut()
	}
	return b.either(out...)
}

// csharpTypeRef returns the type that a node names.
func csharpTypeRef(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier", "predefined_type":
		if n.Says("var") {
			return 0
		}
		return b.typeName(n.Text(), n.Start(), 0)
	case "generic_name":
		return csharpGenericName(b, n, true)
	case "qualified_name":
		return csharpMember(b, b.typ(n.Field("qualifier")), n.Field("name"))
	case "alias_qualified_name":
		alias, name := n.Field("alias"), n.Field("name")
		if alias.Says("global") {
			at := b.scope
			b.scope = 0
			defer func() { b.scope = at }()
			return b.typ(name)
		}
		return csharpMember(b, b.typ(alias), name)
	case "nullable_type", "pointer_type", "ref_type", "scoped_type":
		return b.typ(n.Field("type"))
	case "array_type":
		return b.group(code.OpList, b.typ(n.Field("type")), nil)
	case "tuple_type":
		var parts []code.Ref
		for e := range n.Inner() {
			parts = append(parts, b.typ(e.Field("type")))
		}
		return b.group(code.OpTuple, 0, parts)
	}
	return 0
}

// typeName is an identifier used where only a type can stand, one with so many type
// arguments.
func (b *facts) typeName(name string, pos, args int) code.Ref {
	ref := b.name(name, pos)
	if ref != 0 {
		b.Exprs[ref].N = int32(1 + args)
	}
	return ref
}

// csharpGenericName is a name with type arguments: of a type, or perhaps of a method.
func csharpGenericName(b *facts, n syntax.Node, isType bool) code.Ref {
	first := n.First()
	ref := b.name(first.Text(), first.Start())
	args := csharpTypeArgs(b, n)
	if ref != 0 {
		b.Exprs[ref].N = -int32(len(args))
		if isType {
			b.Exprs[ref].N = int32(1 + len(args))
		}
	}
	return b.group(code.OpApply, ref, args)
}

// csharpTypeArgs are the type arguments of a generic name.
func csharpTypeArgs(b *facts, n syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range n.Child("type_argument_list").Inner() {
		out = append(out, b.typ(a))
	}
	return out
}
