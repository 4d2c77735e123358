package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rustFacts reads Rust. A macro is bound with its mark, "vec!". An impl block is a
// type's scope with an owner; a variant of an enum is a type built on it, for it has
// fields. Boxes and the other pointers that lead to what they hold are what they hold.
var rustFacts = &factRules{visit: visitRust, value: valueRust, typ: typeRust}

func visitRust(b *facts, n syntax.Node) bool {
	switch n.Kind() {
	case "mod_item":
		b.rustModule(n)
	case "function_item", "function_signature_item":
		b.rustFunction(n)
	case "struct_item", "union_item":
		b.rustStruct(n)
	case "enum_item":
		b.rustEnum(n)
	case "trait_item":
		b.rustTrait(n)
	case "impl_item":
		b.rustImpl(n)
	case "const_item", "static_item":
		b.rustConstant(n)
	case "type_item", "associated_type":
		b.rustAlias(n)
	case "macro_definition":
		b.rustMacro(n)
	case "use_declaration", "extern_crate_declaration", "attribute_item", "inner_attribute_item", "visibility_modifier":
	default:
		return visitRustStatement(b, n)
	}
	return true
}

// visitRustStatement takes what stands in functions.
func visitRustStatement(b *facts, n syntax.Node) bool {
	switch n.Kind() {
	case "let_declaration":
		b.rustLet(n)
	case "block", "match_arm", "if_expression", "while_expression", "for_expression", "closure_expression", "call_expression",
		"macro_invocation", "struct_expression", "return_expression", "scoped_identifier", "generic_function", "match_expression":
		b.value(n)
	case "field_expression":
		b.walk(n.Field("value"))
	case "identifier":
		b.mention(n.Text(), n.Start())
	case "let_condition":
		b.rustBind(n.Field("pattern"), b.value(n.Field("value")), n.End())
	case "label", "lifetime", "token_tree":
	default:
		if strings.HasSuffix(n.Kind(), "_type") || n.Is("type_identifier", "scoped_type_identifier", "type_arguments") {
			b.typ(n)
			return true
		}
		return false
	}
	return true
}

func isRustPublic(n syntax.Node) bool { return n.Child("visibility_modifier").Ok() }

// rustDef is a binding of what n declares.
func (b *facts) rustDef(n syntax.Node, kind code.DefKind) code.Def {
	name := n.Field("name")
	return code.Def{Name: name.Text(), Kind: kind, Line: int32(name.Line()), Exported: isRustPublic(n)}
}

// rustOpen binds what n declares, opens its scope and gives it its symbol.
func (b *facts) rustOpen(n syntax.Node, kind code.DefKind, in code.ScopeKind) *code.Scope {
	d := b.rustDef(n, kind)
	def := b.def(d)
	def.Scope = b.open(in, d.Name, n.Start(), n.End())
	b.symbol(b.scope, n.Field("name").Start())
	s := &b.Scopes[b.scope]
	s.Body = true
	return s
}

// rustModule reads a module of this file.
func (b *facts) rustModule(n syntax.Node) {
	if body := n.Field("body"); body.Ok() {
		b.rustOpen(n, code.DefSpace, code.SpaceScope)
		b.below(body)
		b.shut()
	}
}

func (b *facts) rustFunction(n syntax.Node) {
	body := n.Field("body")
	inType := b.Scopes[b.scope].Kind == code.TypeScope
	self := rustSelf(n.Field("parameters"))
	s := b.rustOpen(n, code.DefFunc, code.FuncScope)
	at := b.scope
	s.Body = body.Ok()
	def := &b.Scopes[s.Parent].Defs[len(b.Scopes[s.Parent].Defs)-1]
	def.Static = inType && self == ""
	def.Abstract = inType && !body.Ok()
	s.Async = n.Child("function_modifiers").Has("async")
	b.rustTypeParams(n)
	for p := range n.Field("parameters").Inner() {
		b.rustParam(p)
	}
	result := b.typ(n.Field("return_type"))
	b.Scopes[at].Result = result
	if body.Ok() {
		b.rustBody(body)
	}
	b.shut()
}

