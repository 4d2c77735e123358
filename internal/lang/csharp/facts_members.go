package csharp

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// functionFacts reads a method, an operator, a constructor or a local function.
func functionFacts(b *core.FactBuilder, n syntax.Node) {
	name, at := functionName(b, n)
	marks := modifiers(n)
	body := n.Field("body")
	around := b.Scope
	scope := b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	b.DefineIn(around, code.Def{
		Name: name, Kind: code.DefFunc, Scope: scope, Line: int32(b.Line(at)),
		Static: slices.Contains(marks, "static"), Abstract: abstract(b, around, marks, body),
		Exported: exported(n, marks),
	})
	if !n.Is("local_function_statement") {
		b.Symbol(scope, at)
	}
	typeParams(b, n)
	result := n.Field("returns")
	if !result.Ok() {
		result = n.Field("type")
	}
	ref := b.Type(result)
	b.Scopes[scope].Result, b.Scopes[scope].Body = ref, body.Ok()
	bindParams(b, n.Field("parameters"))
	if init := n.Child("constructor_initializer"); init.Ok() {
		constructorInitializer(b, init)
	}
	readAttributes(b, n)
	functionBody(b, body)
	b.CloseScope()
}

// functionName returns the name under which a function is bound and the offset of the
// name.
func functionName(b *core.FactBuilder, n syntax.Node) (name string, at int) {
	node := n.Field("name")
	switch n.Kind() {
	case "operator_declaration", "conversion_operator_declaration", "destructor_declaration":
		return (&reader{Reader: b.Reader}).methodName(n), n.Start()
	}
	if n.Has("explicit_interface_specifier") && namedTwice(n, node.Text()) {
		return srctext.OneLine(n.Child("explicit_interface_specifier").Text()) + node.Text(), node.Start()
	}
	return node.Text(), node.Start()
}

// namedTwice reports whether the enclosing type of n has another member of its name, in
// which case an explicit interface implementation is not bound.
func namedTwice(n syntax.Node, name string) bool {
	for c := range n.Parent().NamedSeq() {
		if c.Index() != n.Index() && c.Field("name").Text() == name {
			return true
		}
	}
	return false
}

func abstract(b *core.FactBuilder, around int32, marks []string, body syntax.Node) bool {
	return b.Scopes[around].Kind == code.TypeScope && !body.Ok() &&
		!slices.Contains(marks, "extern") && !slices.Contains(marks, "partial")
}

// exported reports whether a member is public. Members of an interface are.
func exported(n syntax.Node, marks []string) bool {
	for _, m := range []string{"public", "internal", "protected"} {
		if slices.Contains(marks, m) {
			return true
		}
	}
	return n.Parent().Parent().Is("interface_declaration")
}

// readAttributes reads the attributes of a declaration.
func readAttributes(b *core.FactBuilder, n syntax.Node) {
	for _, list := range syntax.ChildrenOf(n, "attribute_list") {
		b.Walk(list)
	}
}

// bindParams binds parameters. A "this" parameter makes the function an extension of its
// type.
func bindParams(b *core.FactBuilder, list syntax.Node) {
	for p := range list.NamedSeq() {
		name := p.Field("name")
		if !p.Is("parameter", "implicit_parameter") {
			continue
		}
		if p.Is("implicit_parameter") {
			name = p
		}
		d := code.Def{Name: name.Text(), Kind: code.DefParam, Line: int32(name.Line()), Type: b.Type(p.Field("type"))}
		for _, m := range syntax.ChildrenOf(p, "modifier") {
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
		readAttributes(b, p)
		b.Define(d)
	}
}

// constructorInitializer reads a constructor's call of another constructor.
func constructorInitializer(b *core.FactBuilder, n syntax.Node) {
	word := n.Child("base", "this")
	op := code.OpThis
	if word.Is("base") {
		op = code.OpSuper
	}
	args := arguments(b, n.Child("argument_list"))
	callee := b.Add(code.Expr{Op: op, Scope: b.Scope, Pos: int32(word.Start()), Line: int32(word.Line())})
	b.Call(code.OpNew, b.Apply(code.OpTypeOf, callee), args, word.Start())
}

// functionBody reads the body of a function. An expression body is a returned value.
func functionBody(b *core.FactBuilder, body syntax.Node) {
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

// propertyFacts reads a property, an indexer or an event: with a body as a getter,
// otherwise as a field.
func propertyFacts(b *core.FactBuilder, n syntax.Node) {
	name, at := n.Field("name").Text(), n.Field("name").Start()
	if n.Is("indexer_declaration") {
		name, at = "this[]", n.Start()
	}
	if n.Has("explicit_interface_specifier") && namedTwice(n, name) {
		name = srctext.OneLine(n.Child("explicit_interface_specifier").Text()) + name
	}
	marks := modifiers(n)
	typ := b.Type(n.Field("type"))
	around := b.Scope
	d := code.Def{
		Name: name, Kind: code.DefField, Type: typ, Line: int32(b.Line(at)),
		Static: slices.Contains(marks, "static"), Exported: exported(n, marks),
	}
	accessors, value := n.Field("accessors"), n.Field("value")
	bodies, _ := (&reader{Reader: b.Reader}).accessors(accessors)
	arrow := value.Is("arrow_expression_clause")
	if !arrow && len(bodies) == 0 && !n.Is("indexer_declaration") {
		d.Value = b.Value(value)
		b.Define(d)
		readAttributes(b, n)
		return
	}
	scope := b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	if d.Kind, d.Scope, d.Getter = code.DefFunc, scope, true; n.Is("indexer_declaration") {
		d.Getter = false
	}
	d.Type = 0
	b.Symbol(scope, at)
	b.Scopes[scope].Result, b.Scopes[scope].Body = typ, true
	bindParams(b, n.Field("parameters"))
	for _, body := range append(bodies, syntax.Node{}) {
		accessor(b, body, typ)
	}
	if value.Ok() {
		functionBody(b, value)
	}
	readAttributes(b, n)
	b.CloseScope()
	b.DefineIn(around, d)
}

// accessor reads the body of an accessor, in which "value" is the assigned value.
func accessor(b *core.FactBuilder, body syntax.Node, typ code.Ref) {
	if !body.Ok() {
		return
	}
	b.OpenScope(code.BlockScope, "", body.Start(), body.End())
	b.Define(code.Def{Name: "value", Kind: code.DefVar, Type: typ, Line: int32(body.Line())})
	functionBody(b, body)
	b.CloseScope()
}

// fieldFacts binds the variables of a field declaration.
func fieldFacts(b *core.FactBuilder, n syntax.Node) {
	marks := modifiers(n)
	declaration := n.Child("variable_declaration")
	typ := b.Type(declaration.Field("type"))
	for _, v := range syntax.ChildrenOf(declaration, "variable_declarator") {
		name := v.Field("name")
		value := b.Value(initialValue(v))
		b.Define(code.Def{
			Name: name.Text(), Kind: code.DefField, Type: typ, Value: value, Line: int32(name.Line()),
			Static:   slices.Contains(marks, "static") || slices.Contains(marks, "const"),
			Exported: exported(n, marks),
		})
	}
	readAttributes(b, n)
}
