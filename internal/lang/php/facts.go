package php

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// facts are the rules for PHP's scopes, bindings and expressions. Variables and
// properties are bound with their "$", which separates them from functions, methods and
// constants. A qualified name is one name, as written.
var facts = &core.FactRules{Visit: visit, Value: valueRef, Type: typeRef}

// visit reads declarations and statements. It delegates expressions.
func visit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "namespace_definition":
		namespaceFacts(b, n)
	case "namespace_use_declaration", "text", "php_tag":
	case "class_declaration", "interface_declaration", "trait_declaration", "enum_declaration":
		classFacts(b, n)
	case "function_definition", "method_declaration":
		functionFacts(b, n)
	case "const_declaration":
		constFacts(b, n)
	case "property_declaration":
		propertyFacts(b, n)
	case "enum_case":
		name := n.Field("name")
		b.Value(n.Field("value"))
		b.Define(code.Def{Name: name.Text(), Kind: code.DefMember, Line: int32(name.Line()), Static: true, Exported: true})
	case "use_declaration":
		traits(b, n)
	case "attribute":
		name := n.First()
		b.Call(code.OpNew, b.Type(name), argumentRefs(b, n.Field("parameters")), name.Start())
	default:
		if statementFacts(b, n) {
			return true
		}
		if !expressions[n.Kind()] {
			return false
		}
		b.Value(n)
	}
	return true
}

// namespaceFacts reads a namespace. Without a block, a namespace lasts until the next
// one.
func namespaceFacts(b *core.FactBuilder, n syntax.Node) {
	b.Scope = 0
	name, body := nameText(n.Field("name")), n.Field("body")
	if name == "" {
		b.WalkChildren(body)
		return
	}
	to := n.Parent().End()
	if body.Ok() {
		to = body.End()
	}
	scope := b.OpenScope(code.SpaceScope, name, n.Start(), to)
	b.DefineIn(0, code.Def{Name: name, Kind: code.DefSpace, Scope: scope, Line: int32(n.Line()), Exported: true})
	if body.Ok() {
		b.WalkChildren(body)
		b.CloseScope()
	}
}

// outerScope returns the enclosing file or namespace scope. Functions and classes are
// bound there, wherever they are declared.
func outerScope(b *core.FactBuilder) int32 {
	s := b.Scope
	for k := b.Scopes[s].Kind; k != code.FileScope && k != code.SpaceScope; k = b.Scopes[s].Kind {
		s = b.Scopes[s].Parent
	}
	return s
}

