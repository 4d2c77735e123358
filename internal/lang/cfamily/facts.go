package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// factRules reads the facts of C and C++. In C, tags are bound as "struct x", whichever keyword
// they have: they have their own name space (C11 6.2.3), and a local x of type struct x is
// common.
var factRules = &core.FactRules{Visit: visitC, Value: valueC, Type: typeC}

func visitC(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "function_definition":
		return functionFacts(b, n)
	case "declaration", "field_declaration":
		declarationFacts(b, n)
	case "type_definition":
		typedef(b, n)
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		b.Type(n)
	case "preproc_function_def":
		functionMacro(b, n)
	case "preproc_def":
		plainMacro(b, n)
	case "preproc_if", "preproc_elif":
		return condition(b, n)
	case "goto_statement", "preproc_include", "preproc_call":
	default:
		return visitCStatement(b, n)
	}
	return true
}

// visitCStatement reads the statements of functions.
func visitCStatement(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "if_statement", "while_statement":
		return macroHead(b, n) || blockScope(b, n)
	case "compound_statement", "for_statement", "switch_statement":
		return blockScope(b, n)
	case "expression_statement":
		return macroStatement(b, n)
	case "return_statement":
		return returnFacts(b, n)
	case "call_expression", "assignment_expression", "conditional_expression", "cast_expression", "compound_literal_expression",
		"parenthesized_expression", "pointer_expression":
		b.Value(n)
	case "field_expression":
		b.Walk(n.Field("argument"))
	case "identifier":
		b.Mention(n.Text(), n.Start())
	case "labeled_statement":
		labelled(b, n)
	case "initializer_list", "argument_list":
		arguments(b, n)
	case "initializer_pair":
		argument(b, n.Field("value"))
	default:
		return isCPP(b) && visitCPP(b, n)
	}
	return true
}

// labelled reads the statement after a label, before which comments may stand.
func labelled(b *core.FactBuilder, n syntax.Node) {
	for c := range n.NamedSeq() {
		if c.FieldName() != "label" {
			b.Walk(c)
		}
	}
}

func isCPP(b *core.FactBuilder) bool { return b.File.Language == "cpp" }

// condition skips text disabled by #if 0.
func condition(b *core.FactBuilder, n syntax.Node) bool {
	if !n.Field("condition").TextIs("0") {
		return false
	}
	b.Walk(n.Field("alternative"))
	return true
}

// blockScope opens a scope for a statement that declares a name.
func blockScope(b *core.FactBuilder, n syntax.Node) bool {
	declares := n.Has("declaration") || n.Field("initializer").Is("declaration")
	if c := n.Field("condition"); isCPP(b) && c.Ok() {
		declares = declares || c.Has("declaration") || c.Has("init_statement")
	}
	if !declares && isCPP(b) {
		declares = n.Has("alias_declaration") || n.Has("using_declaration")
	}
	if !declares {
		return false
	}
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	b.WalkChildren(n)
	b.CloseScope()
	return true
}

// returnFacts records the returned value of a function without a declared result type: a lambda or
// auto.
func returnFacts(b *core.FactBuilder, n syntax.Node) bool {
	around := n.Ancestor("function_definition", "lambda_expression")
	if !isCPP(b) || b.Scopes[b.Function()].Result != 0 || around.Is("function_definition") && !around.Field("type").Is("placeholder_type_specifier") {
		return false
	}
	b.Returns(b.Value(n.First()))
	return true
}

// functionFacts reads a function definition.
func functionFacts(b *core.FactBuilder, n syntax.Node) bool {
	d := declaratorOf(n.Field("declarator"))
	if !d.function.Ok() || inWord(b, d.full) || !isCPP(b) && d.headOfMacro() {
		return functionOfMacro(b, n, (&reader{Reader: b.Reader}).headStart(n, &d))
	}
	if notNames[d.text()] {
		return false
	}
	at := b.Scope
	if n.Parent().Is("friend_declaration") { // a function of the enclosing namespace
		for b.Scopes[b.Scope].Kind == code.TypeScope {
			b.Scope = b.Scopes[b.Scope].Parent
		}
	}
	body := n.Child("compound_statement", "try_statement", "constructor_try_statement")
	openFunction(b, n, &d, true)
	for c := range n.NamedSeq() { // old-style parameters, initialisers
		switch {
		case c.Is("declaration"):
			oldStyle(b, c)
		case c.Is("field_initializer_list"):
			cppInitialisers(b, c)
		}
	}
	b.WalkChildren(body)
	if body.Ok() {
		hiddenUses(b, body)
	}
	if !isCPP(b) {
		dropUntyped(b)
	}
	b.CloseScope()
	b.Scope = at
	return true
}

