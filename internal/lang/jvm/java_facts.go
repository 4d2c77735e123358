package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaFacts are the rules for Java's scopes, bindings and expressions.
var javaFacts = &core.FactRules{Visit: javaVisit, Value: javaValue, Type: javaType}

// javaVisit reads declarations and statements. Other nodes are expressions.
func javaVisit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "package_declaration", "import_declaration", "module_declaration":
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
		javaTypeFacts(b, n)
	case "enum_constant":
		javaConstantFacts(b, n)
	case "method_declaration", "annotation_type_element_declaration", "constructor_declaration", "compact_constructor_declaration":
		javaMethodFacts(b, n)
	case "field_declaration", "constant_declaration", "local_variable_declaration":
		javaVariableFacts(b, n)
	case "marker_annotation", "annotation":
		javaAnnotationFacts(b, n)
	case "identifier":
		javaMention(b, n)
	case "labeled_statement":
		label := n.First()
		for c := range n.NamedSeq() {
			if c != label {
				b.Walk(c)
			}
		}
	case "break_statement", "continue_statement":
	default:
		return javaStatementFacts(b, n) || javaExpressionFacts(b, n)
	}
	return true
}

// javaTypeFacts binds a type and reads its content.
func javaTypeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	words := n.Child("modifiers")
	nested := b.Scopes[b.Scope].Kind == code.TypeScope
	outer := b.Scope
	scope := b.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	defer b.CloseScope()
	b.Symbol(scope, name.Start())
	b.Scopes[scope].Body = true
	d := b.DefineIn(outer, code.Def{Name: name.Text(), Kind: code.DefType, Scope: scope, Line: int32(name.Line())})
	d.Static = !nested || words.Has("static") || !n.Is("class_declaration") || javaInInterface(n)
	d.Hidden = words.Has("private")
	d.Exported = words.Has("public") || words.Has("protected") || javaInInterface(n)
	d.Abstract = words.Has("abstract") || n.Is("interface_declaration")
	b.Walk(words)
	javaTypeParameters(b, n)
	javaBaseFacts(b, n)
	javaComponentFacts(b, n)
	b.WalkChildren(n.Field("body"))
}

// javaBaseFacts records the superclass and interfaces of a type.
func javaBaseFacts(b *core.FactBuilder, n syntax.Node) {
	scope, from := b.Scope, len(b.Exprs)
	defer func() { inHead(b, from) }()
	for t := range n.Field("superclass").NamedSeq() {
		b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, code.Base{Type: b.Type(t)})
	}
	for list := range n.NamedSeq() {
		if !list.Is("super_interfaces", "extends_interfaces") {
			continue
		}
		for t := range list.Child("type_list").NamedSeq() {
			base := code.Base{Type: b.Type(t), Implements: list.Is("super_interfaces")}
			b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, base)
		}
	}
}

// inHead marks the names in the expressions from index from on as part of the head of
// the current type, where its members are not visible.
func inHead(b *core.FactBuilder, from int) {
	for i := from; i < len(b.Exprs); i++ {
		if b.Exprs[i].Op == code.OpName {
			b.Exprs[i].Pos = code.HeadPos
		}
	}
}

// javaComponentFacts reads the components of a record. Each is a field and, unless a
// method is written, an accessor method.
func javaComponentFacts(b *core.FactBuilder, n syntax.Node) {
	if !n.Is("record_declaration") {
		return
	}
	written := map[string]bool{}
	for m := range n.Field("body").NamedSeq() {
		if m.Is("method_declaration") && len(syntax.NamedChildren(m.Field("parameters"))) == 0 {
			written[m.Field("name").Text()] = true
		}
	}
	for p := range n.Field("parameters").NamedSeq() {
		name, typ, variadic := javaParameter(b, p)
		if !name.Ok() {
			continue
		}
		line := int32(name.Line())
		if variadic {
			typ = b.Group(code.OpList, typ, nil)
		}
		b.Define(code.Def{Name: name.Text(), Kind: code.DefField, Type: typ, Line: line})
		if written[name.Text()] {
			continue
		}
		scope := b.OpenScope(code.FuncScope, name.Text(), p.Start(), p.End())
		b.Scopes[scope].Result, b.Scopes[scope].Body = typ, true
		b.CloseScope()
		b.Define(code.Def{Name: name.Text(), Kind: code.DefFunc, Scope: scope, Line: line, Exported: true, Implied: true})
	}
}

// javaConstantFacts reads an enum constant. It is created by the constructor and may
// have a body like an anonymous class.
func javaConstantFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	around := b.Scopes[b.Scope].Name
	b.Walk(n.Child("modifiers"))
	value := b.Call(code.OpNew, b.Name(around, name.Start()), javaArguments(b, n), name.Start())
	if body := n.Field("body"); body.Ok() {
		value = javaObject(b, name.Text(), body, b.Name(around, name.Start()))
		b.Symbol(b.Exprs[value].N, name.Start())
	}
	b.Define(code.Def{
		Name: name.Text(), Kind: code.DefMember, Value: value, Line: int32(name.Line()), Static: true, Exported: true,
	})
}

