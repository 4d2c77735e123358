package lang

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// ktStatementFacts reads the statements that bind names or open a scope. It tells
// whether n is one.
func ktStatementFacts(b *facts, n syntax.Node) bool {
	switch n.Kind() {
	case "for_statement":
		ktFor(b, n)
	case "control_structure_body", "finally_block":
		ktBlock(b, n)
	case "catch_block":
		ktCatch(b, n)
	case "while_statement":
		b.open(code.BlockScope, "", n.Start(), n.End())
		b.below(n)
		b.shut()
	case "jump_expression":
		ktJump(b, n)
	case "assignment":
		left := b.value(n.Child("directly_assignable_expression"))
		parts := inner(n)
		right := b.value(parts[len(parts)-1])
		jvmExpect(b, right, b.of(code.OpTypeOf, left))
	default:
		return false
	}
	return true
}

// ktBlock reads n in a scope of its own and returns the value of its last
// statement.
func ktBlock(b *facts, n syntax.Node) code.Ref {
	b.open(code.BlockScope, "", n.Start(), n.End())
	defer b.shut()
	return ktLast(b, n)
}

// ktLast reads the statements in n and returns the value of the last.
func ktLast(b *facts, n syntax.Node) code.Ref {
	if s := n.Child("statements"); s.Ok() {
		n = s
	}
	var ref code.Ref
	parts := inner(n)
	for i, c := range parts {
		if i == len(parts)-1 {
			ref = ktStatement(b, c)
		} else {
			b.walk(c)
		}
	}
	return ref
}

// ktStatement reads a statement that may be the value of its block.
func ktStatement(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "property_declaration", "function_declaration", "class_declaration", "object_declaration", "assignment", "for_statement", "while_statement",
		"do_while_statement", "jump_expression", "label", "annotation", "getter", "setter":
		b.walk(n)
		return 0
	}
	return b.value(n)
}

// ktFor reads a loop over the elements of a value.
func ktFor(b *facts, n syntax.Node) {
	var names []syntax.Node
	b.open(code.BlockScope, "", n.Start(), n.End())
	defer b.shut()
	for c := range n.Inner() {
		switch c.Kind() {
		case "variable_declaration", "multi_variable_declaration":
			names = append(names, c)
		case "control_structure_body":
			b.walk(c)
		case "annotation":
		default:
			each := b.of(code.OpElem, b.value(c))
			for _, name := range names {
				ktBind(b, name, each, 0)
			}
		}
	}
}

// ktBind binds a variable, or those that a value is taken apart into, from an
// offset on.
func ktBind(b *facts, n syntax.Node, value code.Ref, pos int) {
	if n.Is("multi_variable_declaration") {
		for i, v := range children(n, "variable_declaration") {
			ktBind(b, v, b.nth(value, i), pos)
		}
		return
	}
	name := n.Child("simple_identifier")
	if !name.Ok() || name.Says("_") {
		return
	}
	b.def(code.Def{Name: ktWord(name), Type: ktTypeIn(b, n), Value: value, Line: int32(name.Line()), Pos: int32(pos)})
}

func ktCatch(b *facts, n syntax.Node) {
	b.open(code.BlockScope, "", n.Start(), n.End())
	defer b.shut()
	if name := n.Child("simple_identifier"); name.Ok() {
		b.def(code.Def{Name: ktWord(name), Type: ktTypeIn(b, n), Line: int32(name.Line())})
	}
	b.walk(n.Child("statements"))
}

// ktJump reads return, throw, break and continue. A return without a label leaves
// the function with a name around, or that which is written as one.
func ktJump(b *facts, n syntax.Node) {
	var ref code.Ref
	for c := range n.Inner() {
		if !c.Is("label") {
			ref = b.value(c)
		}
	}
	if !n.Has("return") && !n.Has("return@") {
		return
	}
	scope := b.function()
	for !n.Has("return@") && b.Scopes[scope].Kind == code.FuncScope && b.Scopes[scope].Name == "" && b.Scopes[scope].Result == 0 {
		if scope = b.Scopes[scope].Parent; scope < 0 {
			return
		}
		for b.Scopes[scope].Kind == code.BlockScope {
			scope = b.Scopes[scope].Parent
		}
	}
	jvmExpect(b, ref, b.Scopes[scope].Result)
	ktInside(b, scope, func() { b.returns(ref) })
}

