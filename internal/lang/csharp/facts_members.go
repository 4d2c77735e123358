package csharp

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// csharpFunctionFacts reads a method, an operator, a constructor or a local function.
func csharpFunctionFacts(b *core.FactBuilder, n syntax.Node) {
	name, at := csharpFunctionName(b, n)
	marks := csharpModifiers(n)
	body := n.Field("body")
	around := b.Scope
	scope := b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	b.DefineIn(around, code.Def{
		Name: name, Kind: code.DefFunc, Scope: scope, Line: int32(b.Line(at)),
		Static: slices.Contains(marks, "static"), Abstract: csharpAbstract(b, around, marks, body),
		Exported: csharpExported(n, marks),
	})
	if !n.Is("local_function_statement") {
		b.Symbol(scope, at)
	}
	csharpTypeParams(b, n)
	result := n.Field("returns")
	if !result.Ok() {
		result = n.Field("type")
	}
	ref := b.Type(result)
	b.Scopes[scope].Result, b.Scopes[scope].Body = ref, body.Ok()
	csharpParams(b, n.Field("parameters"))
	if init := n.Child("constructor_initializer"); init.Ok() {
		csharpInitializer(b, init)
	}
	csharpAnnotated(b, n)
	csharpBody(b, body)
	b.CloseScope()
}

// csharpFunctionName returns what a function is bound under and where that stands.
func csharpFunctionName(b *core.FactBuilder, n syntax.Node) (name string, at int) {
	node := n.Field("name")
	switch n.Kind() {
	case "operator_declaration", "conversion_operator_declaration", "destructor_declaration":
		return (&csharpReader{Reader: b.Reader}).methodName(n), n.Start()
	}
	if n.Has("explicit_interface_specifier") && csharpNamedTwice(n, node.Text()) {
		return core.OneLine(n.Child("explicit_interface_specifier").Text()) + node.Text(), node.Start()
	}
	return node.Text(), node.Start()
}

// csharpNamedTwice reports whether the type around n has another member of its name:
// one that implements an interface explicitly then hides behind it.
func csharpNamedTwice(n syntax.Node, name string) bool {
	for c := range n.Parent().Inner() {
		if c.Index() != n.Index() && c.Field("name").Text() == name {
			return true
		}
	}
	return false
}

func csharpAbstract(b *core.FactBuilder, around int32, marks []string, body syntax.Node) bool {
	return b.Scopes[around].Kind == code.TypeScope && !body.Ok() &&
		!slices.Contains(marks, "extern") && !slices.Contains(marks, "partial")
}

// csharpExported reports whether others may use a member: in an interface all may.
func csharpExported(n syntax.Node, marks []string) bool {
	for _, m := range []string{"public", "internal", "protected"} {
		if slices.Contains(marks, m) {
			return true
		}
	}
	return n.Parent().Parent().Is("interface_declaration")
}

// csharpAnnotated reads the attributes of a declaration.
func csharpAnnotated(b *core.FactBuilder, n syntax.Node) {
	for _, list := range core.ChildrenOf(n, "attribute_list") {
		b.Walk(list)
	}
}

// csharpParams binds parameters. One after "this" makes the function an extension
// of its type.
func csharpParams(b *core.FactBuilder, list syntax.Node) {
	for p := range list.Inner() {
		name := p.Field("name")
		if !p.Is("parameter", "implicit_parameter") {
			continue
		}
		if p.Is("implicit_parameter") {
			name = p
		}
		d := code.Def{Name: name.Text(), Kind: code.DefParam, Line: int32(name.Line()), Type: b.Type(p.Field("type"))}
		for _, m := range core.ChildrenOf(p, "modifier") {
			switch m.Short() {
			case "this":
				b.Scopes[b.Scope].Owner, d.Value = d.Type, b.ThisAt(p)
			case "params":
				d.Variadic = true
				if e := b.Exprs[d.Type]; e.Op == code.OpList {
					d.Type = e.X
				}
			}
		}
		if p.Has("=") {
			d.Optional, d.Value = true, b.Value(p.Child("=").Next())
		}
		csharpAnnotated(b, p)
		b.Define(d)
	}
}

