package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaExpressionFacts reads an expression whose value is not used. It reports false if
// n is not an expression.
func javaExpressionFacts(b *core.FactBuilder, n syntax.Node) bool {
	if strings.HasSuffix(n.Kind(), "_type") || n.Is("type_identifier") {
		b.Type(n)
		return true
	}
	if !javaHasValue[n.Kind()] {
		return false
	}
	b.Value(n)
	return true
}

// javaHasValue are the kinds of expressions that [javaValue] reads.
var javaHasValue = map[string]bool{
	"method_invocation": true, "object_creation_expression": true, "explicit_constructor_invocation": true, "field_access": true,
	"array_access": true, "cast_expression": true, "lambda_expression": true, "method_reference": true, "ternary_expression": true,
	"assignment_expression": true, "class_literal": true, "array_creation_expression": true, "array_initializer": true,
	"element_value_array_initializer": true, "switch_expression": true, "parenthesized_expression": true, "binary_expression": true,
}

// javaValue returns the value of n.
func javaValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return b.Name(n.Text(), n.Start())
	case "this":
		return jvmSelf(b, code.OpThis, n)
	case "super":
		return jvmSelf(b, code.OpSuper, n)
	case "parenthesized_expression":
		return b.Value(n.First())
	case "field_access":
		return javaField(b, n)
	case "method_invocation":
		return javaCallFacts(b, n)
	case "object_creation_expression":
		return javaNewFacts(b, n)
	case "explicit_constructor_invocation":
		return javaDelegation(b, n)
	case "array_access":
		array, index := b.Value(n.Field("array")), b.Value(n.Field("index"))
		return b.Group(code.OpIndex, array, []code.Ref{index})
	case "cast_expression":
		typ := b.Type(n.Field("type"))
		javaExpected(b, n.Field("value"), typ)
		return b.Apply(code.OpAs, typ)
	case "lambda_expression":
		return javaLambda(b, n)
	case "method_reference":
		return javaReference(b, n)
	case "class_literal":
		of := b.Type(n.First())
		class := b.Name("Class", n.Start())
		return b.Apply(code.OpAs, b.Group(code.OpApply, class, []code.Ref{of}))
	default:
		return javaCompound(b, n)
	}
}

// javaCompound reads an expression made of others.
func javaCompound(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "ternary_expression":
		b.Walk(n.Field("condition"))
		return b.Either(b.Value(n.Field("consequence")), b.Value(n.Field("alternative")))
	case "assignment_expression":
		left := b.Value(n.Field("left"))
		right := b.Value(n.Field("right"))
		jvmExpect(b, right, b.Apply(code.OpTypeOf, left))
		return left
	case "array_creation_expression":
		typ := javaDimensions(b, b.Type(n.Field("type")), n.Child("dimensions"))
		for c := range n.NamedSeq() {
			switch {
			case c.Is("dimensions_expr"):
				b.WalkChildren(c)
				typ = b.Group(code.OpList, typ, nil)
			case c.Is("array_initializer"):
				b.Value(c)
			}
		}
		return b.Apply(code.OpAs, typ)
	case "array_initializer", "element_value_array_initializer":
		return b.Group(code.OpList, 0, b.Values(syntax.NamedChildren(n)))
	case "switch_expression":
		return javaSwitch(b, n)
	case "binary_expression":
		return javaBinary(b, n)
	case "instanceof_expression":
		b.Walk(n)
		return b.Literal("boolean")
	case "unary_expression":
		of := b.Value(n.Field("operand"))
		if n.Has("!") {
			return b.Literal("boolean")
		}
		return of
	case "update_expression":
		return b.Value(n.First())
	}
	if name := javaLiteral(n); name != "" {
		return b.Literal(name)
	}
	b.WalkChildren(n)
	return 0
}

// jvmSelf returns the receiver of the enclosing method (OpThis), or the receiver as its
// bases (OpSuper).
func jvmSelf(b *core.FactBuilder, op code.Op, n syntax.Node) code.Ref {
	return b.Add(code.Expr{Op: op, Scope: b.Scope, Pos: int32(n.Start()), Line: int32(n.Line())})
}

// javaLiteral returns the type of a literal, or "" for null and other nodes.
func javaLiteral(n syntax.Node) string {
	switch n.Kind() {
	case "string_literal":
		return "string"
	case "character_literal":
		return "char"
	case "true", "false":
		return "boolean"
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if strings.HasSuffix(strings.ToLower(n.Text()), "f") {
			return "float"
		}
		return "double"
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal":
		if strings.HasSuffix(strings.ToLower(n.Text()), "l") {
			return "long"
		}
		return "int"
	}
	return ""
}

