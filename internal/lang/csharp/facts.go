package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// factRules describes how scopes, bindings and expressions are read. A namespace is a scope
// with its full name. Constructors are bound in their type under the type's name, an indexer
// is "this[]", and a property with a body is a getter.
var factRules = &core.FactRules{Visit: visit, Value: expression, Type: typeRef}

// visit reads declarations and statements, and passes on expressions.
func visit(b *core.FactBuilder, n syntax.Node) bool {
	switch kind := n.Kind(); kind {
	case "using_directive", "extern_alias_directive":
		if n.Has("global") && !n.Has("=") { // applies to all files of the project
			b.DefineIn(0, code.Def{Name: "using", Kind: code.DefField, Value: b.Value(syntax.LastNamedChild(n)), Line: int32(n.Line())})
		}
	case "namespace_declaration", "file_scoped_namespace_declaration":
		namespaceScope(b, n)
	case "class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration":
		typeFacts(b, n)
	case "delegate_declaration":
		delegateFacts(b, n)
	case "enum_member_declaration":
		b.Define(code.Def{Name: n.Field("name").Text(), Kind: code.DefMember, Line: int32(n.Line()), Static: true, Exported: true})
		b.Value(n.Field("value"))
	case "method_declaration", "operator_declaration", "conversion_operator_declaration", "destructor_declaration",
		"constructor_declaration", "local_function_statement":
		functionFacts(b, n)
	case "property_declaration", "indexer_declaration", "event_declaration":
		propertyFacts(b, n)
	case "field_declaration", "event_field_declaration":
		fieldFacts(b, n)
	case "attribute":
		attributeFacts(b, n)
	default:
		if statement(b, n) {
			return true
		}
		if !expressions[kind] {
			return false
		}
		b.Value(n)
	}
	return true
}

// namespaceScope reads a namespace: a scope for each part of its name, named by the full name up
// to there. A file-scoped one lasts to the end of the file.
func namespaceScope(b *core.FactBuilder, n syntax.Node) {
	around, name, to := b.Scope, n.Field("name"), n.End()
	if n.Is("file_scoped_namespace_declaration") {
		to = n.Parent().End()
	}
	for part := range strings.SplitSeq(srctext.OneLine(name.Text()), ".") {
		full := part
		if s := b.Scopes[b.Scope]; s.Kind == code.SpaceScope {
			full = srctext.Join(s.Name, part)
		}
		in := b.Scope
		scope := b.OpenScope(code.SpaceScope, full, n.Start(), to)
		b.DefineIn(in, code.Def{Name: part, Kind: code.DefSpace, Scope: scope, Line: int32(name.Line()), Exported: true})
	}
	if n.Is("file_scoped_namespace_declaration") {
		return // the following declarations belong to it
	}
	b.WalkChildren(n.Field("body"))
	b.Scope = around
}

// typeFacts reads a class, struct, interface, enum or record.
func typeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	around := b.Scope
	scope := b.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	b.Symbol(scope, name.Start())
	marks := modifiers(n)
	b.DefineIn(around, code.Def{
		Name: name.Text(), Kind: code.DefType, Scope: scope, Line: int32(name.Line()),
		Static: slices.Contains(marks, "static"), Abstract: slices.Contains(marks, "abstract") || n.Is("interface_declaration"),
		Hidden: slices.Contains(marks, "file"), Exported: !slices.Contains(marks, "private"),
	})
	typeParams(b, n)
	if list := n.Child("parameter_list"); list.Ok() {
		for p := range list.NamedSeq() {
			component(b, n, p)
		}
	}
	baseFacts(b, n.Child("base_list"))
	for c := range n.NamedSeq() {
		if c.Is("attribute_list") {
			b.Walk(c)
		}
	}
	b.WalkChildren(n.Field("body"))
	b.CloseScope()
}

// component binds a primary constructor parameter p of the type n: a property in a
// record, visible in the whole body in a class.
func component(b *core.FactBuilder, n, p syntax.Node) {
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

// baseFacts reads the base types of a type and the arguments of the base constructor.
func baseFacts(b *core.FactBuilder, list syntax.Node) {
	var last code.Ref
	pos := 0
	for n := range list.NamedSeq() {
		args := n
		switch n.Kind() {
		case "argument_list":
		case "primary_constructor_base_type":
			last, pos = b.Type(n.Field("type")), n.Start()
			base(b, last)
			args = n.Child("argument_list")
		default:
			last, pos, args = b.Type(n), n.Start(), syntax.Node{}
			base(b, last)
		}
		if args.Ok() && last != 0 {
			b.Call(code.OpNew, last, arguments(b, args), pos)
		}
	}
}

// base adds a base type. Its name is resolved outside the type.
func base(b *core.FactBuilder, typ code.Ref) {
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

// typeParams binds the type parameters of a type or a function, each with its first
// constraint that is a type.
func typeParams(b *core.FactBuilder, n syntax.Node) {
	list := n.Child("type_parameter_list")
	for p := range list.NamedSeq() {
		name := p.Field("name")
		b.Define(code.Def{Name: name.Text(), Kind: code.DefTypeParam, Line: int32(name.Line()), Type: boundHere(b, n, name.Text())})
	}
}

func boundHere(b *core.FactBuilder, n syntax.Node, name string) code.Ref {
	for _, clause := range syntax.ChildrenOf(n, "type_parameter_constraints_clause") {
		if clause.First().Text() != name {
			continue
		}
		for _, c := range syntax.ChildrenOf(clause, "type_parameter_constraint") {
			if bound := b.Type(c.Field("type")); bound != 0 {
				return bound
			}
		}
	}
	return 0
}

// delegateFacts binds a delegate as an alias of a function type.
func delegateFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	result := b.Type(n.Field("type"))
	var params []code.Ref
	for p := range n.Field("parameters").NamedSeq() {
		params = append(params, b.Type(p.Field("type")))
	}
	b.Define(code.Def{
		Name: name.Text(), Kind: code.DefAlias, Line: int32(name.Line()), Exported: true,
		Type: b.Group(code.OpFuncType, result, params),
	})
}

// attributeFacts reads an attribute as a constructor call. The "Attribute" suffix of its
// type may be omitted.
func attributeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	args := arguments(b, n.Child("attribute_argument_list"))
	typ := b.Type(name)
	if typ == 0 {
		return
	}
	if e := b.Exprs[typ]; !strings.HasSuffix(e.Name, "Attribute") && (e.Op == code.OpName || e.Op == code.OpSelect) {
		b.Exprs[typ].Name += "Attribute"
	}
	b.Call(code.OpNew, typ, args, name.Start())
}
