package php

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// expressions are the kinds of nodes that are expressions and have a rule of their
// own.
var expressions = core.SetOf(
	"name", "qualified_name", "relative_scope", "variable_name", "member_access_expression", "nullsafe_member_access_expression",
	"scoped_property_access_expression", "class_constant_access_expression", "member_call_expression",
	"nullsafe_member_call_expression", "scoped_call_expression", "function_call_expression", "object_creation_expression",
	"subscript_expression", "assignment_expression", "augmented_assignment_expression", "reference_assignment_expression",
	"anonymous_function_creation_expression", "arrow_function", "array_creation_expression", "binary_expression",
	"conditional_expression", "parenthesized_expression", "clone_expression", "match_expression", "cast_expression",
	"error_suppression_expression", "encapsed_string", "heredoc", "yield_expression",
)

func valueRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "variable_name":
		if n.TextIs("$this") {
			return b.ThisAt(n)
		}
		return b.Name(n.Text(), n.Start())
	case "name", "qualified_name", "relative_scope":
		return plainName(b, n)
	case "member_access_expression", "nullsafe_member_access_expression":
		return property(b, n)
	case "scoped_property_access_expression":
		name := n.Field("name")
		return b.Select(classOf(b, n.Field("scope")), name.Text(), name.Start())
	case "class_constant_access_expression":
		class, name := n.First(), syntax.LastNamedChild(n)
		if strings.EqualFold(name.Text(), "class") {
			return classOf(b, class)
		}
		return b.Select(classOf(b, class), name.Text(), name.Start())
	case "member_call_expression", "nullsafe_member_call_expression":
		return methodFacts(b, n, b.Value(n.Field("object")))
	case "scoped_call_expression":
		return methodFacts(b, n, classOf(b, n.Field("scope")))
	case "function_call_expression":
		return callFacts(b, n)
	case "object_creation_expression":
		return newFacts(b, n)
	case "assignment_expression", "augmented_assignment_expression", "reference_assignment_expression":
		return assign(b, n)
	case "anonymous_function_creation_expression", "arrow_function":
		return closure(b, n)
	case "array_creation_expression":
		return array(b, n)
	}
	return operation(b, n)
}

// operation reads the remaining expressions: operators and literals.
func operation(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "parenthesized_expression", "clone_expression", "error_suppression_expression":
		return b.Value(n.First())
	case "subscript_expression":
		parts := syntax.NamedChildren(n)
		return b.Group(code.OpIndex, b.Value(parts[0]), b.Values(parts[1:]))
	case "binary_expression":
		return binary(b, n)
	case "conditional_expression":
		condition, body := b.Value(n.Field("condition")), n.Field("body")
		if body.Ok() {
			condition = b.Value(body)
		}
		return b.Either(condition, b.Value(n.Field("alternative")))
	case "match_expression":
		return match(b, n)
	case "yield_expression":
		b.WalkChildren(n)
		return 0
	case "string", "encapsed_string", "heredoc", "nowdoc":
		b.WalkChildren(n)
		return b.Literal("string")
	case "integer":
		return b.Literal("int")
	case "boolean":
		return b.Literal("bool")
	}
	b.WalkChildren(n)
	return 0
}

func binary(b *core.FactBuilder, n syntax.Node) code.Ref {
	if object := objectOfSum(n.Field("right")); object.Ok() { // new class {}->n()
		made, call := b.Value(object), n.Field("right")
		name := call.Field("function")
		callee := b.Select(made, name.Text(), name.Start())
		return b.Call(code.OpCall, callee, argumentRefs(b, call.Field("arguments")), name.Start())
	}
	operator := n.Field("operator").Text()
	if tests := instanceTests(n.Field("left"), true, nil); operator == "&&" && len(tests) > 0 {
		b.Value(n.Field("left"))
		around := narrow(b, tests, n.Start(), n.End())
		b.Value(n.Field("right"))
		b.Scope = around
		return b.Literal("bool")
	}
	left := b.Value(n.Field("left"))
	if operator == "instanceof" {
		b.Type(n.Field("right"))
		return b.Literal("bool")
	}
	right := b.Value(n.Field("right"))
	if operator == "??" {
		return b.Either(left, right)
	}
	if operator == "." {
		return b.Literal("string")
	}
	return 0
}

func match(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.Walk(n.Field("condition"))
	var out []code.Ref
	for arm := range n.Field("body").NamedSeq() {
		b.Walk(arm.Field("conditional_expressions"))
		out = append(out, b.Value(arm.Field("return_expression")))
	}
	return b.Either(out...)
}

// plainName reads a constant, or the name of a class or function.
func plainName(b *core.FactBuilder, n syntax.Node) code.Ref {
	text := strings.Join(strings.Fields(n.Text()), "")
	switch strings.ToLower(text) {
	case "true", "false":
		return b.Literal("bool")
	case "null", "":
		return 0
	case "self", "static", "parent":
		return className(b, n)
	}
	return b.Name(text, n.Start())
}

// classOf returns the class before "::". If that is an object, it returns the
// object.
func classOf(b *core.FactBuilder, n syntax.Node) code.Ref {
	if n.Is("relative_scope") && strings.EqualFold(n.Text(), "parent") {
		return b.SuperAt(n)
	}
	if n.Is("name", "qualified_name") {
		return className(b, n)
	}
	return b.Value(n)
}

