package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaFacts are the rules for Scala's scopes, bindings and expressions.
var scalaFacts = &core.FactRules{Visit: scalaVisit, Value: scalaValue, Type: scalaType}

// scalaVisit reads declarations. Other nodes are expressions.
func scalaVisit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "package_identifier", "import_declaration", "export_declaration", "self_type":
	case "class_definition", "trait_definition", "object_definition", "package_object", "enum_definition":
		scalaTemplate(b, n)
	case "simple_enum_case", "full_enum_case":
		scalaEnumCase(b, n)
	case "function_definition", "function_declaration":
		scalaFunction(b, n, 0)
	case "extension_definition":
		scalaExtension(b, n)
	case "val_definition", "var_definition", "val_declaration", "var_declaration", "given_definition":
		scalaValues(b, n)
	case "type_definition":
		scalaTypeDefinition(b, n)
	case "annotation":
		b.Type(n.Field("name"))
		for c := range n.NamedSeq() {
			if c.Is("arguments") {
				b.Values(syntax.NamedChildren(c))
			}
		}
	case "identifier", "operator_identifier":
		b.Mention(scalaName(n), n.Start())
	case "block", "case_clause", "while_expression", "do_while_expression", "catch_clause", "finally_clause", "template_body":
		if n.Is("template_body") && n.Parent().Is("package_clause") {
			return false
		}
		scalaBlock(b, n)
	default:
		return scalaExpressionFacts(b, n)
	}
	return true
}

// scalaTemplate binds a class, trait or object and reads its content.
func scalaTemplate(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	words := scalaWords(n)
	outer := b.Scope
	scope := b.OpenScope(code.TypeScope, scalaName(name), n.Start(), n.End())
	defer b.CloseScope()
	b.Symbol(scope, name.Start())
	b.Scopes[scope].Body = true
	d := code.Def{Name: scalaName(name), Kind: code.DefType, Scope: scope, Line: int32(name.Line()), Static: true}
	d.Single = n.Is("object_definition", "package_object")
	d.Default = n.Is("package_object")
	d.Abstract = n.Is("trait_definition") || words["abstract"] || words["sealed"]
	d.Hidden = false
	d.Exported = !words["private"]
	b.DefineIn(outer, d)
	b.Walk(n.Child("annotation"))
	scalaTypeParameterFacts(b, n)
	scalaPrimary(b, n)
	scalaBaseFacts(b, n.Child("extends_clause"))
	b.WalkChildren(templateBody(n))
}

// scalaWords returns the modifiers of a declaration.
func scalaWords(n syntax.Node) map[string]bool {
	out := map[string]bool{}
	for c := range n.Child("modifiers").Children() {
		word, _, _ := strings.Cut(c.Text(), "[")
		out[strings.TrimSpace(word)] = true
	}
	return out
}

// scalaTypeParameterFacts binds the type parameters of a declaration.
func scalaTypeParameterFacts(b *core.FactBuilder, n syntax.Node) {
	var last *code.Def
	for p := range n.Field("type_parameters").NamedSeq() {
		switch {
		case p.Is("identifier", "type_identifier", "operator_identifier"):
			last = b.Define(code.Def{Name: scalaName(p), Kind: code.DefTypeParam, Line: int32(p.Line())})
		case p.Is("upper_bound") && last != nil:
			last.Type = b.Type(p.Field("type"))
		case p.Is("covariant_type_parameter", "contravariant_type_parameter"):
			name := p.Child("identifier", "type_identifier")
			d := code.Def{Name: scalaName(name), Kind: code.DefTypeParam, Line: int32(name.Line())}
			d.Type = b.Type(p.Child("upper_bound").Field("type"))
			last = b.Define(d)
		}
	}
}

// scalaPrimary binds the parameters of a class. All of them are visible in it; those of
// the first list are the constructor's.
func scalaPrimary(b *core.FactBuilder, n syntax.Node) {
	lists := syntax.ChildrenOf(n, "class_parameters")
	if len(lists) == 0 {
		return
	}
	around := b.Scope
	scope := b.OpenScope(code.FuncScope, scalaThis, lists[0].Start(), lists[len(lists)-1].End())
	b.Scopes[scope].Body = true
	ofCase := n.Has("case") || n.Is("full_enum_case")
	for i, list := range lists {
		for p := range list.NamedSeq() {
			if !p.Is("class_parameter") {
				continue
			}
			d := scalaParameter(b, p)
			if i == 0 && !scalaImplicit(list) {
				b.Define(d)
			}
			if d.Variadic {
				d.Type = b.Group(code.OpList, d.Type, nil)
			}
			d.Kind, d.Value, d.Optional, d.Variadic = code.DefField, 0, false, false
			d.Exported = p.Has("val") || p.Has("var") || ofCase
			b.DefineIn(around, d)
		}
	}
	b.CloseScope()
	b.Define(code.Def{
		Name: jvmConstructor, Kind: code.DefFunc, Scope: scope, Line: int32(lists[0].Line()), Exported: true, Implied: true,
	})
}