// javaMethodFacts binds a method, a constructor or an annotation element.
func javaMethodFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	words, body := n.Child("modifiers"), n.Field("body")
	outer := b.Scope
	scope := b.OpenScope(code.FuncScope, name.Text(), n.Start(), n.End())
	defer b.CloseScope()
	b.Symbol(scope, name.Start())
	b.Scopes[scope].Body = body.Ok()
	d := b.DefineIn(outer, code.Def{Name: name.Text(), Kind: code.DefFunc, Scope: scope, Line: int32(name.Line())})
	if n.Is("constructor_declaration", "compact_constructor_declaration") {
		d.Name = jvmConstructor
	}
	public := javaInInterface(n) && !words.Has("private")
	d.Static = words.Has("static")
	d.Hidden = words.Has("private")
	d.Exported = words.Has("public") || words.Has("protected") || public
	d.Abstract = words.Has("abstract") || public && !body.Ok()
	b.Walk(words)
	javaTypeParameters(b, n)
	b.Scopes[scope].Result = javaDimensions(b, b.Type(n.Field("type")), n.Field("dimensions"))
	list := n.Field("parameters")
	if n.Is("compact_constructor_declaration") {
		list = n.Ancestor("record_declaration").Field("parameters")
	}
	javaParameters(b, list)
	for t := range n.Child("throws").NamedSeq() {
		b.Type(t)
	}
	b.Value(n.Field("value"))
	b.WalkChildren(body)
}

// jvmConstructor is the name under which constructors are bound. It is a keyword, so it
// is not the name of anything else.
const jvmConstructor = "new"

// javaTypeParameters binds the type parameters of a declaration.
func javaTypeParameters(b *core.FactBuilder, n syntax.Node) {
	for p := range n.Field("type_parameters").NamedSeq() {
		name := javaName(p)
		if !p.Is("type_parameter") || !name.Ok() {
			continue
		}
		var bounds []code.Ref
		for t := range p.Child("type_bound").NamedSeq() {
			bounds = append(bounds, b.Type(t))
		}
		b.Define(code.Def{Name: name.Text(), Kind: code.DefTypeParam, Type: b.Either(bounds...), Line: int32(name.Line())})
	}
}

// javaName returns the identifier among the children of n.
func javaName(n syntax.Node) syntax.Node { return n.Child("type_identifier", "identifier") }

// javaParameters binds the parameters of a method or lambda.
func javaParameters(b *core.FactBuilder, list syntax.Node) {
	if list.Is("identifier") { // x -> …
		b.Define(code.Def{Name: list.Text(), Kind: code.DefParam, Line: int32(list.Line())})
		return
	}
	for p := range list.NamedSeq() {
		name, typ, variadic := javaParameter(b, p)
		if !name.Ok() || name.TextIs("this") {
			continue
		}
		b.Define(code.Def{Name: name.Text(), Kind: code.DefParam, Type: typ, Line: int32(name.Line()), Variadic: variadic})
	}
}

// javaParameter returns the name and type of a parameter.
func javaParameter(b *core.FactBuilder, p syntax.Node) (name syntax.Node, typ code.Ref, variadic bool) {
	switch p.Kind() {
	case "identifier":
		return p, 0, false
	case "formal_parameter":
		b.Walk(p.Child("modifiers"))
		return p.Field("name"), javaDimensions(b, b.Type(p.Field("type")), p.Field("dimensions")), false
	case "spread_parameter":
		for c := range p.NamedSeq() {
			switch {
			case c.Is("modifiers"):
				b.Walk(c)
			case c.Is("variable_declarator"):
				name = c.Field("name")
			case !isAnnotation(c):
				typ = b.Type(c)
			}
		}
		return name, typ, true
	}
	return syntax.Node{}, 0, false
}

// javaVariableFacts binds fields and local variables.
func javaVariableFacts(b *core.FactBuilder, n syntax.Node) {
	words := n.Child("modifiers")
	field := b.Scopes[b.Scope].Kind == code.TypeScope
	fixed := n.Is("constant_declaration") || javaInInterface(n)
	b.Walk(words)
	typ := b.Type(n.Field("type"))
	for v := range n.NamedSeq() {
		if !v.Is("variable_declarator") {
			continue
		}
		name := v.Field("name")
		own := javaDimensions(b, typ, v.Field("dimensions"))
		d := code.Def{Name: name.Text(), Type: own, Value: javaExpected(b, v.Field("value"), own), Line: int32(name.Line())}
		if field {
			d.Kind = code.DefField
			d.Static = fixed || words.Has("static")
			d.Hidden = words.Has("private")
			d.Exported = fixed || words.Has("public") || words.Has("protected")
		} else if b.Scope != 0 {
			d.Pos = int32(v.End())
		}
		b.Define(d)
	}
}

// javaExpected returns the value of n in a context with the expected type typ, which a
// lambda needs.
func javaExpected(b *core.FactBuilder, n syntax.Node, typ code.Ref) code.Ref {
	ref := b.Value(n)
	jvmExpect(b, ref, typ)
	return ref
}

// jvmExpect sets the expected type of a closure, or of each closure that the value may
// be.
func jvmExpect(b *core.FactBuilder, ref, typ code.Ref) {
	switch e := &b.Exprs[ref]; e.Op {
	case code.OpFunc:
		b.Scopes[e.N].Expect = typ
	case code.OpEither:
		for _, a := range e.Args {
			jvmExpect(b, a, typ)
		}
	default: // other values have no expected type
	}
}

// javaInInterface reports whether a declaration is a member of an interface.
func javaInInterface(n syntax.Node) bool {
	return n.Parent().Is("interface_body", "annotation_type_body")
}

// javaAnnotationFacts records an annotation's type and its arguments.
func javaAnnotationFacts(b *core.FactBuilder, n syntax.Node) {
	javaPath(b, n.Field("name"))
	for a := range n.Field("arguments").NamedSeq() {
		if a.Is("element_value_pair") {
			a = a.Field("value")
		}
		b.Walk(a)
	}
}

// javaMention records the use of an identifier.
func javaMention(b *core.FactBuilder, n syntax.Node) { b.Mention(n.Text(), n.Start()) }
