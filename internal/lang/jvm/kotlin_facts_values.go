package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinExpressionFacts reads an expression whose value is not used. It reports false
// if n is not an expression.
func kotlinExpressionFacts(b *core.FactBuilder, n syntax.Node) bool {
	kind := n.Kind()
	switch {
	case kind == "user_type" || kind == "nullable_type" || kind == "function_type" || kind == "parenthesized_type":
		b.Type(n)
	case strings.HasSuffix(kind, "_expression") || kind == "callable_reference" || strings.HasSuffix(kind, "_literal") || kind == "anonymous_function":
		b.Value(n)
	default:
		return false
	}
	return true
}

// kotlinValue returns the value of n.
func kotlinValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "simple_identifier", "interpolated_identifier":
		return b.Name(kotlinWord(n), n.Start())
	case "this_expression":
		return kotlinThis(b, n)
	case "super_expression":
		if t := n.Child("user_type"); t.Ok() { // super<Base>
			return b.Apply(code.OpAs, b.Type(t))
		}
		return jvmSelf(b, code.OpSuper, n)
	case "parenthesized_expression", "postfix_expression", "annotated_lambda":
		var ref code.Ref
		for c := range n.NamedSeq() {
			if !c.Is("annotation", "label") {
				ref = b.Value(c)
			}
		}
		return ref
	case "navigation_expression":
		return kotlinNavigation(b, n)
	case "directly_assignable_expression":
		return kotlinAssignable(b, n)
	case "call_expression":
		return kotlinCallFacts(b, n)
	case "infix_expression":
		return kotlinInfix(b, n)
	case "indexing_expression":
		return kotlinIndex(b, b.Value(n.First()), n.Child("indexing_suffix"))
	case "lambda_literal", "anonymous_function", "object_literal", "callable_reference":
		return kotlinFunctionValue(b, n)
	default:
		return kotlinCompound(b, n)
	}
}

// kotlinFunctionValue reads a lambda, an anonymous function or object, or a reference.
func kotlinFunctionValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "lambda_literal":
		return kotlinLambda(b, n)
	case "object_literal":
		return kotlinObject(b, n)
	case "callable_reference":
		return kotlinReference(b, n)
	}
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	_, result := kotlinSides(n)
	kotlinParameters(b, n.Child("function_value_parameters"))
	kotlinFunctionBody(b, result, n.Child("function_body"))
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// kotlinCompound reads an expression made of others.
func kotlinCompound(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "as_expression":
		return kotlinCast(b, n)
	case "if_expression":
		return kotlinIf(b, n)
	case "when_expression":
		return kotlinWhen(b, n)
	case "try_expression":
		return kotlinTry(b, n)
	case "elvis_expression":
		return b.Either(b.Values(syntax.NamedChildren(n))...)
	case "check_expression":
		b.WalkChildren(n)
		return b.Literal("boolean")
	case "conjunction_expression", "disjunction_expression", "comparison_expression", "equality_expression":
		b.WalkChildren(n)
		return b.Literal("boolean")
	case "jump_expression", "assignment", "property_declaration":
		b.Walk(n)
		return 0
	case "additive_expression":
		return kotlinSum(b, n)
	}
	if name := kotlinLiteral(n); name != "" {
		b.WalkChildren(n)
		return b.Literal(name)
	}
	b.WalkChildren(n)
	return 0
}

// kotlinSum reads a sum. It is a string if a part is one; otherwise its type is unknown.
func kotlinSum(b *core.FactBuilder, n syntax.Node) code.Ref {
	text := false
	for c := range n.NamedSeq() {
		if c.Is("additive_expression", "string_literal") {
			text = b.Exprs[b.Value(c)].Name == "string" || text
			continue
		}
		b.Walk(c)
	}
	if text {
		return b.Literal("string")
	}
	return 0
}