// javaBinary reads a comparison, a concatenation or arithmetic. A sum may be a concatenation: its type is unknown if no
// operand is a string.
func javaBinary(b *core.FactBuilder, n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	op := n.Field("operator").Text()
	if op != "+" {
		of := b.Either(b.Value(left), b.Value(right))
		if strings.ContainsAny(op, "=!&|") && len(op) == 2 || op == "<" || op == ">" {
			return b.Literal("boolean")
		}
		return of
	}
	for _, part := range []syntax.Node{left, right} {
		if part.Is("binary_expression") || javaLiteral(part) != "" {
			if b.Exprs[b.Value(part)].Name == "string" {
				b.Walk(left)
				b.Walk(right)
				return b.Literal("string")
			}
		}
	}
	b.Walk(left)
	b.Walk(right)
	return 0
}

// javaSwitch returns the union of the values of a switch.
func javaSwitch(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.WalkChildren(n)
	var all []code.Ref
	for rule := range n.Field("body").NamedSeq() {
		if !rule.Is("switch_rule") {
			continue
		}
		if s := rule.Child("expression_statement"); s.Ok() {
			ref, _ := b.Known.Of(s.First())
			all = append(all, ref)
		}
	}
	return b.Either(all...)
}

// javaField reads a member of a value or type: a.b, this.b, A.this.
func javaField(b *core.FactBuilder, n syntax.Node) code.Ref {
	object, field := n.Field("object"), n.Field("field")
	if field.Is("this") {
		return b.Apply(code.OpAs, javaPath(b, object))
	}
	x := b.Value(object)
	if n.Has("super") && !object.Is("super") { // A.super.b
		x = b.Apply(code.OpAs, x)
	}
	return b.Select(x, field.Text(), field.Start())
}

// javaPath reads a qualified name.
func javaPath(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "scoped_identifier":
		name := n.Field("name")
		return b.Select(javaPath(b, n.Field("scope")), name.Text(), name.Start())
	case "identifier", "type_identifier":
		return b.Name(n.Text(), n.Start())
	}
	return b.Value(n)
}

// javaCallFacts reads a method call.
func javaCallFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	object, name := n.Field("object"), n.Field("name")
	var callee code.Ref
	if object.Ok() {
		x := b.Value(object)
		if n.Has("super") && !object.Is("super") { // A.super.run()
			x = b.Apply(code.OpAs, x)
		}
		callee = b.Select(x, name.Text(), name.Start())
	} else {
		callee = b.Name(name.Text(), name.Start())
	}
	if list := n.Field("type_arguments"); list.Ok() {
		callee = b.Group(code.OpApply, callee, javaTypes(b, list))
	}
	return b.Call(code.OpCall, callee, javaArguments(b, n), name.Start())
}

// javaArguments returns the arguments of a call.
func javaArguments(b *core.FactBuilder, n syntax.Node) []code.Ref {
	return b.Values(syntax.NamedChildren(n.Field("arguments")))
}

// javaNewFacts reads the creation of an object. If it has a body, it has an anonymous
// class.
func javaNewFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	t := n.Field("type")
	named := javaNamed(t)
	typ := b.Type(t)
	if outer := n.First(); outer.Ok() && outer != t && !outer.Is("type_arguments") && !isAnnotation(outer) { // outer.new Inner()
		typ = b.Select(b.Apply(code.OpTypeOf, b.Value(outer)), named.Text(), named.Start())
	}
	made := b.Call(code.OpNew, typ, javaArguments(b, n), named.Start())
	if body := n.Child("class_body"); body.Ok() {
		return javaObject(b, "", body, typ)
	}
	return made
}

// javaObject returns an object of an anonymous class with the given body and base.
func javaObject(b *core.FactBuilder, name string, body syntax.Node, base code.Ref) code.Ref {
	scope := b.OpenScope(code.TypeScope, name, body.Start(), body.End())
	b.Scopes[scope].Body = true
	b.Scopes[scope].Bases = []code.Base{{Type: base}}
	b.WalkChildren(body)
	b.CloseScope()
	return b.ScopeExpr(code.OpObject, scope)
}

// javaDelegation reads this(…) or super(…) in a constructor.
func javaDelegation(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.Value(n.Field("object"))
	word := n.Field("constructor")
	return b.Call(code.OpCall, b.Value(word), javaArguments(b, n), word.Start())
}

// javaLambda reads a lambda.
func javaLambda(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	javaParameters(b, n.Field("parameters"))
	if body := n.Field("body"); body.Is("block") {
		b.WalkChildren(body)
	} else if ref := b.Value(body); ref != 0 {
		b.Returns(ref)
	}
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// javaReference reads a method reference: A::f, a::f, A::new.
func javaReference(b *core.FactBuilder, n syntax.Node) code.Ref {
	parts := syntax.NamedChildren(n)
	if len(parts) == 0 {
		return 0
	}
	object := parts[0]
	var x code.Ref
	if strings.HasSuffix(object.Kind(), "_type") {
		x = b.Type(object)
	} else {
		x = b.Value(object)
	}
	if last := parts[len(parts)-1]; last != object && last.Is("identifier") {
		return b.Select(x, last.Text(), last.Start())
	}
	return b.Select(x, jvmConstructor, n.End()-len("new"))
}
