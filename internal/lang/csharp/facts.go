package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// csharpFacts says how C#'s scopes, bindings and expressions are read. A namespace
// is a scope under its full name; a type's constructors are bound in it under its
// own name, an indexer is "this[]", and a property with a body is a getter.
var csharpFacts = &core.FactRules{Visit: csharpVisit, Value: csharpValue, Type: csharpTypeRef}

// csharpVisit reads declarations and statements, and hands on expressions.
func csharpVisit(b *core.FactBuilder, n syntax.Node) bool {
	switch kind := n.Kind(); kind {
	case "using_directive", "extern_alias_directive":
		if n.Has("global") && !n.Has("=") { // of all files of the project
			b.DefineIn(0, code.Def{Name: "using", Kind: code.DefField, Value: b.Value(core.LastNamedChild(n)), Line: int32(n.Line())})
		}
	case "namespace_declaration", "file_scoped_namespace_declaration":
		csharpSpace(b, n)
	case "class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration":
		csharpTypeFacts(b, n)
	case "delegate_declaration":
		csharpDelegateFacts(b, n)
	case "enum_member_declaration":
		b.Define(code.Def{Name: n.Field("name").Text(), Kind: code.DefMember, Line: int32(n.Line()), Static: true, Exported: true})
		b.Value(n.Field("value"))
	case "method_declaration", "operator_declaration", "conversion_operator_declaration", "destructor_declaration",
		"constructor_declaration", "local_function_statement":
		csharpFunctionFacts(b, n)
	case "property_declaration", "indexer_declaration", "event_declaration":
		csharpPropertyFacts(b, n)
	case "field_declaration", "event_field_declaration":
		csharpFieldFacts(b, n)
	case "attribute":
		csharpAttributeFacts(b, n)
	default:
		if csharpStatement(b, n) {
			return true
		}
		if !csharpExpressions[kind] {
			return false
		}
		b.Value(n)
	}
	return true
}

// csharpSpace reads a namespace: a scope for each part of its name, called by all of
// it up to there. One of the whole file lasts to its end.
func csharpSpace(b *core.FactBuilder, n syntax.Node) {
	around, name, to := b.Scope, n.Field("name"), n.End()
	if n.Is("file_scoped_namespace_declaration") {
		to = n.Parent().End()
	}
	for part := range strings.SplitSeq(core.OneLine(name.Text()), ".") {
		full := part
		if s := b.Scopes[b.Scope]; s.Kind == code.SpaceScope {
			full = core.Join(s.Name, part)
		}
		in := b.Scope
		scope := b.OpenScope(code.SpaceScope, full, n.Start(), to)
		b.DefineIn(in, code.Def{Name: part, Kind: code.DefSpace, Scope: scope, Line: int32(name.Line()), Exported: true})
	}
	if n.Is("file_scoped_namespace_declaration") {
		return // what follows stands in it
	}
	b.WalkChildren(n.Field("body"))
	b.Scope = around
}

// csharpTypeFacts reads a class, struct, interface, enum or record.
func csharpTypeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	around := b.Scope
	scope := b.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	b.Symbol(scope, name.Start())
	marks := csharpModifiers(n)
	b.DefineIn(around, code.Def{
		Name: name.Text(), Kind: code.DefType, Scope: scope, Line: int32(name.Line()),
		Static: slices.Contains(marks, "static"), Abstract: slices.Contains(marks, "abstract") || n.Is("interface_declaration"),
		Hidden: slices.Contains(marks, "file"), Exported: !slices.Contains(marks, "private"),
	})
	csharpTypeParams(b, n)
	if list := n.Child("parameter_list"); list.Ok() {
		for p := range list.Inner() {
			csharpComponent(b, n, p)
		}
	}
	csharpBaseFacts(b, n.Child("base_list"))
	for c := range n.Inner() {
		if c.Is("attribute_list") {
			b.Walk(c)
		}
	}
	b.WalkChildren(n.Field("body"))
	b.CloseScope()
}

// csharpComponent binds a parameter p of the type n: what is a property of a record, and
// known in the whole of a class.
func csharpComponent(b *core.FactBuilder, n, p syntax.Node) {
	name := p.Field("name")
	if !p.Is("parameter") || !name.Ok() {
		return
	}
	b.Define(code.Def{
		Name: name.Text(), Kind: code.DefField, Type: b.Type(p.Field("type")), Line: int32(name.Line()),
		Exported: n.Is("record_declaration"),
	})
	if p.Has("=") {
		b.Value(p.Child("=").Next())
	}
}

// csharpBaseFacts reads what a type derives from, and the arguments of the base's constructor.
func csharpBaseFacts(b *core.FactBuilder, list syntax.Node) {
	var last code.Ref
	pos := 0
	for n := range list.Inner() {
		args := n
		switch n.Kind() {
		case "argument_list":
		case "primary_constructor_base_type":
			last, pos = b.Type(n.Field("type")), n.Start()
			csharpBase(b, last)
			args = n.Child("argument_list")
		default:
			last, pos, args = b.Type(n), n.Start(), syntax.Node{}
			csharpBase(b, last)
		}
		if args.Ok() && last != 0 {
			b.Call(code.OpNew, last, csharpArguments(b, args), pos)
		}
	}
}

// csharpBase adds a base. Its name means what it means around the type.
func csharpBase(b *core.FactBuilder, typ code.Ref) {
	s := &b.Scopes[b.Scope]
	if typ == 0 {
		return
	}
	s.Bases = append(s.Bases, code.Base{Type: typ})
	for x := typ; x != 0; x = b.Exprs[x].X {
		if e := &b.Exprs[x]; e.Op == code.OpName {
			e.Scope = s.Parent
		}
	}
}

// csharpTypeParams binds the type parameters of a type or a function, each with the
// first of its constraints that is a type.
func csharpTypeParams(b *core.FactBuilder, n syntax.Node) {
	list := n.Child("type_parameter_list")
	for p := range list.Inner() {
		name := p.Field("name")
		b.Define(code.Def{Name: name.Text(), Kind: code.DefTypeParam, Line: int32(name.Line()), Type: csharpBound(b, n, name.Text())})
	}
}

func csharpBound(b *core.FactBuilder, n syntax.Node, name string) code.Ref {
	for _, clause := range core.ChildrenOf(n, "type_parameter_constraints_clause") {
		if clause.First().Text() != name {
			continue
		}
		for _, c := range core.ChildrenOf(clause, "type_parameter_constraint") {
			if bound := b.Type(c.Field("type")); bound != 0 {
				return bound
			}
		}
	}
	return 0
}

// csharpDelegateFacts binds a delegate as another name for a type of functions.
func csharpDelegateFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	result := b.Type(n.Field("type"))
	var params []code.Ref
	for p := range n.Field("parameters").Inner() {
		params = append(params, b.Type(p.Field("type")))
	}
	b.Define(code.Def{
		Name: name.Text(), Kind: code.DefAlias, Line: int32(name.Line()), Exported: true,
		Type: b.Group(code.OpFuncType, result, params),
	})
}

// csharpAttributeFacts reads an attribute: a call of a constructor, of a type whose
// name need not have its end.
func csharpAttributeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	args := csharpArguments(b, n.Child("attribute_argument_list"))
	typ := b.Type(name)
	if typ == 0 {
		return
	}
	if e := b.Exprs[typ]; !strings.HasSuffix(e.Name, "Attribute") && (e.Op == code.OpName || e.Op == code.OpSelect) {
		b.Exprs[typ].Name += "Attribute"
	}
	b.Call(code.OpNew, typ, args, name.Start())
}