// kotlinLiteral returns the type of a literal, or "" for null and other nodes.
func kotlinLiteral(n syntax.Node) string {
	switch n.Kind() {
	case "string_literal":
		return "string"
	case "character_literal":
		return "char"
	case "boolean_literal":
		return "boolean"
	case "integer_literal", "hex_literal", "bin_literal":
		return "int"
	case "long_literal":
		return "long"
	case "real_literal":
		return "double"
	}
	return ""
}

// kotlinThis returns the receiver of the enclosing function, or that of the labelled type
// or function.
func kotlinThis(b *core.FactBuilder, n syntax.Node) code.Ref {
	name := n.Child("type_identifier", "simple_identifier")
	if !name.Ok() {
		return jvmSelf(b, code.OpThis, n)
	}
	for s := b.Scope; s > 0; s = b.Scopes[s].Parent {
		switch around := &b.Scopes[s]; {
		case around.Name != name.Text():
		case around.Kind == code.TypeScope:
			return b.Apply(code.OpAs, b.Name(name.Text(), name.Start()))
		case around.Owner != 0:
			return b.Apply(code.OpAs, around.Owner)
		}
	}
	return 0
}

// kotlinNavigation reads a member of a value, type or package.
func kotlinNavigation(b *core.FactBuilder, n syntax.Node) code.Ref {
	parts := syntax.NamedChildren(n)
	x := b.Value(parts[0])
	for _, p := range parts[1:] {
		name := p.Child("simple_identifier")
		if !name.Ok() {
			b.WalkChildren(p)
			x = 0
			continue
		}
		x = b.Select(x, kotlinWord(name), name.Start())
	}
	return x
}

// kotlinAssignable reads the target of an assignment.
func kotlinAssignable(b *core.FactBuilder, n syntax.Node) code.Ref {
	var x code.Ref
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "navigation_suffix":
			name := c.Child("simple_identifier")
			x = b.Select(x, kotlinWord(name), name.Start())
		case "indexing_suffix":
			x = kotlinIndex(b, x, c)
		default:
			x = b.Value(c)
		}
	}
	return x
}

// kotlinCast reads x as T, after which x is a T, and x as? T, which implies nothing.
func kotlinCast(b *core.FactBuilder, n syntax.Node) code.Ref {
	x, typ := n.First(), kotlinTypeIn(b, n)
	b.Walk(x)
	if x.Is("simple_identifier") && typ != 0 && n.Has("as") {
		b.Define(code.Def{Name: kotlinWord(x), Type: typ, Line: int32(x.Line()), Pos: int32(n.End())})
	}
	return b.Apply(code.OpAs, typ)
}

// kotlinIndex reads an element of x.
func kotlinIndex(b *core.FactBuilder, x code.Ref, suffix syntax.Node) code.Ref {
	return b.Group(code.OpIndex, x, b.Values(syntax.NamedChildren(suffix)))
}

// kotlinObject reads an anonymous object.
func kotlinObject(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.TypeScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	kotlinBaseFacts(b, n)
	b.WalkChildren(n.Child("class_body"))
	b.CloseScope()
	return b.ScopeExpr(code.OpObject, scope)
}

// kotlinReference reads a function reference (A::f, ::f, a::f) or a class reference
// (A::class).
func kotlinReference(b *core.FactBuilder, n syntax.Node) code.Ref {
	var x code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.Is("simple_identifier") && x == 0 && c.Previous().Is("::"):
			x = b.Name(kotlinWord(c), c.Start())
		case c.Is("simple_identifier") && x != 0:
			x = b.Select(x, kotlinWord(c), c.Start())
		case c.Is("type_identifier", "user_type", "nullable_type"):
			x = b.Type(c)
		default:
			x = b.Value(c)
		}
	}
	if n.Has("class") && x != 0 {
		return b.Apply(code.OpAs, b.Group(code.OpApply, b.Name("KClass", n.Start()), []code.Ref{x}))
	}
	return x
}