// rustBody reads the statements of a function's own block, and returns the value of
// its last expression.
func (b *facts) rustBody(body syntax.Node) code.Ref {
	var last code.Ref
	for c := range body.Inner() {
		last = 0
		if isRustStatement(c) {
			b.walk(c)
			continue
		}
		last = b.value(c)
	}
	return last
}

func isRustStatement(n syntax.Node) bool {
	switch n.Kind() {
	case "expression_statement", "let_declaration", "empty_statement", "attribute_item", "inner_attribute_item":
		return true
	}
	return strings.HasSuffix(n.Kind(), "_item") || strings.HasSuffix(n.Kind(), "_declaration") || n.Is("macro_definition")
}

func (b *facts) rustParam(p syntax.Node) {
	if !p.Is("parameter") || p.Field("pattern").Is("self") {
		return
	}
	pattern := p.Field("pattern")
	b.rustPatternParam(pattern, b.typ(p.Field("type")))
}

// rustPatternParam binds a parameter, and what its pattern takes it apart into.
func (b *facts) rustPatternParam(pattern syntax.Node, typ code.Ref) {
	for pattern.Is("mut_pattern", "ref_pattern", "reference_pattern") && pattern.First().Ok() {
		pattern = rustInnerPattern(pattern)
	}
	d := code.Def{Name: pattern.Text(), Kind: code.DefParam, Type: typ, Line: int32(pattern.Line())}
	if pattern.Is("identifier") {
		b.def(d)
		return
	}
	d.Name = "pattern at " + pattern.Text()
	if pattern.Is("_") || !pattern.Named() {
		d.Name = "_"
	}
	b.def(d)
	b.rustBind(pattern, b.name(d.Name, pattern.Start()), 0)
}

// rustTypeParams binds the type parameters of n with their bounds.
func (b *facts) rustTypeParams(n syntax.Node) {
	for p := range n.Field("type_parameters").Inner() {
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
			b.def(code.Def{Name: name.Text(), Kind: code.DefTypeParam, Line: int32(name.Line()), Type: b.rustBounds(bounds)})
		}
	}
	for p := range n.Child("where_clause").Inner() {
		name := p.Field("left")
		list := b.Scopes[b.scope].Defs
		for i := range list {
			if list[i].Kind == code.DefTypeParam && list[i].Name == name.Text() {
				bound := b.either(list[i].Type, b.rustBounds(p.Field("bounds")))
				b.Scopes[b.scope].Defs[i].Type = bound
			}
		}
	}
}

// rustBounds returns the traits in bounds, as one of them.
func (b *facts) rustBounds(n syntax.Node) code.Ref {
	var list []code.Ref
	for t := range n.Inner() {
		if !t.Is("lifetime", "removed_trait_bound") {
			list = append(list, b.typ(t))
		}
	}
	return b.either(list...)
}

func (b *facts) rustStruct(n syntax.Node) {
	b.rustOpen(n, code.DefType, code.TypeScope)
	b.rustTypeParams(n)
	b.rustFields(n.Field("body"))
	b.shut()
}

// rustFields binds the fields of a struct or a variant; those without names by
// their numbers.
func (b *facts) rustFields(body syntax.Node) {
	number := 0
	for c := range body.Children() {
		switch {
		case c.Is("field_declaration"):
			d := b.rustDef(c, code.DefField)
			d.Name = rustFieldName(d.Name)
			if typ := b.typ(c.Field("type")); b.Exprs[typ].Op != code.OpFuncType {
				d.Type = typ
			}
			b.def(d)
		case c.FieldName() == "type":
			b.def(code.Def{Name: rustNumbers[min(number, len(rustNumbers)-1)], Kind: code.DefField, Type: b.typ(c), Line: int32(c.Line())})
			number++
		}
	}
}

// rustFieldName is how a field is bound: methods have a space of names of their own.
func rustFieldName(name string) string { return "." + name }

// rustNumbers are the names of the fields of tuples.
var rustNumbers = strings.Fields(".0 .1 .2 .3 .4 .5 .6 .7 .8 .9 .10 .11 .12 .13 .14 .15 .more")