// csharpInitializer reads a constructor's call of another one.
func csharpInitializer(b *core.FactBuilder, n syntax.Node) {
	word := n.Child("base", "this")
	op := code.OpThis
	if word.Is("base") {
		op = code.OpSuper
	}
	args := csharpArguments(b, n.Child("argument_list"))
	callee := b.Add(code.Expr{Op: op, Scope: b.Scope, Pos: int32(word.Start()), Line: int32(word.Line())})
	b.Call(code.OpNew, b.Apply(code.OpTypeOf, callee), args, word.Start())
}

// csharpBody reads what a function does; an expression is what it returns.
func csharpBody(b *core.FactBuilder, body syntax.Node) {
	if body.Is("arrow_expression_clause") {
		b.Returns(b.Value(body.First()))
		return
	}
	if body.Is("block") {
		b.WalkChildren(body) // parameters and locals share a scope
		return
	}
	if body.Ok() {
		b.Returns(b.Value(body))
	}
}

// csharpPropertyFacts reads a property, an indexer or an event. One with a body is a
// getter; another one is a field.
func csharpPropertyFacts(b *core.FactBuilder, n syntax.Node) {
	name, at := n.Field("name").Text(), n.Field("name").Start()
	if n.Is("indexer_declaration") {
		name, at = "this[]", n.Start()
	}
	if n.Has("explicit_interface_specifier") && csharpNamedTwice(n, name) {
		name = core.OneLine(n.Child("explicit_interface_specifier").Text()) + name
	}
	marks := csharpModifiers(n)
	typ := b.Type(n.Field("type"))
	around := b.Scope
	d := code.Def{
		Name: name, Kind: code.DefField, Type: typ, Line: int32(b.Line(at)),
		Static: slices.Contains(marks, "static"), Exported: csharpExported(n, marks),
	}
	accessors, value := n.Field("accessors"), n.Field("value")
	bodies, _ := (&csharpReader{Reader: b.Reader}).accessors(accessors)
	arrow := value.Is("arrow_expression_clause")
	if !arrow && len(bodies) == 0 && !n.Is("indexer_declaration") {
		d.Value = b.Value(value)
		b.Define(d)
		csharpAnnotated(b, n)
		return
	}
	scope := b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	if d.Kind, d.Scope, d.Getter = code.DefFunc, scope, true; n.Is("indexer_declaration") {
		d.Getter = false
	}
	d.Type = 0
	b.Symbol(scope, at)
	b.Scopes[scope].Result, b.Scopes[scope].Body = typ, true
	csharpParams(b, n.Field("parameters"))
	for _, body := range append(bodies, syntax.Node{}) {
		csharpAccessor(b, body, typ)
	}
	if value.Ok() {
		csharpBody(b, value)
	}
	csharpAnnotated(b, n)
	b.CloseScope()
	b.DefineIn(around, d)
}

// csharpAccessor reads the body of an accessor, in which "value" is what is set.
func csharpAccessor(b *core.FactBuilder, body syntax.Node, typ code.Ref) {
	if !body.Ok() {
		return
	}
	b.OpenScope(code.BlockScope, "", body.Start(), body.End())
	b.Define(code.Def{Name: "value", Kind: code.DefVar, Type: typ, Line: int32(body.Line())})
	csharpBody(b, body)
	b.CloseScope()
}

// csharpFieldFacts binds the variables of a field's declaration.
func csharpFieldFacts(b *core.FactBuilder, n syntax.Node) {
	marks := csharpModifiers(n)
	declaration := n.Child("variable_declaration")
	typ := b.Type(declaration.Field("type"))
	for _, v := range core.ChildrenOf(declaration, "variable_declarator") {
		name := v.Field("name")
		value := b.Value(initialValue(v))
		b.Define(code.Def{
			Name: name.Text(), Kind: code.DefField, Type: typ, Value: value, Line: int32(name.Line()),
			Static:   slices.Contains(marks, "static") || slices.Contains(marks, "const"),
			Exported: csharpExported(n, marks),
		})
	}
	csharpAnnotated(b, n)
}
