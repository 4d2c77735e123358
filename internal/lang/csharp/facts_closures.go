package csharp

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// lambda returns an anonymous function.
func lambda(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	for _, m := range syntax.ChildrenOf(n, "modifier") {
		if m.TextIs("async") {
			b.Scopes[scope].Async = true
		}
	}
	list := n.Field("parameters")
	if list.Is("implicit_parameter", "identifier") {
		b.Define(code.Def{Name: list.Text(), Kind: code.DefParam, Line: int32(list.Line())})
	} else {
		bindParams(b, list)
	}
	body := n.Field("body")
	if !body.Ok() {
		body = n.Child("block")
	}
	functionBody(b, body)
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// query returns the value of from x in xs ... select y: a list of the selected values.
func query(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	var out, last code.Ref
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "from_clause":
			source := b.Value(syntax.LastNamedChild(c))
			name := c.Field("name")
			d := code.Def{Name: name.Text(), Kind: code.DefVar, Type: b.Type(c.Field("type")), Line: int32(name.Line())}
			if d.Type == 0 {
				d.Value = b.Apply(code.OpElem, source)
			}
			b.Define(d)
		case "join_clause":
			join(b, c)
		case "let_clause":
			name := c.First()
			value := b.Value(syntax.LastNamedChild(c))
			b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: value, Line: int32(name.Line())})
		case "select_clause":
			last = b.Value(c.First())
			out = last
		case "group_clause":
			b.WalkChildren(c)
			out = 0
		case "identifier": // into x
			b.Define(code.Def{Name: c.Text(), Kind: code.DefVar, Value: out, Pos: int32(c.End()), Line: int32(c.Line())})
		default:
			b.WalkChildren(c)
		}
	}
	b.CloseScope()
	if out == 0 {
		return 0
	}
	return b.Group(code.OpList, 0, []code.Ref{out})
}

// join reads join x in xs on a equals b.
func join(b *core.FactBuilder, n syntax.Node) {
	parts := syntax.NamedChildren(n)
	at := 0
	for at < len(parts) && !parts[at].Is("identifier") { // a type
		at++
	}
	if at+1 >= len(parts) {
		b.WalkChildren(n)
		return
	}
	source := b.Value(parts[at+1])
	b.Define(code.Def{Name: parts[at].Text(), Kind: code.DefVar, Value: b.Apply(code.OpElem, source), Line: int32(parts[at].Line())})
	for _, p := range parts[at+2:] {
		b.Walk(p)
	}
}

// switchExpression returns the value of x switch { pattern => value, ... }.
func switchExpression(b *core.FactBuilder, n syntax.Node) code.Ref {
	source := b.Value(n.First())
	var out []code.Ref
	for _, arm := range syntax.ChildrenOf(n, "switch_expression_arm") {
		b.OpenScope(code.BlockScope, "", arm.Start(), arm.End())
		parts := syntax.NamedChildren(arm)
		for i, p := range parts {
			switch i {
			case 0:
				pattern(b, p, source)
			case len(parts) - 1:
				out = append(out, b.Value(p))
			default:
				b.Walk(p)
			}
		}
		b.CloseScope()
	}
	return b.Either(out...)
}

// typeRef returns the type that a node denotes.
func typeRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier", "predefined_type":
		if n.TextIs("var") {
			return 0
		}
		return b.TypeName(n.Text(), n.Start(), 0)
	case "generic_name":
		return genericName(b, n, true)
	case "qualified_name":
		return memberOf(b, b.Type(n.Field("qualifier")), n.Field("name"))
	case "alias_qualified_name":
		alias, name := n.Field("alias"), n.Field("name")
		if alias.TextIs("global") {
			at := b.Scope
			b.Scope = 0
			defer func() { b.Scope = at }()
			return b.Type(name)
		}
		return memberOf(b, b.Type(alias), name)
	case "nullable_type", "pointer_type", "ref_type", "scoped_type":
		return b.Type(n.Field("type"))
	case "array_type":
		return b.Group(code.OpList, b.Type(n.Field("type")), nil)
	case "tuple_type":
		var parts []code.Ref
		for e := range n.NamedSeq() {
			parts = append(parts, b.Type(e.Field("type")))
		}
		return b.Group(code.OpTuple, 0, parts)
	}
	return 0
}

// genericName returns a name with type arguments: of a type, or possibly of a method.
func genericName(b *core.FactBuilder, n syntax.Node, isType bool) code.Ref {
	first := n.First()
	ref := b.Name(first.Text(), first.Start())
	args := typeArgs(b, n)
	if ref != 0 {
		b.Exprs[ref].N = -int32(len(args))
		if isType {
			b.Exprs[ref].N = int32(1 + len(args))
		}
	}
	return b.Group(code.OpApply, ref, args)
}

// typeArgs returns the type arguments of a generic name.
func typeArgs(b *core.FactBuilder, n syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range n.Child("type_argument_list").NamedSeq() {
		out = append(out, b.Type(a))
	}
	return out
}
