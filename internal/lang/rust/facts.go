package rust

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// facts are the rules for Rust's scopes, bindings and expressions. A macro is bound
// with its mark: "vec!". An impl block is a type scope with an owner. An enum variant
// is a type based on the enum, because it has fields. Box and other smart pointers are
// treated as the value they point to.
var facts = &core.FactRules{Visit: visit, Value: valueRef, Type: typeRef}

func visit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "mod_item":
		moduleFacts(b, n)
	case "function_item", "function_signature_item":
		functionFacts(b, n)
	case "struct_item", "union_item":
		structFacts(b, n)
	case "enum_item":
		enumFacts(b, n)
	case "trait_item":
		traitFacts(b, n)
	case "impl_item":
		implFacts(b, n)
	case "const_item", "static_item":
		constantFacts(b, n)
	case "type_item", "associated_type":
		aliasFacts(b, n)
	case "macro_definition":
		macroFacts(b, n)
	case "use_declaration", "extern_crate_declaration", "attribute_item", "inner_attribute_item", "visibility_modifier":
	default:
		return visitStatement(b, n)
	}
	return true
}

// visitStatement reads the statements and expressions in functions.
func visitStatement(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "let_declaration":
		letFacts(b, n)
	case "block", "match_arm", "if_expression", "while_expression", "for_expression", "closure_expression", "call_expression",
		"macro_invocation", "struct_expression", "return_expression", "scoped_identifier", "generic_function", "match_expression":
		b.Value(n)
	case "field_expression":
		b.Walk(n.Field("value"))
	case "identifier":
		b.Mention(n.Text(), n.Start())
	case "let_condition":
		bind(b, n.Field("pattern"), b.Value(n.Field("value")), n.End())
	case "label", "lifetime", "token_tree":
	default:
		if strings.HasSuffix(n.Kind(), "_type") || n.Is("type_identifier", "scoped_type_identifier", "type_arguments") {
			b.Type(n)
			return true
		}
		return false
	}
	return true
}

func isPublic(n syntax.Node) bool { return n.Child("visibility_modifier").Ok() }

// defOf returns a binding for the declaration n.
func defOf(n syntax.Node, kind code.DefKind) code.Def {
	name := n.Field("name")
	return code.Def{Name: name.Text(), Kind: kind, Line: int32(name.Line()), Exported: isPublic(n)}
}

// openDef binds the declaration n, opens its scope and sets the scope's symbol.
func openDef(b *core.FactBuilder, n syntax.Node, kind code.DefKind, in code.ScopeKind) *code.Scope {
	d := defOf(n, kind)
	def := b.Define(d)
	def.Scope = b.OpenScope(in, d.Name, n.Start(), n.End())
	b.Symbol(b.Scope, n.Field("name").Start())
	s := &b.Scopes[b.Scope]
	s.Body = true
	return s
}

// moduleFacts reads an inline module.
func moduleFacts(b *core.FactBuilder, n syntax.Node) {
	if body := n.Field("body"); body.Ok() {
		openDef(b, n, code.DefSpace, code.SpaceScope)
		b.WalkChildren(body)
		b.CloseScope()
	}
}

func functionFacts(b *core.FactBuilder, n syntax.Node) {
	body := n.Field("body")
	inType := b.Scopes[b.Scope].Kind == code.TypeScope
	self := receiverOf(n.Field("parameters"))
	s := openDef(b, n, code.DefFunc, code.FuncScope)
	at := b.Scope
	s.Body = body.Ok()
	def := &b.Scopes[s.Parent].Defs[len(b.Scopes[s.Parent].Defs)-1]
	def.Static = inType && self == ""
	def.Abstract = inType && !body.Ok()
	s.Async = n.Child("function_modifiers").Has("async")
	if marks := attributesOf(n); slices.ContainsFunc(marks, isTestAttribute) {
		s.Decorators = marks // declarations for tests alone are no symbols of the file
	}
	typeParams(b, n)
	for p := range n.Field("parameters").NamedSeq() {
		param(b, p)
	}
	result := b.Type(n.Field("return_type"))
	b.Scopes[at].Result = result
	if body.Ok() {
		bodyValue(b, body)
	}
	b.CloseScope()
}

