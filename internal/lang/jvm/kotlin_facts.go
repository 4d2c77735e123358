package jvm

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinFacts are the rules for Kotlin's scopes, bindings and expressions.
var kotlinFacts = &core.FactRules{Visit: kotlinVisit, Value: kotlinValue, Type: kotlinType}

// kotlinVisit reads declarations and statements. Other nodes are expressions.
func kotlinVisit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "package_header", "import_list", "import_header", "label", "shebang_line":
	case "class_declaration", "object_declaration", "companion_object":
		kotlinTypeFacts(b, n)
	case "enum_entry":
		kotlinEntryFacts(b, n)
	case "function_declaration":
		kotlinFunctionFacts(b, n)
	case "secondary_constructor":
		kotlinSecondaryFacts(b, n)
	case "property_declaration":
		kotlinPropertyFacts(b, n)
	case "getter", "setter":
		kotlinAccessorFacts(b, n)
	case "anonymous_initializer":
		kotlinInside(b, kotlinConstructorScope(b), func() { kotlinBlock(b, n) })
	case "type_alias":
		name := n.Child("type_identifier")
		d := code.Def{Name: name.Text(), Kind: code.DefAlias, Type: kotlinTypeIn(b, n), Line: int32(name.Line())}
		b.Define(d)
	case "simple_identifier", "interpolated_identifier":
		b.Mention(kotlinWord(n), n.Start())
	case "annotation", "file_annotation":
		kotlinAnnotationFacts(b, n)
	default:
		return kotlinStatementFacts(b, n) || kotlinExpressionFacts(b, n)
	}
	return true
}

// kotlinWord returns an identifier without backticks.
func kotlinWord(n syntax.Node) string {
	text := n.Text()
	if len(text) > 2 && text[0] == '`' {
		return text[1 : len(text)-1]
	}
	return text
}

// kotlinInside calls read with another current scope.
func kotlinInside(b *core.FactBuilder, scope int32, read func()) {
	was := b.Scope
	b.Scope = scope
	read()
	b.Scope = was
}

// kotlinTypeFacts binds a class, interface or object and reads its content.
func kotlinTypeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Child("type_identifier")
	text, at := kotlinWord(name), name.Start()
	if n.Is("companion_object") && text == "" {
		text, at = "Companion", n.Start()
	}
	outer := b.Scope
	scope := b.OpenScope(code.TypeScope, text, n.Start(), n.End())
	b.Symbol(scope, at)
	b.Scopes[scope].Body = true
	d := code.Def{Name: text, Kind: code.DefType, Scope: scope, Line: int32(b.Line(at))}
	d.Static = !hasWord(n, "inner")
	d.Single = n.Is("object_declaration", "companion_object")
	d.Default = n.Is("companion_object")
	d.Hidden = hasWord(n, "private")
	d.Exported = !d.Hidden
	d.Abstract = hasWord(n, "abstract") || hasWord(n, "sealed") || n.Has("interface")
	b.DefineIn(outer, d)
	b.Walk(n.Child("modifiers"))
	kotlinTypeParameterFacts(b, n)
	kotlinPrimaryFacts(b, n)
	kotlinBaseFacts(b, n)
	b.WalkChildren(n.Child("class_body", "enum_class_body"))
	b.CloseScope()
}

// kotlinTypeParameterFacts binds the type parameters of a declaration.
func kotlinTypeParameterFacts(b *core.FactBuilder, n syntax.Node) {
	for p := range n.Child("type_parameters").NamedSeq() {
		if name := p.Child("type_identifier"); p.Is("type_parameter") && name.Ok() {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefTypeParam, Type: kotlinTypeIn(b, p), Line: int32(name.Line())})
		}
	}
}