// property reads $x->name. In facts, a property's name includes the "$".
func property(b *core.FactBuilder, n syntax.Node) code.Ref {
	x, name := b.Value(n.Field("object")), n.Field("name")
	if !name.Is("name") {
		b.Walk(name)
		return 0
	}
	return b.Select(x, "$"+name.Text(), name.Start())
}

// methodFacts reads a method call, or a reference to the method if the arguments are
// "...".
func methodFacts(b *core.FactBuilder, n syntax.Node, x code.Ref) code.Ref {
	name := n.Field("name")
	args := n.Field("arguments")
	if !name.Is("name") || name.Begins("$") || name.Begins("{") {
		b.Walk(name)
		argumentRefs(b, args)
		return 0
	}
	callee := b.Select(x, name.Text(), name.Start())
	if args.First().Is("variadic_placeholder") {
		return callee
	}
	return b.Call(code.OpCall, callee, argumentRefs(b, args), name.Start())
}

func callFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	f, args := n.Field("function"), n.Field("arguments")
	if objectOfSum(n).Ok() {
		return 0
	}
	if createsNew(n) {
		return b.Call(code.OpNew, className(b, f), argumentRefs(b, args), f.Start())
	}
	if constructs[strings.ToLower(f.Short())] {
		argumentRefs(b, args)
		return 0
	}
	if !f.Is("name", "qualified_name") {
		return b.Call(code.OpCall, b.Value(f), argumentRefs(b, args), f.Start())
	}
	callee := b.Name(strings.Join(strings.Fields(f.Text()), ""), f.Start())
	if args.First().Is("variadic_placeholder") {
		return callee
	}
	refs := argumentRefs(b, args)
	if strings.EqualFold(strings.TrimPrefix(f.Text(), `\`), "define") {
		defineFacts(b, args, refs)
	}
	return b.Call(code.OpCall, callee, refs, f.Start())
}

// defineFacts binds the constant that a call of define() declares.
func defineFacts(b *core.FactBuilder, args syntax.Node, refs []code.Ref) {
	name, ok := literal(args.First().First())
	if !ok || len(refs) < 2 || !isConstantName(name) {
		return
	}
	b.DefineIn(0, code.Def{Name: name, Kind: code.DefVar, Value: refs[1], Line: int32(args.Line()), Exported: true})
}

// argumentRefs returns the values of an argument list, in order.
func argumentRefs(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range list.NamedSeq() {
		if a.Is("argument") {
			a = syntax.LastNamedChild(a)
		}
		out = append(out, b.Value(a))
	}
	return out
}

// newFacts reads new C(...) and anonymous classes.
func newFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	class := n.First()
	args := argumentRefs(b, n.Child("arguments"))
	body := n.Child("declaration_list")
	switch {
	case body.Ok():
		scope := b.OpenScope(code.TypeScope, "", n.Start(), n.End())
		classBody(b, n, body)
		b.CloseScope()
		return b.ScopeExpr(code.OpObject, scope)
	case class.Is("name", "qualified_name", "relative_scope"):
		return b.Call(code.OpNew, className(b, class), args, class.Start())
	}
	return b.Call(code.OpNew, b.Value(class), args, class.Start())
}

func assign(b *core.FactBuilder, n syntax.Node) code.Ref {
	left := n.Field("left")
	value := b.Value(n.Field("right"))
	if n.Is("augmented_assignment_expression") {
		before := b.Value(left)
		if !n.Field("operator").TextIs("??=") {
			return 0
		}
		value = b.Either(before, value)
	}
	bindTarget(b, left, value, n.End())
	return value
}

// closure reads an anonymous function.
func closure(b *core.FactBuilder, n syntax.Node) code.Ref {
	uses := n.Child("anonymous_function_use_clause")
	type captured struct {
		node  syntax.Node
		value code.Ref
	}
	var outer []captured
	for c := range uses.NamedSeq() {
		if c.Is("by_ref") {
			c = c.First()
		}
		outer = append(outer, captured{c, b.Value(c)})
	}
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	paramFacts(b, n.Field("parameters"), docFacts{b: b})
	for _, c := range outer {
		b.Define(code.Def{Name: c.node.Text(), Kind: code.DefVar, Value: c.value, Line: int32(c.node.Line())})
	}
	result := b.Type(n.Field("return_type"))
	b.Scopes[scope].Result, b.Scopes[scope].Body = result, true
	if body := n.Field("body"); n.Is("arrow_function") {
		b.Returns(b.Value(body))
	} else {
		b.WalkChildren(body)
	}
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// array reads [a, b] and ['k' => v]. [$x, 'm'] may be a method reference.
func array(b *core.FactBuilder, n syntax.Node) code.Ref {
	var values []code.Ref
	var nodes []syntax.Node
	keyed := false
	for e := range n.NamedSeq() {
		parts := syntax.NamedChildren(e)
		if len(parts) == 0 {
			continue
		}
		if len(parts) > 1 {
			b.Value(parts[0])
			keyed = true
		}
		last := parts[len(parts)-1]
		nodes, values = append(nodes, last), append(values, b.Value(last))
	}
	if len(nodes) == 2 && !keyed {
		if name, ok := literal(nodes[1]); ok && isConstantName(name) && isCallableTarget(nodes[0]) {
			return b.Select(values[0], name, nodes[1].Start())
		}
	}
	return b.Group(code.OpList, 0, values)
}

// isCallableTarget reports whether n is $this or A::class, which may be the first
// element of a method reference.
func isCallableTarget(n syntax.Node) bool {
	return n.TextIs("$this") || n.Is("class_constant_access_expression") && strings.HasSuffix(strings.ToLower(n.Text()), "::class")
}