// openFunction binds the function that d declares in n and opens its scope.
func openFunction(b *core.FactBuilder, n syntax.Node, d *declarator, defined bool) {
	name, pos := d.text(), d.name.Start()
	owner := cppOwner(b, d)
	result := n.Field("type")
	if trailing := d.function.Child("trailing_return_type"); trailing.Ok() {
		result = trailing.First()
	} else if d.name.Is("operator_cast") {
		result = d.name.Field("type")
	}
	member := b.Scopes[b.Scope].Kind == code.TypeScope
	f := b.Define(code.Def{
		Name: name, Kind: code.DefFunc, Line: int32(b.Line(pos)), Exported: true,
		Abstract: n.Has("pure_virtual_clause"), Static: member && hasSpecifier(n, "static"),
		Hidden: !member && (hasSpecifier(n, "static") || unnamedSpace(b, n)),
	})
	f.Exported = !f.Hidden
	s := b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	f.Scope = s
	b.Scopes[s].Body = defined
	symbol(b, s, pos)
	if isCPP(b) {
		cppTemplateParameters(b, n)
	}
	b.Scopes[s].Owner = owner
	b.Scopes[s].Result = declaredType(b, b.Type(result), d.top, d.function)
	if defined || isCPP(b) {
		parameters(b, d.function.Field("parameters"))
	}
}

// symbol links a scope to the symbol declared by the name at an offset. Symbols' names
// include the enclosing namespaces.
func symbol(b *core.FactBuilder, scope int32, offset int) {
	s := &b.Scopes[scope]
	name := b.Enclosing(offset)
	before, ok := strings.CutSuffix(name, s.Name)
	if !ok || before != "" && !strings.ContainsAny(before[len(before)-1:], ".: ") {
		return
	}
	for p := s.Parent; p >= 0; p = b.Scopes[p].Parent {
		if b.Scopes[p].Symbol == name {
			return
		}
	}
	s.Symbol = name
}

// parameters binds the parameters of a function.
func parameters(b *core.FactBuilder, list syntax.Node) {
	for p := range list.Children() {
		switch p.Kind() {
		case "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration":
			parameter(b, p)
		case "variadic_parameter", "...":
			b.Define(code.Def{Name: "...", Kind: code.DefParam, Variadic: true, Line: int32(p.Line())})
		case "identifier":
			b.Define(code.Def{Name: p.Text(), Kind: code.DefParam, Line: int32(p.Line())})
		}
	}
}

func parameter(b *core.FactBuilder, p syntax.Node) {
	top := p.Field("declarator")
	d := declaratorOf(top)
	if !top.Ok() && p.Field("type").TextIs("void") {
		return
	}
	def := code.Def{Kind: code.DefParam, Line: int32(p.Line()), Variadic: p.Is("variadic_parameter_declaration")}
	if d.name.Ok() && !strings.HasPrefix(top.Kind(), "abstract_") {
		def.Name = d.text()
	}
	def.Type = declaredType(b, b.Type(p.Field("type")), top, syntax.Node{})
	if value := p.Field("default_value"); value.Ok() {
		def.Optional, def.Value = true, b.Value(value)
	}
	b.Define(def)
}

// oldStyle sets the types of the parameters of an old-style definition (C11 6.9.1).
func oldStyle(b *core.FactBuilder, n syntax.Node) {
	base := b.Type(n.Field("type"))
	for top := range n.Children() {
		if top.FieldName() != "declarator" {
			continue
		}
		d := declaratorOf(top)
		name, list := d.text(), b.Scopes[b.Scope].Defs
		for i := range list {
			if list[i].Name == name {
				list[i].Type = declaredType(b, base, top, syntax.Node{})
			}
		}
	}
}

// dropUntyped removes local variables without a known type or value: they were bound only to
// distinguish them from functions.
func dropUntyped(b *core.FactBuilder) {
	for s := b.Scope; int(s) < len(b.Scopes); s++ {
		list := b.Scopes[s].Defs
		kept := list[:0]
		for _, d := range list {
			if d.Kind != code.DefVar || d.Type != 0 || d.Value != 0 {
				kept = append(kept, d)
			}
		}
		b.Scopes[s].Defs = kept
	}
}

// inWord reports whether a node begins inside a word of the source.
func inWord(b *core.FactBuilder, n syntax.Node) bool { return (&reader{Reader: b.Reader}).inWord(n) }
