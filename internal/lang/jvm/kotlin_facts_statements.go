package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinStatementFacts reads statements that bind names or open a scope. It reports false
// for other nodes.
func kotlinStatementFacts(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "for_statement":
		kotlinFor(b, n)
	case "control_structure_body", "finally_block":
		kotlinBlock(b, n)
	case "catch_block":
		kotlinCatch(b, n)
	case "while_statement":
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		b.WalkChildren(n)
		b.CloseScope()
	case "jump_expression":
		kotlinJump(b, n)
	case "assignment":
		left := b.Value(n.Child("directly_assignable_expression"))
		parts := syntax.NamedChildren(n)
		right := b.Value(parts[len(parts)-1])
		jvmExpect(b, right, b.Apply(code.OpTypeOf, left))
	default:
		return false
	}
	return true
}

// kotlinBlock reads n in a scope of its own and returns the value of its last statement.
func kotlinBlock(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	return kotlinLast(b, n)
}

// kotlinLast reads the statements in n and returns the value of the last one.
func kotlinLast(b *core.FactBuilder, n syntax.Node) code.Ref {
	if s := n.Child("statements"); s.Ok() {
		n = s
	}
	var ref code.Ref
	parts := syntax.NamedChildren(n)
	for i, c := range parts {
		if i == len(parts)-1 {
			ref = kotlinStatement(b, c)
		} else {
			b.Walk(c)
		}
	}
	return ref
}

// kotlinStatement reads a statement that may be the value of its block.
func kotlinStatement(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "property_declaration", "function_declaration", "class_declaration", "object_declaration", "assignment", "for_statement", "while_statement",
		"do_while_statement", "jump_expression", "label", "annotation", "getter", "setter":
		b.Walk(n)
		return 0
	}
	return b.Value(n)
}

// kotlinFor reads a loop over the elements of a value.
func kotlinFor(b *core.FactBuilder, n syntax.Node) {
	var names []syntax.Node
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "variable_declaration", "multi_variable_declaration":
			names = append(names, c)
		case "control_structure_body":
			b.Walk(c)
		case "annotation":
		default:
			each := b.Apply(code.OpElem, b.Value(c))
			for _, name := range names {
				kotlinBind(b, name, each, 0)
			}
		}
	}
}

// kotlinBind binds a variable, or the variables of a destructuring declaration, from
// offset pos on.
func kotlinBind(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	if n.Is("multi_variable_declaration") {
		for i, v := range syntax.ChildrenOf(n, "variable_declaration") {
			kotlinBind(b, v, b.Part(value, i), pos)
		}
		return
	}
	name := n.Child("simple_identifier")
	if !name.Ok() || name.TextIs("_") {
		return
	}
	b.Define(code.Def{Name: kotlinWord(name), Type: kotlinTypeIn(b, n), Value: value, Line: int32(name.Line()), Pos: int32(pos)})
}

func kotlinCatch(b *core.FactBuilder, n syntax.Node) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	if name := n.Child("simple_identifier"); name.Ok() {
		b.Define(code.Def{Name: kotlinWord(name), Type: kotlinTypeIn(b, n), Line: int32(name.Line())})
	}
	b.Walk(n.Child("statements"))
}

// kotlinJump reads return, throw, break and continue. A return without a label leaves the
// enclosing named function or anonymous function written with fun.
func kotlinJump(b *core.FactBuilder, n syntax.Node) {
	var ref code.Ref
	for c := range n.NamedSeq() {
		if !c.Is("label") {
			ref = b.Value(c)
		}
	}
	if !n.Has("return") && !n.Has("return@") {
		return
	}
	scope := b.Function()
	for !n.Has("return@") && b.Scopes[scope].Kind == code.FuncScope && b.Scopes[scope].Name == "" && b.Scopes[scope].Result == 0 {
		if scope = b.Scopes[scope].Parent; scope < 0 {
			return
		}
		for b.Scopes[scope].Kind == code.BlockScope {
			scope = b.Scopes[scope].Parent
		}
	}
	jvmExpect(b, ref, b.Scopes[scope].Result)
	kotlinInside(b, scope, func() { b.Returns(ref) })
}