// symbol sets the symbol of a scope. In a namespace other than the file's, the
// symbol's name includes the namespace.
func symbol(b *core.FactBuilder, scope int32, at int) {
	b.Symbol(scope, at)
	s := &b.Scopes[scope]
	if name := b.Enclosing(at); s.Symbol == "" && strings.HasSuffix(name, `\`+s.Name) {
		s.Symbol = name
	}
}

// classFacts reads a class, interface, trait or enumeration.
func classFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	outside, around := outerScope(b), b.Scope
	b.Scope = outside
	scope := b.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	symbol(b, scope, name.Start())
	b.DefineIn(outside, code.Def{
		Name: name.Text(), Kind: code.DefType, Scope: scope, Line: int32(name.Line()), Exported: true,
		Abstract: n.Is("interface_declaration") || n.Has("abstract_modifier"),
	})
	classBody(b, n, n.Field("body"))
	b.Scope = around
}

// classBody reads the bases, documented properties and members of a class.
func classBody(b *core.FactBuilder, n, body syntax.Node) {
	for _, list := range []string{"base_clause", "class_interface_clause"} {
		for base := range n.Child(list).NamedSeq() {
			addBase(b, code.Base{Type: b.Type(base), Implements: list == "class_interface_clause"})
		}
	}
	for _, list := range syntax.ChildrenOf(n, "attribute_list") {
		b.Walk(list)
	}
	documentedFacts(b, n)
	b.WalkChildren(body)
}

func addBase(b *core.FactBuilder, base code.Base) {
	s := &b.Scopes[b.Scope]
	if base.Type == 0 || s.Kind != code.TypeScope {
		return
	}
	at := len(s.Bases)
	if base.Embeds { // trait methods override inherited ones
		at = slices.IndexFunc(s.Bases, func(b code.Base) bool { return !b.Embeds })
	}
	if at < 0 {
		at = len(s.Bases)
	}
	s.Bases = slices.Insert(s.Bases, at, base)
}

// traits reads the traits that a class uses, and the aliases of their methods.
func traits(b *core.FactBuilder, n syntax.Node) {
	for c := range n.NamedSeq() {
		if !c.Is("use_list") {
			addBase(b, code.Base{Type: b.Type(c), Embeds: true})
			continue
		}
		for _, as := range syntax.ChildrenOf(c, "use_as_clause") {
			method, name := as.First(), syntax.LastNamedChild(as)
			if !name.Is("name") || method == name {
				continue
			}
			of := b.Value(method)
			if method.Is("name") {
				of = b.Select(b.ThisAt(method), method.Text(), method.Start())
			}
			b.Define(code.Def{Name: name.Text(), Kind: code.DefField, Value: of, Line: int32(name.Line())})
		}
	}
}

// constFacts binds the constants of a class or a namespace.
func constFacts(b *core.FactBuilder, n syntax.Node) {
	kind, scope := code.DefVar, outerScope(b)
	if b.Scopes[b.Scope].Kind == code.TypeScope {
		kind, scope = code.DefField, b.Scope
	}
	for _, c := range syntax.ChildrenOf(n, "const_element") {
		name := c.First()
		value := b.Value(syntax.LastNamedChild(c))
		b.DefineIn(scope, code.Def{Name: name.Text(), Kind: kind, Value: value, Line: int32(name.Line()), Static: true, Exported: true})
	}
}

// propertyFacts binds properties. The type is the declared one, else the documented
// one.
func propertyFacts(b *core.FactBuilder, n syntax.Node) {
	typ := b.Type(n.Field("type"))
	if typ == 0 {
		typ = docFactsOf(b, n).variable("")
	}
	for _, list := range syntax.ChildrenOf(n, "attribute_list") {
		b.Walk(list)
	}
	for _, p := range syntax.ChildrenOf(n, "property_element") {
		name := p.First()
		value := b.Value(p.Child("property_initializer").First())
		b.Define(code.Def{
			Name: name.Text(), Kind: code.DefField, Type: typ, Value: value, Line: int32(name.Line()),
			Static: n.Has("static_modifier"), Exported: !n.Child("visibility_modifier").TextIs("private"),
		})
	}
}

// functionFacts reads a function or method.
func functionFacts(b *core.FactBuilder, n syntax.Node) {
	name, body := n.Field("name"), n.Field("body")
	in, around := b.Scope, b.Scope
	method := b.Scopes[in].Kind == code.TypeScope
	if !method {
		in = outerScope(b)
	}
	b.Scope = in
	scope := b.OpenScope(code.FuncScope, name.Text(), n.Start(), n.End())
	b.DefineIn(in, code.Def{
		Name: name.Text(), Kind: code.DefFunc, Scope: scope, Line: int32(name.Line()),
		Static: n.Has("static_modifier"), Abstract: method && !body.Ok(), Exported: !n.Child("visibility_modifier").TextIs("private"),
	})
	symbol(b, scope, name.Start())
	docs := docFactsOf(b, n)
	docs.templates()
	paramFacts(b, n.Field("parameters"), docs)
	result := b.Type(n.Field("return_type"))
	if result == 0 {
		result = docs.result()
	}
	b.Scopes[scope].Result, b.Scopes[scope].Body = result, body.Ok()
	docs.globals()
	for _, list := range syntax.ChildrenOf(n, "attribute_list") {
		b.Walk(list)
	}
	b.WalkChildren(body)
	b.Scope = around
}

// paramFacts binds parameters. A parameter with a visibility also binds a property.
func paramFacts(b *core.FactBuilder, list syntax.Node, docs docFacts) {
	for p := range list.NamedSeq() {
		name := p.Field("name")
		if !p.Is("simple_parameter", "variadic_parameter", "property_promotion_parameter") || !name.Ok() {
			continue
		}
		d := code.Def{
			Name: "$" + strings.TrimLeft(name.Text(), "&.$"), Kind: code.DefParam, Line: int32(name.Line()),
			Type: b.Type(p.Field("type")), Variadic: p.Is("variadic_parameter"),
		}
		if d.Type == 0 {
			d.Type = docs.parameter(d.Name)
		}
		if value := p.Field("default_value"); value.Ok() {
			d.Value, d.Optional = b.Value(value), true
		}
		for _, l := range syntax.ChildrenOf(p, "attribute_list") {
			b.Walk(l)
		}
		b.Define(d)
		if p.Is("property_promotion_parameter") {
			d.Kind, d.Value, d.Exported = code.DefField, 0, !p.Field("visibility").TextIs("private")
			b.DefineIn(b.Scopes[b.Scope].Parent, d)
		}
	}
}

// scalars are the types without members.
var scalars = strings.Fields("array bool boolean callable class-string double false float int integer iterable mixed never null object resource scalar string true void numeric")

// typeRef returns the type that a node names, or 0 for a type without members.
func typeRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "named_type", "optional_type":
		return b.Type(n.First())
	case "union_type", "intersection_type", "type_list", "disjunctive_normal_form_type":
		return b.Either(typeRefs(b, n)...)
	case "name", "qualified_name", "relative_scope":
		return namedType(b, strings.Join(strings.Fields(n.Text()), ""), n.Start())
	}
	return 0
}

func typeRefs(b *core.FactBuilder, n syntax.Node) []code.Ref {
	var out []code.Ref
	for c := range n.NamedSeq() {
		out = append(out, b.Type(c))
	}
	return out
}

// namedType returns the class with the given name. static is the class of $this.
func namedType(b *core.FactBuilder, name string, at int) code.Ref {
	low := strings.ToLower(name)
	this := code.Expr{Op: code.OpThis, Scope: b.Scope, Pos: int32(at), Line: int32(b.Line(at))}
	switch {
	case low == "static":
		return b.Add(this)
	case low == "self":
		return b.Apply(code.OpTypeOf, b.Add(this))
	case low == "parent":
		this.Op = code.OpSuper
		return b.Apply(code.OpTypeOf, b.Add(this))
	case slices.Contains(scalars, low):
		return 0
	}
	return b.TypeName(name, at, 0)
}

// className returns the class that n names in new, instanceof or a static access.
func className(b *core.FactBuilder, n syntax.Node) code.Ref {
	if strings.EqualFold(n.Text(), "static") {
		return b.Apply(code.OpTypeOf, b.ThisAt(n))
	}
	return b.Type(n)
}