// bodyValue reads the statements of a function body and returns the value of the last
// expression.
func bodyValue(b *core.FactBuilder, body syntax.Node) code.Ref {
	var last code.Ref
	for c := range body.NamedSeq() {
		last = 0
		if isStatement(c) {
			b.Walk(c)
			continue
		}
		last = b.Value(c)
	}
	return last
}

func isStatement(n syntax.Node) bool {
	switch n.Kind() {
	case "expression_statement", "let_declaration", "empty_statement", "attribute_item", "inner_attribute_item":
		return true
	}
	return strings.HasSuffix(n.Kind(), "_item") || strings.HasSuffix(n.Kind(), "_declaration") || n.Is("macro_definition")
}

func param(b *core.FactBuilder, p syntax.Node) {
	if !p.Is("parameter") || p.Field("pattern").Is("self") {
		return
	}
	pattern := p.Field("pattern")
	patternParam(b, pattern, b.Type(p.Field("type")))
}

// patternParam binds a parameter and the names in its pattern.
func patternParam(b *core.FactBuilder, pattern syntax.Node, typ code.Ref) {
	for pattern.Is("mut_pattern", "ref_pattern", "reference_pattern") && pattern.First().Ok() {
		pattern = innerPattern(pattern)
	}
	d := code.Def{Name: pattern.Text(), Kind: code.DefParam, Type: typ, Line: int32(pattern.Line())}
	if pattern.Is("identifier") {
		b.Define(d)
		return
	}
	d.Name = "pattern at " + pattern.Text()
	if pattern.Is("_") || !pattern.Named() {
		d.Name = "_"
	}
	b.Define(d)
	bind(b, pattern, b.Name(d.Name, pattern.Start()), 0)
}

// typeParams binds the type parameters of n with their bounds.
func typeParams(b *core.FactBuilder, n syntax.Node) {
	for p := range n.Field("type_parameters").NamedSeq() {
		var name, bounds syntax.Node
		switch p.Kind() {
		case "type_identifier":
			name = p
		case "constrained_type_parameter":
			name, bounds = p.Field("left"), p.Field("bounds")
		case "optional_type_parameter":
			name = p.Field("name")
			if name.Is("constrained_type_parameter") {
				name, bounds = name.Field("left"), name.Field("bounds")
			}
		}
		if name.Is("type_identifier") {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefTypeParam, Line: int32(name.Line()), Type: boundsRef(b, bounds)})
		}
	}
	for p := range n.Child("where_clause").NamedSeq() {
		name := p.Field("left")
		list := b.Scopes[b.Scope].Defs
		for i := range list {
			if list[i].Kind == code.DefTypeParam && list[i].Name == name.Text() {
				bound := b.Either(list[i].Type, boundsRef(b, p.Field("bounds")))
				b.Scopes[b.Scope].Defs[i].Type = bound
			}
		}
	}
}

// boundsRef returns the union of the traits in bounds.
func boundsRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	var list []code.Ref
	for t := range n.NamedSeq() {
		if !t.Is("lifetime", "removed_trait_bound") {
			list = append(list, b.Type(t))
		}
	}
	return b.Either(list...)
}

func structFacts(b *core.FactBuilder, n syntax.Node) {
	openDef(b, n, code.DefType, code.TypeScope)
	typeParams(b, n)
	fieldFacts(b, n.Field("body"))
	b.CloseScope()
}

// fieldFacts binds the fields of a struct or variant. Fields of tuples are named by
// their numbers.
func fieldFacts(b *core.FactBuilder, body syntax.Node) {
	number := 0
	for c := range body.Children() {
		switch {
		case c.Is("field_declaration"):
			d := defOf(c, code.DefField)
			d.Name = fieldName(d.Name)
			if typ := b.Type(c.Field("type")); b.Exprs[typ].Op != code.OpFuncType {
				d.Type = typ
			}
			b.Define(d)
		case c.FieldName() == "type":
			b.Define(code.Def{Name: tupleFieldNames[min(number, len(tupleFieldNames)-1)], Kind: code.DefField, Type: b.Type(c), Line: int32(c.Line())})
			number++
		}
	}
}

// fieldName returns the name under which a field is bound. The dot separates fields
// from methods, which have a namespace of their own.
func fieldName(name string) string { return "." + name }

// tupleFieldNames are the names of tuple fields.
var tupleFieldNames = strings.Fields(".0 .1 .2 .3 .4 .5 .6 .7 .8 .9 .10 .11 .12 .13 .14 .15 .more")