// kotlinPropertyFacts binds properties and local variables.
func kotlinPropertyFacts(b *core.FactBuilder, n syntax.Node) {
	b.Walk(n.Child("modifiers"))
	kind := b.Scopes[b.Scope].Kind
	inside := b.Scope
	if kind == code.TypeScope {
		inside = kotlinConstructorScope(b)
	}
	v := n.Child("variable_declaration", "multi_variable_declaration")
	typ := kotlinTypeIn(b, v)
	var value code.Ref
	kotlinInside(b, inside, func() {
		value = kotlinInitial(b, n, typ)
		if d := n.Child("property_delegate"); d.Ok() {
			value = kotlinDelegate(b, d)
		}
	})
	if receiver, _ := kotlinSides(n); receiver.Ok() {
		kotlinExtensionProperty(b, n, v, receiver, typ)
		return
	}
	if kind != code.TypeScope {
		pos := n.End()
		if b.Scope == 0 {
			pos = 0
		}
		kotlinBind(b, v, value, pos)
	} else {
		name := v.Child("simple_identifier")
		b.Define(code.Def{Name: kotlinWord(name), Kind: code.DefField, Type: typ, Value: value, Line: int32(name.Line())})
	}
	list := b.Scopes[b.Scope].Defs
	if len(list) > 0 {
		d := &list[len(list)-1]
		d.Hidden = hasWord(n, "private")
		d.Exported = !d.Hidden
	}
	for c := range n.NamedSeq() {
		if c.Is("getter", "setter") {
			kotlinAccessorFacts(b, c)
		}
	}
}

// kotlinExtensionProperty binds a property of a type declared elsewhere.
func kotlinExtensionProperty(b *core.FactBuilder, n, v, receiver syntax.Node, typ code.Ref) {
	name := v.Child("simple_identifier")
	outer := b.Scope
	scope := b.OpenScope(code.FuncScope, kotlinWord(name), n.Start(), n.End())
	defer b.CloseScope()
	b.DefineIn(outer, code.Def{
		Name: kotlinWord(name), Kind: code.DefFunc, Scope: scope, Line: int32(name.Line()), Getter: true, Exported: !hasWord(n, "private"),
	})
	kotlinTypeParameterFacts(b, n)
	b.Scopes[scope].Owner = b.Type(receiver)
	if getter := n.Child("getter"); getter.Ok() {
		kotlinFunctionBody(b, syntax.Node{}, getter.Child("function_body"))
	}
	b.Scopes[scope].Result = typ
}

// kotlinInitial returns the value after the "=" of n.
func kotlinInitial(b *core.FactBuilder, n syntax.Node, typ code.Ref) code.Ref {
	set := false
	for c := range n.Children() {
		switch {
		case c.Is("="):
			set = true
		case set && c.Named() && !syntax.IsComment(c.Kind()):
			return javaExpected(b, c, typ)
		}
	}
	return 0
}

// kotlinDelegate returns the value that a delegate gives a property. For lazy { x } it is
// x.
func kotlinDelegate(b *core.FactBuilder, n syntax.Node) code.Ref {
	ref := b.Value(n.First())
	e := &b.Exprs[ref]
	if e.Op != code.OpCall || b.Exprs[e.X].Name != "lazy" || len(e.Args) == 0 {
		return 0
	}
	f := &b.Exprs[e.Args[len(e.Args)-1]]
	if f.Op != code.OpFunc {
		return 0
	}
	return b.Either(b.Scopes[f.N].Returns...)
}

// kotlinAccessorFacts reads a getter or setter of the property that was bound last.
func kotlinAccessorFacts(b *core.FactBuilder, n syntax.Node) {
	outer := b.Scope
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	defer b.CloseScope()
	kotlinParameters(b, n)
	body := n.Child("function_body")
	kotlinFunctionBody(b, syntax.Node{}, body)
	list := b.Scopes[outer].Defs
	if n.Is("getter") && len(list) > 0 {
		d := &list[len(list)-1]
		if d.Value == 0 && d.Type == 0 {
			d.Value = b.Either(b.Scopes[scope].Returns...)
		}
		b.Scopes[scope].Result = d.Type
	}
}
