package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinCallFacts reads a call. The grammar parses f(x) { } as a call of f(x), but the
// lambda is an additional argument.
func kotlinCallFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	callee, suffix := n.First(), n.Child("call_suffix")
	lambda := suffix.Child("annotated_lambda", "lambda_literal")
	list := suffix.Child("value_arguments")
	types := suffix.Child("type_arguments")
	if before := callee.Child("call_suffix"); callee.Is("call_expression") && !list.Ok() && lambda.Ok() && before.Has("value_arguments") &&
		!before.Has("annotated_lambda") {
		list, types = before.Child("value_arguments"), before.Child("type_arguments")
		callee = callee.First()
	}
	ref, pos := kotlinCalled(b, callee)
	if types.Ok() {
		ref = b.Group(code.OpApply, ref, kotlinTypeArguments(b, types))
	}
	args := kotlinPassed(b, list)
	if lambda.Ok() {
		args = append(args, b.Value(lambda))
	}
	return b.Call(code.OpCall, ref, args, pos)
}

// kotlinCalled returns the called value and the offset of its name.
func kotlinCalled(b *core.FactBuilder, n syntax.Node) (ref code.Ref, pos int) {
	name := n
	if n.Is("navigation_expression") {
		parts := syntax.NamedChildren(n)
		name = parts[len(parts)-1].Child("simple_identifier")
	}
	ref = b.Value(n)
	return ref, name.Start()
}

// kotlinPassed returns the arguments in a list.
func kotlinPassed(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range list.NamedSeq() {
		parts := syntax.NamedChildren(a)
		if len(parts) == 0 {
			out = append(out, 0)
			continue
		}
		out = append(out, b.Value(parts[len(parts)-1]))
	}
	return out
}

// kotlinInfix reads an infix call of a method.
func kotlinInfix(b *core.FactBuilder, n syntax.Node) code.Ref {
	parts := syntax.NamedChildren(n)
	if len(parts) != 3 || !parts[1].Is("simple_identifier") {
		b.WalkChildren(n)
		return 0
	}
	name := parts[1]
	callee := b.Select(b.Value(parts[0]), kotlinWord(name), name.Start())
	return b.Call(code.OpCall, callee, []code.Ref{b.Value(parts[2])}, name.Start())
}

// kotlinLambda reads a lambda. If it declares no parameter, it may have one named it. Its
// last statement is its result.
func kotlinLambda(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	list := n.Child("lambda_parameters")
	for p := range list.NamedSeq() {
		if p.Is("multi_variable_declaration") {
			b.Define(code.Def{Name: "()", Kind: code.DefParam, Line: int32(p.Line())})
			kotlinBind(b, p, b.Name("()", p.Start()), 0)
			continue
		}
		name := p.Child("simple_identifier")
		b.Define(code.Def{Name: kotlinWord(name), Kind: code.DefParam, Type: kotlinTypeIn(b, p), Line: int32(p.Line())})
	}
	if !list.Ok() && !n.Has("->") {
		b.Define(code.Def{Name: "it", Kind: code.DefParam, Line: int32(n.Line()), Optional: true})
	}
	if s := n.Child("statements"); s.Ok() {
		b.Returns(kotlinLast(b, s))
	}
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}