func enumFacts(b *core.FactBuilder, n syntax.Node) {
	openDef(b, n, code.DefType, code.TypeScope)
	typeParams(b, n)
	enum := n.Field("name")
	for v := range n.Field("body").NamedSeq() {
		if !v.Is("enum_variant") {
			continue
		}
		b.Walk(v.Field("value"))
		name := v.Field("name")
		def := b.Define(code.Def{Name: name.Text(), Kind: code.DefMember, Line: int32(name.Line()), Exported: true})
		if body := v.Field("body"); body.Ok() {
			def.Kind = code.DefType
			def.Scope = b.OpenScope(code.TypeScope, name.Text(), v.Start(), v.End())
			b.Symbol(b.Scope, name.Start())
			base := b.Name(enum.Text(), enum.Start())
			b.Scopes[b.Scope].Bases = []code.Base{{Type: base}}
			fieldFacts(b, body)
			b.CloseScope()
		}
	}
	b.CloseScope()
}

func traitFacts(b *core.FactBuilder, n syntax.Node) {
	openDef(b, n, code.DefType, code.TypeScope)
	at := b.Scope
	typeParams(b, n)
	for t := range n.Field("bounds").NamedSeq() {
		if t.Is("lifetime", "removed_trait_bound") {
			continue
		}
		base := code.Base{Type: b.Type(t)}
		b.Scopes[at].Bases = append(b.Scopes[at].Bases, base)
	}
	b.WalkChildren(n.Field("body"))
	b.CloseScope()
}

// implFacts reads an impl block, whose members belong to a type declared elsewhere.
func implFacts(b *core.FactBuilder, n syntax.Node) {
	target := n.Field("type")
	s := b.OpenScope(code.TypeScope, typeName(target), n.Start(), n.End())
	b.Scopes[s].Body = true
	typeParams(b, n)
	owner := b.Type(target)
	b.Scopes[s].Owner = owner
	if trait := n.Field("trait"); trait.Ok() && !n.Has("!") {
		base := code.Base{Type: b.Type(trait), Implements: true}
		b.Scopes[s].Bases = append(b.Scopes[s].Bases, base)
	}
	b.WalkChildren(n.Field("body"))
	b.CloseScope()
}

func constantFacts(b *core.FactBuilder, n syntax.Node) {
	d := defOf(n, code.DefVar)
	if b.Scopes[b.Scope].Kind == code.TypeScope {
		d.Kind, d.Static = code.DefField, true // looked up by name, like a method
	}
	d.Type = b.Type(n.Field("type"))
	d.Value = b.Value(n.Field("value"))
	if d.Name != "_" {
		b.Define(d)
	}
}

func aliasFacts(b *core.FactBuilder, n syntax.Node) {
	d := defOf(n, code.DefAlias)
	value := n.Field("type")
	switch {
	case value.Ok() && n.Field("type_parameters").Ok():
		openDef(b, n, code.DefAlias, code.TypeScope)
		parent := b.Scopes[b.Scope].Parent
		at := len(b.Scopes[parent].Defs) - 1
		typeParams(b, n)
		typ := b.Type(value)
		b.Scopes[parent].Defs[at].Type = typ
		b.CloseScope()
	case value.Ok():
		d.Type = b.Type(value)
		b.Define(d)
	default: // an associated type, known by its bounds
		at := b.Scope
		b.Scope = max(b.Scopes[at].Parent, 0) // in type Error = Error the right side is another type
		d.Kind, d.Type = code.DefTypeParam, boundsRef(b, n.Field("bounds"))
		b.Scope = at
		b.Define(d)
	}
}

// macroFacts reads macro_rules!. Paths before brackets in the expansion of a rule count
// as calls by the caller of the macro.
func macroFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	def := b.Define(code.Def{Name: name.Text() + "!", Kind: code.DefFunc, Line: int32(name.Line()), Exported: true})
	def.Scope = b.OpenScope(code.FuncScope, name.Text(), n.Start(), n.End())
	b.Scopes[b.Scope].Body = true
	b.Symbol(b.Scope, name.Start())
	for rule := range n.NamedSeq() {
		if rule.Is("macro_rule") {
			tokenRefs(b, rule.Field("right"))
		}
	}
	b.CloseScope()
}