// kotlinPrimaryFacts binds the primary constructor of a class. The initializers of the
// class are in its scope, because they see its parameters.
func kotlinPrimaryFacts(b *core.FactBuilder, n syntax.Node) {
	list := n.Child("primary_constructor")
	if !list.Ok() {
		return
	}
	around := b.Scope
	scope := b.OpenScope(code.FuncScope, kotlinConstructor, list.Start(), list.End())
	b.Symbol(scope, list.Start())
	b.Scopes[scope].Body = true
	for p := range list.NamedSeq() {
		name := p.Child("simple_identifier")
		if !p.Is("class_parameter") || !name.Ok() {
			b.Walk(p)
			continue
		}
		b.Walk(p.Child("modifiers"))
		typ := kotlinTypeIn(b, p)
		value := kotlinInitial(b, p, typ)
		d := code.Def{Name: kotlinWord(name), Kind: code.DefParam, Type: typ, Value: value, Line: int32(name.Line())}
		d.Optional = p.Has("=")
		d.Variadic = hasWord(p, "vararg")
		b.Define(d)
		if p.Has("binding_pattern_kind") {
			if d.Variadic {
				d.Type = b.Group(code.OpList, typ, nil)
			}
			d.Kind, d.Value, d.Optional, d.Variadic = code.DefField, 0, false, false
			d.Exported = !hasWord(p, "private")
			b.DefineIn(around, d)
		}
	}
	b.CloseScope()
	b.Define(code.Def{
		Name: jvmConstructor, Kind: code.DefFunc, Scope: scope, Line: int32(list.Line()), Exported: true,
		Implied: !list.Has("constructor"),
	})
}

// kotlinConstructor is the name of constructor scopes.
const kotlinConstructor = "constructor"

// kotlinConstructorScope returns the scope of the initializers of the current type: its
// primary constructor, or the type itself.
func kotlinConstructorScope(b *core.FactBuilder) int32 {
	for _, d := range b.Scopes[b.Scope].Defs {
		if d.Kind == code.DefFunc && d.Name == jvmConstructor {
			return d.Scope
		}
	}
	return b.Scope
}

// kotlinBaseFacts records the supertypes of a class or object, and the call of a
// superclass constructor.
func kotlinBaseFacts(b *core.FactBuilder, n syntax.Node) {
	scope, inside := b.Scope, kotlinConstructorScope(b)
	for d := range n.NamedSeq() {
		if !d.Is("delegation_specifier") {
			continue
		}
		first := d.First()
		if d.Previous().Is(",") && d.Previous().TextIs("b") { // a delegate: by was rewritten as a comma
			kotlinInside(b, inside, func() { b.Mention(first.Text(), first.Start()) })
			continue
		}
		base, from := code.Base{}, len(b.Exprs)
		switch first.Kind() {
		case "constructor_invocation":
			base.Type = b.Type(first.First())
			inHead(b, from)
			name := kotlinTypeName(first.First())
			kotlinInside(b, inside, func() {
				b.Call(code.OpNew, base.Type, kotlinPassed(b, first.Child("value_arguments")), name.Start())
			})
		case "explicit_delegation":
			parts := syntax.NamedChildren(first)
			base.Type, base.Implements = b.Type(parts[0]), true
			inHead(b, from)
			kotlinInside(b, inside, func() { b.Value(parts[len(parts)-1]) })
		default:
			base.Type = b.Type(first)
			inHead(b, from)
		}
		b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, base)
	}
}

// kotlinEntryFacts reads an enum constant.
func kotlinEntryFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Child("simple_identifier")
	around := b.Scopes[b.Scope].Name
	value := b.Call(code.OpNew, b.Name(around, name.Start()), kotlinPassed(b, n.Child("value_arguments")), name.Start())
	if body := n.Child("class_body"); body.Ok() {
		value = javaObject(b, kotlinWord(name), body, b.Name(around, name.Start()))
		b.Symbol(b.Exprs[value].N, name.Start())
	}
	b.Define(code.Def{
		Name: kotlinWord(name), Kind: code.DefMember, Value: value, Line: int32(name.Line()), Static: true, Exported: true,
	})
}