// ktPropertyFacts binds properties and local variables.
func ktPropertyFacts(b *facts, n syntax.Node) {
	b.walk(n.Child("modifiers"))
	kind := b.Scopes[b.scope].Kind
	inside := b.scope
	if kind == code.TypeScope {
		inside = ktConstructorScope(b)
	}
	v := n.Child("variable_declaration", "multi_variable_declaration")
	typ := ktTypeIn(b, v)
	var value code.Ref
	ktInside(b, inside, func() {
		value = ktInitial(b, n, typ)
		if d := n.Child("property_delegate"); d.Ok() {
			value = ktDelegate(b, d)
		}
	})
	if receiver, _ := ktSides(n); receiver.Ok() {
		ktExtensionProperty(b, n, v, receiver, typ)
		return
	}
	if kind != code.TypeScope {
		pos := n.End()
		if b.scope == 0 {
			pos = 0
		}
		ktBind(b, v, value, pos)
	} else {
		name := v.Child("simple_identifier")
		b.def(code.Def{Name: ktWord(name), Kind: code.DefField, Type: typ, Value: value, Line: int32(name.Line())})
	}
	list := b.Scopes[b.scope].Defs
	if len(list) > 0 {
		d := &list[len(list)-1]
		d.Hidden = hasWord(n, "private")
		d.Exported = !d.Hidden
	}
	for c := range n.Inner() {
		if c.Is("getter", "setter") {
			ktAccessorFacts(b, c)
		}
	}
}

// ktExtensionProperty binds a property of a type that is declared elsewhere.
func ktExtensionProperty(b *facts, n, v, receiver syntax.Node, typ code.Ref) {
	name := v.Child("simple_identifier")
	outer := b.scope
	scope := b.open(code.FuncScope, ktWord(name), n.Start(), n.End())
	defer b.shut()
	b.defIn(outer, code.Def{
		Name: ktWord(name), Kind: code.DefFunc, Scope: scope, Line: int32(name.Line()), Getter: true, Exported: !hasWord(n, "private"),
	})
	ktTypeParameterFacts(b, n)
	b.Scopes[scope].Owner = b.typ(receiver)
	if getter := n.Child("getter"); getter.Ok() {
		ktFunctionBody(b, syntax.Node{}, getter.Child("function_body"))
	}
	b.Scopes[scope].Result = typ
}

// ktInitial is the value behind the "=" of n.
func ktInitial(b *facts, n syntax.Node, typ code.Ref) code.Ref {
	set := false
	for c := range n.Children() {
		switch {
		case c.Is("="):
			set = true
		case set && c.Named() && !isComment(c.Kind()):
			return javaExpected(b, c, typ)
		}
	}
	return 0
}

// ktDelegate is the value that a delegate gives a property: of lazy { x }, x.
func ktDelegate(b *facts, n syntax.Node) code.Ref {
	ref := b.value(n.First())
	e := &b.Exprs[ref]
	if e.Op != code.OpCall || b.Exprs[e.X].Name != "lazy" || len(e.Args) == 0 {
		return 0
	}
	f := &b.Exprs[e.Args[len(e.Args)-1]]
	if f.Op != code.OpFunc {
		return 0
	}
	return b.either(b.Scopes[f.N].Returns...)
}

// ktAccessorFacts reads what gives or sets the property bound last.
func ktAccessorFacts(b *facts, n syntax.Node) {
	outer := b.scope
	scope := b.open(code.FuncScope, "", n.Start(), n.End())
	defer b.shut()
	ktParameters(b, n)
	body := n.Child("function_body")
	ktFunctionBody(b, syntax.Node{}, body)
	list := b.Scopes[outer].Defs
	if n.Is("getter") && len(list) > 0 {
		d := &list[len(list)-1]
		if d.Value == 0 && d.Type == 0 {
			d.Value = b.either(b.Scopes[scope].Returns...)
		}
		b.Scopes[scope].Result = d.Type
	}
}