// scalaThis is the name of constructor scopes.
const scalaThis = "this"

// scalaImplicit reports whether callers may omit a parameter list.
func scalaImplicit(list syntax.Node) bool {
	if list.Has("implicit") || list.Has("using") {
		return true
	}
	words := list.First().Child("modifiers")
	return words.Ok() && strings.Contains(words.Text(), "implicit")
}

// scalaParameter returns the binding of a parameter.
func scalaParameter(b *core.FactBuilder, p syntax.Node) code.Def {
	name, t := p.Field("name"), p.Field("type")
	d := code.Def{Name: scalaName(name), Kind: code.DefParam, Line: int32(name.Line())}
	for t.Is("lazy_parameter_type", "repeated_parameter_type") {
		d.Variadic = d.Variadic || t.Is("repeated_parameter_type")
		t = t.Field("type")
	}
	d.Type = b.Type(t)
	if value := p.Field("default_value"); value.Ok() {
		d.Value, d.Optional = javaExpected(b, value, d.Type), true
	}
	return d
}

// scalaBaseFacts records the types that a template extends, and the constructor call of
// the first one.
func scalaBaseFacts(b *core.FactBuilder, clause syntax.Node) {
	scope := b.Scope
	first := true
	for c := range clause.Children() {
		if !c.Named() || syntax.IsComment(c.Kind()) || c.Is("arguments", "structural_type", "template_body", "with", ",") {
			continue
		}
		for _, t := range scalaParts(c) {
			from := len(b.Exprs)
			typ := b.Type(t)
			inHead(b, from)
			b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, code.Base{Type: typ})
			if args := clause.Child("arguments"); first && args.Ok() {
				name := scalaNamed(t)
				b.Call(code.OpNew, scalaClass(b, typ), scalaArguments(b, args), name.Start())
			}
			first = false
		}
	}
}

// scalaParts returns the parts of a compound type.
func scalaParts(t syntax.Node) []syntax.Node {
	if !t.Is("compound_type") {
		return []syntax.Node{t}
	}
	var out []syntax.Node
	for c := range t.NamedSeq() {
		if !c.Is("refinement", "structural_type") {
			out = append(out, c)
		}
	}
	return out
}

// scalaEnumCase binds a case of an enum.
func scalaEnumCase(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	if n.Is("full_enum_case") {
		scalaTemplate(b, n)
		return
	}
	around := b.Scope
	scope := b.OpenScope(code.TypeScope, scalaName(name), n.Start(), n.End())
	scalaBaseFacts(b, n.Child("extends_clause"))
	b.CloseScope()
	d := code.Def{Name: scalaName(name), Kind: code.DefMember, Line: int32(name.Line()), Static: true, Exported: true}
	d.Value = b.ScopeExpr(code.OpObject, scope)
	b.DefineIn(around, d)
}

// scalaFunction binds a def. owner is the extended type inside an extension.
func scalaFunction(b *core.FactBuilder, n syntax.Node, owner code.Ref) {
	name, body := n.Field("name"), n.Field("body")
	if n.Parent().Is("extension_definition") && owner == 0 {
		return
	}
	outer := b.Scope
	scope := b.OpenScope(code.FuncScope, scalaName(name), n.Start(), n.End())
	defer b.CloseScope()
	b.Symbol(scope, name.Start())
	words := scalaWords(n)
	d := code.Def{Name: scalaName(name), Kind: code.DefFunc, Scope: scope, Line: int32(name.Line())}
	if d.Name == scalaThis && b.Scopes[outer].Kind == code.TypeScope {
		d.Name = jvmConstructor
	}
	lists := syntax.ChildrenOf(n, "parameters")
	d.Getter = len(lists) == 0 || scalaImplicit(lists[0])
	d.Exported = !words["private"]
	d.Abstract = !body.Ok() && b.Scopes[outer].Kind == code.TypeScope
	b.DefineIn(outer, d)
	b.Scopes[scope].Owner, b.Scopes[scope].Body = owner, body.Ok()
	b.Walk(n.Child("annotation"))
	scalaTypeParameterFacts(b, n)
	scalaParameters(b, lists, b.Type(n.Field("return_type")))
	result := b.Scopes[scope].Result
	if !body.Ok() {
		return
	}
	var ref code.Ref
	if body.Is("block") {
		ref = scalaLast(b, body)
	} else {
		ref = b.Value(body)
	}
	if d.Name == jvmConstructor {
		return
	}
	jvmExpect(b, ref, result)
	b.Returns(ref)
}