// kotlinFunctionFacts binds a function or method. It may be an extension of a type
// declared elsewhere.
func kotlinFunctionFacts(b *core.FactBuilder, n syntax.Node) {
	name, body := n.Child("simple_identifier"), n.Child("function_body")
	outer := b.Scope
	scope := b.OpenScope(code.FuncScope, kotlinWord(name), n.Start(), n.End())
	defer b.CloseScope()
	b.Symbol(scope, name.Start())
	d := code.Def{Name: kotlinWord(name), Kind: code.DefFunc, Scope: scope, Line: int32(name.Line())}
	d.Hidden = hasWord(n, "private")
	d.Exported = !d.Hidden
	d.Abstract = hasWord(n, "abstract") || kotlinInInterface(n) && !body.Ok()
	b.DefineIn(outer, d)
	b.Walk(n.Child("modifiers"))
	kotlinTypeParameterFacts(b, n)
	receiver, result := kotlinSides(n)
	if receiver.Ok() {
		b.Scopes[scope].Owner = b.Type(receiver)
	}
	kotlinParameters(b, n.Child("function_value_parameters"))
	kotlinFunctionBody(b, result, body)
}

// kotlinFunctionBody reads the result type and the body of the current function. The body
// is a block, or an expression that is the result.
func kotlinFunctionBody(b *core.FactBuilder, result, body syntax.Node) {
	scope := b.Scope
	b.Scopes[scope].Result = b.Type(result)
	b.Scopes[scope].Body = body.Ok()
	if !body.Has("=") {
		b.WalkChildren(body)
		return
	}
	ref := b.Value(body.First())
	jvmExpect(b, ref, b.Scopes[scope].Result)
	b.Returns(ref)
}

// kotlinSides returns the receiver type, before the name of a function or property, and
// the result type, after the parameters.
func kotlinSides(n syntax.Node) (receiver, result syntax.Node) {
	named := false
	for c := range n.NamedSeq() {
		switch {
		case c.Is("simple_identifier", "variable_declaration", "multi_variable_declaration", "function_value_parameters"):
			named = true
		case !slices.Contains(kotlinTypes, c.Kind()) || c.Is("type_modifiers"):
		case named:
			return receiver, c
		default:
			receiver = c
		}
	}
	return receiver, syntax.Node{}
}

// kotlinInInterface reports whether a declaration is a member of an interface.
func kotlinInInterface(n syntax.Node) bool {
	return n.Parent().Is("class_body") && n.Parent().Parent().Has("interface")
}

// kotlinSecondaryFacts binds a secondary constructor.
func kotlinSecondaryFacts(b *core.FactBuilder, n syntax.Node) {
	outer := b.Scope
	scope := b.OpenScope(code.FuncScope, kotlinConstructor, n.Start(), n.End())
	defer b.CloseScope()
	b.Symbol(scope, n.Start())
	b.Scopes[scope].Body = true
	b.DefineIn(outer, code.Def{Name: jvmConstructor, Kind: code.DefFunc, Scope: scope, Line: int32(n.Line()), Exported: true})
	kotlinParameters(b, n.Child("function_value_parameters"))
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "modifiers", "statements":
			b.WalkChildren(c)
		case "constructor_delegation_call":
			op, word := code.OpThis, c.Child("this", "super")
			if word.Is("super") {
				op = code.OpSuper
			}
			b.Call(code.OpCall, jvmSelf(b, op, word), kotlinPassed(b, c.Child("value_arguments")), word.Start())
		}
	}
}

// kotlinParameters binds the parameters of a function.
func kotlinParameters(b *core.FactBuilder, list syntax.Node) {
	variadic := false
	var last *code.Def
	for p := range list.Children() {
		switch {
		case p.Is("parameter_modifiers"):
			variadic = joinedModifiers(p) == "vararg"
			b.WalkChildren(p)
		case p.Is("parameter", "parameter_with_optional_type"):
			name := p.Child("simple_identifier")
			d := code.Def{Name: kotlinWord(name), Kind: code.DefParam, Type: kotlinTypeIn(b, p), Line: int32(name.Line()), Variadic: variadic}
			last, variadic = b.Define(d), false
		case p.Is("="):
			if last != nil {
				last.Optional = true
			}
		case p.Named() && !syntax.IsComment(p.Kind()):
			b.Value(p)
		}
	}
}
