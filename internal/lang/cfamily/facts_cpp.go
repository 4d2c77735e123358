package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// visitCPP reads the nodes that only C++ has.
func visitCPP(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "namespace_definition":
		cppNamespace(b, n)
	case "using_declaration":
		cppUsing(b, n)
	case "namespace_alias_definition":
		name := n.Field("name")
		b.Define(code.Def{Name: name.Text(), Kind: code.DefAlias, Value: b.Type(syntax.LastNamedChild(n)), Line: int32(name.Line())})
	case "alias_declaration":
		cppAlias(b, n)
	case "friend_declaration":
		b.Walk(n.Child("function_definition"))
	case "for_range_loop":
		cppLoop(b, n)
	case "catch_clause":
		b.OpenScope(code.BlockScope, "", n.Start(), n.End())
		cppCatch(b, n.Field("parameters"))
		b.WalkChildren(n.Field("body"))
		b.CloseScope()
	case "lambda_expression", "qualified_identifier", "this", "new_expression", "template_function", "co_await_expression":
		b.Value(n)
	case "type_descriptor", "template_type", "decltype":
		b.Type(n)
	case "template_parameter_list", "access_specifier", "attribute_declaration":
	default:
		return false
	}
	return true
}

// cppNamespace reads a namespace. a::b is nested namespaces. The members of an inline or
// unnamed namespace are visible in the enclosing one.
func cppNamespace(b *core.FactBuilder, n syntax.Node) {
	name, at := n.Field("name"), b.Scope
	if name.Ok() && !n.Has("inline") {
		for part := range strings.SplitSeq(name.Text(), "::") {
			part = strings.TrimPrefix(strings.TrimSpace(part), "inline ")
			def := b.Define(code.Def{Name: part, Kind: code.DefSpace, Line: int32(name.Line()), Exported: true})
			def.Scope = b.OpenScope(code.SpaceScope, part, n.Start(), n.End())
		}
	}
	b.WalkChildren(n.Field("body"))
	b.Scope = at
}

// unnamedSpace reports whether a node is in an unnamed namespace.
func unnamedSpace(b *core.FactBuilder, n syntax.Node) bool {
	if !isCPP(b) {
		return false
	}
	for s := n.Ancestor("namespace_definition"); s.Ok(); s = s.Ancestor("namespace_definition") {
		if !s.Field("name").Ok() {
			return true
		}
	}
	return false
}

// cppUsing binds a name from another namespace, or "*" for all of them.
func cppUsing(b *core.FactBuilder, n syntax.Node) {
	target := syntax.LastNamedChild(n)
	if n.Has("namespace") {
		b.Define(code.Def{Name: "*", Kind: code.DefAlias, Type: b.Type(target), Line: int32(n.Line())})
		return
	}
	last := target
	for last.Is("qualified_identifier") {
		last = last.Field("name")
	}
	if name := last.Text(); name != "" && b.Scopes[b.Scope].Kind != code.TypeScope {
		b.Define(code.Def{Name: name, Kind: code.DefAlias, Value: b.Type(target), Line: int32(n.Line()), Pos: fromHere(b, n.End())})
	}
}

// fromHere returns the offset from which a name is visible: the end of its declaration in
// functions, else 0.
func fromHere(b *core.FactBuilder, end int) int32 {
	if inFunction(b) {
		return int32(end)
	}
	return 0
}

func cppAlias(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	b.Define(code.Def{Name: name.Text(), Kind: code.DefAlias, Type: b.Type(n.Field("type")), Line: int32(name.Line()), Exported: true})
}

// cppTemplateParameters binds the type parameters of the template heads before n.
func cppTemplateParameters(b *core.FactBuilder, n syntax.Node) {
	for t := n.Parent(); t.Is("template_declaration"); t = t.Parent() {
		for p := range t.Field("parameters").NamedSeq() {
			if p.Is("parameter_declaration", "optional_parameter_declaration") {
				continue
			}
			if name := parameterName(p); isName(name) && name != "" {
				b.Define(code.Def{Name: name, Kind: code.DefTypeParam, Line: int32(p.Line())})
			}
		}
	}
}

// cppBases records the base classes of a class.
func cppBases(b *core.FactBuilder, n syntax.Node) {
	for c := range n.Child("base_class_clause").NamedSeq() {
		if c.Is("type_identifier", "template_type", "qualified_identifier", "dependent_type") {
			if ref := b.Type(c); ref != 0 {
				s := &b.Scopes[b.Scope]
				s.Bases = append(s.Bases, code.Base{Type: ref})
			}
		}
	}
}

// cppOwner returns the class or namespace that qualifies the name of an out-of-class
// definition.
func cppOwner(b *core.FactBuilder, d *declarator) code.Ref {
	ref := code.Ref(0)
	for _, s := range d.scope {
		if s.Ok() {
			ref = cppPart(b, ref, s, false)
		}
	}
	return ref
}