// scalaParameters binds the parameters of a function. A function with several parameter
// lists returns a function of the next list. Implicit lists are ignored.
func scalaParameters(b *core.FactBuilder, lists []syntax.Node, result code.Ref) {
	scope := b.Scope
	var more [][]code.Ref
	for i, list := range lists {
		var types []code.Ref
		implicit := scalaImplicit(list)
		for p := range list.NamedSeq() {
			if !p.Is("parameter") {
				continue
			}
			d := scalaParameter(b, p)
			types = append(types, d.Type)
			if i > 0 || implicit {
				d.Kind, d.Value = code.DefVar, 0
				if d.Variadic {
					d.Type = b.Group(code.OpList, d.Type, nil)
				}
			}
			b.Define(d)
		}
		if i > 0 && !implicit {
			more = append(more, types)
		}
	}
	for i := len(more) - 1; i >= 0 && result != 0; i-- {
		result = b.Group(code.OpFuncType, result, more[i])
	}
	b.Scopes[scope].Result = result
}

// scalaExtension binds the functions of an extension.
func scalaExtension(b *core.FactBuilder, n syntax.Node) {
	receiver := extensionReceiver(n)
	owner := b.Type(receiver.Field("type"))
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	scalaTypeParameterFacts(b, n)
	b.Define(code.Def{Name: scalaName(receiver.Field("name")), Type: owner, Line: int32(receiver.Line())})
	inside := b.Scope
	b.CloseScope()
	outer := b.Scope
	for c := range n.NamedSeq() {
		if !c.Is("function_definition", "function_declaration") {
			continue
		}
		from := len(b.Scopes[outer].Defs)
		scalaFunction(b, c, owner)
		for _, d := range b.Scopes[outer].Defs[from:] {
			b.Scopes[d.Scope].Parent = inside
		}
	}
}

// scalaValues binds the names of a val or var.
func scalaValues(b *core.FactBuilder, n syntax.Node) {
	typ := b.Type(n.Field("type"))
	value := javaExpected(b, n.Field("value"), typ)
	words := scalaWords(n)
	pattern := n.Field("pattern")
	from, scope := len(b.Scopes[b.Scope].Defs), b.Scope
	switch {
	case !pattern.Ok():
		for _, name := range boundNames(n) {
			b.Define(code.Def{Name: scalaName(name), Type: typ, Line: int32(name.Line())})
		}
	case pattern.Is("identifiers"):
		for name := range pattern.NamedSeq() {
			b.Define(code.Def{Name: scalaName(name), Type: typ, Value: value, Line: int32(name.Line())})
		}
	case pattern.Is("identifier", "operator_identifier"):
		b.Define(code.Def{Name: scalaName(pattern), Type: typ, Value: value, Line: int32(pattern.Line())})
	default:
		scalaPattern(b, pattern, value, 0)
	}
	kind := b.Scopes[scope].Kind
	for i := from; i < len(b.Scopes[scope].Defs); i++ {
		d := &b.Scopes[scope].Defs[i]
		switch {
		case kind == code.TypeScope:
			d.Kind, d.Exported = code.DefField, !words["private"]
		case scope == 0:
			d.Exported = !words["private"]
		case !words["lazy"]:
			d.Pos = int32(n.End())
		}
	}
}

// scalaTypeDefinition binds a type alias.
func scalaTypeDefinition(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	d := code.Def{Name: scalaName(name), Kind: code.DefAlias, Type: b.Type(n.Field("type")), Line: int32(name.Line()), Static: true}
	if d.Type == 0 {
		d.Type = b.Type(n.Child("upper_bound").Field("type"))
	}
	b.Define(d)
}

// scalaBlock reads n in a scope of its own and returns the value of its last statement.
func scalaBlock(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	return scalaLast(b, n)
}

// scalaLast reads the statements in n and returns the value of the last one.
func scalaLast(b *core.FactBuilder, n syntax.Node) code.Ref {
	var ref code.Ref
	parts := syntax.NamedChildren(n)
	for i, c := range parts {
		if i < len(parts)-1 || strings.HasSuffix(c.Kind(), "_definition") || strings.HasSuffix(c.Kind(), "_declaration") {
			b.Walk(c)
			continue
		}
		ref = b.Value(c)
	}
	return ref
}