func (b *facts) rustEnum(n syntax.Node) {
	b.rustOpen(n, code.DefType, code.TypeScope)
	b.rustTypeParams(n)
	enum := n.Field("name")
	for v := range n.Field("body").Inner() {
		if !v.Is("enum_variant") {
			continue
		}
		b.walk(v.Field("value"))
		name := v.Field("name")
		def := b.def(code.Def{Name: name.Text(), Kind: code.DefMember, Line: int32(name.Line()), Exported: true})
		if body := v.Field("body"); body.Ok() {
			def.Kind = code.DefType
			def.Scope = b.open(code.TypeScope, name.Text(), v.Start(), v.End())
			b.symbol(b.scope, name.Start())
			base := b.name(enum.Text(), enum.Start())
			b.Scopes[b.scope].Bases = []code.Base{{Type: base}}
			b.rustFields(body)
			b.shut()
		}
	}
	b.shut()
}

func (b *facts) rustTrait(n syntax.Node) {
	b.rustOpen(n, code.DefType, code.TypeScope)
	at := b.scope
	b.rustTypeParams(n)
	for t := range n.Field("bounds").Inner() {
		if t.Is("lifetime", "removed_trait_bound") {
			continue
		}
		base := code.Base{Type: b.typ(t)}
		b.Scopes[at].Bases = append(b.Scopes[at].Bases, base)
	}
	b.below(n.Field("body"))
	b.shut()
}

// rustImpl reads an impl block: members of a type that stands elsewhere.
func (b *facts) rustImpl(n syntax.Node) {
	target := n.Field("type")
	s := b.open(code.TypeScope, rustTypeName(target), n.Start(), n.End())
	b.Scopes[s].Body = true
	b.rustTypeParams(n)
	owner := b.typ(target)
	b.Scopes[s].Owner = owner
	if trait := n.Field("trait"); trait.Ok() && !n.Has("!") {
		base := code.Base{Type: b.typ(trait), Implements: true}
		b.Scopes[s].Bases = append(b.Scopes[s].Bases, base)
	}
	b.below(n.Field("body"))
	b.shut()
}

func (b *facts) rustConstant(n syntax.Node) {
	d := b.rustDef(n, code.DefVar)
	if b.Scopes[b.scope].Kind == code.TypeScope {
		d.Kind, d.Static = code.DefField, true // found by its name alone, as a method is
	}
	d.Type = b.typ(n.Field("type"))
	d.Value = b.value(n.Field("value"))
	if d.Name != "_" {
		b.def(d)
	}
}

func (b *facts) rustAlias(n syntax.Node) {
	d := b.rustDef(n, code.DefAlias)
	value := n.Field("type")
	switch {
	case value.Ok() && n.Field("type_parameters").Ok():
		b.rustOpen(n, code.DefAlias, code.TypeScope)
		parent := b.Scopes[b.scope].Parent
		at := len(b.Scopes[parent].Defs) - 1
		b.rustTypeParams(n)
		typ := b.typ(value)
		b.Scopes[parent].Defs[at].Type = typ
		b.shut()
	case value.Ok():
		d.Type = b.typ(value)
		b.def(d)
	default: // an associated type, known by its bounds
		at := b.scope
		b.scope = max(b.Scopes[at].Parent, 0) // type Error: Error names another
		d.Kind, d.Type = code.DefTypeParam, b.rustBounds(n.Field("bounds"))
		b.scope = at
		b.def(d)
	}
}

// rustMacro reads macro_rules!: the paths before brackets in what its rules give are
// called where the macro is.
func (b *facts) rustMacro(n syntax.Node) {
	name := n.Field("name")
	def := b.def(code.Def{Name: name.Text() + "!", Kind: code.DefFunc, Line: int32(name.Line()), Exported: true})
	def.Scope = b.open(code.FuncScope, name.Text(), n.Start(), n.End())
	b.Scopes[b.scope].Body = true
	b.symbol(b.scope, name.Start())
	for rule := range n.Inner() {
		if rule.Is("macro_rule") {
			b.rustTokens(rule.Field("right"))
		}
	}
	b.shut()
}