// cppQualifiedClass reads a class whose head names a specialisation or a nested class.
func cppQualifiedClass(b *core.FactBuilder, n, name syntax.Node) code.Ref {
	last := name
	for last.Is("qualified_identifier", "template_type") {
		last = last.Field("name")
	}
	s := b.OpenScope(code.TypeScope, last.Text(), n.Start(), n.End())
	b.Scopes[s].Body = true
	symbol(b, s, last.Start())
	cppTemplateParameters(b, n)
	cppBases(b, n)
	memberFacts(b, n)
	b.CloseScope()
	if name.Is("qualified_identifier") { // members are visible in functions of the class
		b.Define(code.Def{Name: last.Text(), Kind: code.DefType, Scope: s, Line: int32(last.Line()), Exported: true})
	}
	return 0
}

// cppVariable binds a variable and its value; T x(y) and T x{y} create an object.
func cppVariable(b *core.FactBuilder, n, top, value syntax.Node, def *code.Def) {
	switch {
	case value.Is("argument_list", "initializer_list") && constructed(top) && def.Type != 0 && top.Is("init_declarator"):
		args := arguments(b, value)
		b.Call(code.OpNew, def.Type, args, typePos(n.Field("type")))
	case value.Ok():
		ref := b.Value(value)
		if def.Type == 0 || b.Exprs[ref].Op == code.OpFunc || b.Exprs[def.Type].Op == code.OpFuncType {
			def.Value = ref
		}
		if b.Exprs[ref].Op == code.OpFunc && def.Type != 0 {
			b.Scopes[b.Exprs[ref].N].Expect = def.Type
		}
	}
	b.Define(*def)
}

// typePos returns the offset of the name of a type.
func typePos(t syntax.Node) int {
	for t.Is("qualified_identifier", "template_type") {
		t = t.Field("name")
	}
	return t.Start()
}

// cppObject reads T x(y) in a function.
func cppObject(b *core.FactBuilder, n syntax.Node, d *declarator) {
	typ := b.Type(n.Field("type"))
	var args []code.Ref
	for p := range d.function.Field("parameters").NamedSeq() {
		var ref code.Ref
		if t := p.Field("type"); t.Is("type_identifier") && !p.Field("declarator").Ok() {
			ref = b.Name(t.Text(), t.Start())
		}
		args = append(args, ref)
	}
	b.Call(code.OpNew, typ, args, typePos(n.Field("type")))
	b.Define(code.Def{Name: d.text(), Kind: code.DefVar, Type: typ, Line: int32(d.name.Line()), Pos: int32(n.End())})
}

// cppBinding binds the names of auto [a, b] = value.
func cppBinding(b *core.FactBuilder, list syntax.Node, value code.Ref) {
	i := 0
	for name := range list.NamedSeq() {
		if name.Is("identifier") {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: b.Part(value, i), Line: int32(name.Line()), Pos: int32(list.End())})
			i++
		}
	}
}

// cppLoop reads for (T x : list).
func cppLoop(b *core.FactBuilder, n syntax.Node) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	b.Walk(n.Field("initializer"))
	over := b.Apply(code.OpElem, b.Value(n.Field("right")))
	d := declaratorOf(n.Field("declarator"))
	inner := n.Field("declarator")
	for inner.Ok() && !inner.Is("structured_binding_declarator") {
		inner = innerDeclarator(inner)
	}
	if inner.Ok() {
		cppBinding(b, inner, over)
	} else if d.name.Ok() {
		def := code.Def{Name: d.text(), Kind: code.DefVar, Type: b.Type(n.Field("type")), Line: int32(d.name.Line()), Pos: int32(n.Field("right").End())}
		if def.Type == 0 {
			def.Value = over
		}
		b.Define(def)
	}
	b.Walk(n.Field("body"))
	b.CloseScope()
}

// cppCatch binds the variable of a catch clause.
func cppCatch(b *core.FactBuilder, list syntax.Node) {
	for p := range list.NamedSeq() {
		d := declaratorOf(p.Field("declarator"))
		typ := b.Type(p.Field("type"))
		if d.name.Ok() {
			b.Define(code.Def{Name: d.text(), Kind: code.DefVar, Type: typ, Line: int32(p.Line())})
		}
	}
}

// cppInitialisers reads a constructor's member initialiser list.
func cppInitialisers(b *core.FactBuilder, list syntax.Node) {
	for init := range list.NamedSeq() {
		name := init.First()
		args := arguments(b, init.Child("argument_list", "initializer_list"))
		ref := code.Ref(0)
		switch {
		case name.Is("field_identifier", "identifier"):
			ref = b.Name(name.Text(), name.Start())
		case name.Is("qualified_identifier", "template_method", "template_type", "template_function"):
			ref = cppQualified(b, name)
		}
		if ref != 0 {
			b.Call(code.OpNew, ref, args, typePos(name))
		}
	}
}
