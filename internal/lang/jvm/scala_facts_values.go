package jvm

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaExpressionFacts reads an expression whose value is not used. It reports false if n
// is not an expression.
func scalaExpressionFacts(b *core.FactBuilder, n syntax.Node) bool {
	kind := n.Kind()
	switch {
	case strings.HasSuffix(kind, "_type") || kind == "type_identifier" || kind == "stable_type_identifier":
		b.Type(n)
	case strings.HasSuffix(kind, "_expression") || kind == "generic_function" || kind == "case_block":
		b.Value(n)
	default:
		return false
	}
	return true
}

// scalaValue returns the value of n.
func scalaValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	if holes := scalaHoles(n, nil); len(holes) > 0 && !n.Is("wildcard") {
		return scalaHoled(b, n, holes)
	}
	switch n.Kind() {
	case "identifier", "operator_identifier":
		return scalaIdentifier(b, n)
	case "parenthesized_expression":
		return b.Value(n.First())
	case "field_expression", "stable_identifier":
		return scalaField(b, n)
	case "generic_function":
		return scalaGeneric(b, n)
	case "call_expression":
		return scalaCallFacts(b, n)
	case "instance_expression":
		return scalaNewFacts(b, n)
	case "infix_expression":
		return scalaInfix(b, n)
	case "lambda_expression":
		return scalaLambda(b, n)
	case "case_block":
		return scalaCases(b, n)
	case "block", "template_body":
		return scalaBlock(b, n)
	default:
		return scalaCompound(b, n)
	}
}

// scalaGeneric reads a function with type arguments: a cast, or a call if it is not part
// of one.
func scalaGeneric(b *core.FactBuilder, n syntax.Node) code.Ref {
	callee := n.Field("function")
	if scalaIs(callee, "asInstanceOf") {
		b.Value(callee.Field("value"))
		return b.Apply(code.OpAs, b.Type(n.Field("type_arguments").First()))
	}
	ref, types := b.Value(callee), scalaTypes(b, n.Field("type_arguments"))
	if ref == 0 {
		return 0
	}
	ref = b.Group(code.OpApply, ref, types)
	if n.Parent().Is("call_expression") && n.FieldName() == "function" {
		return ref
	}
	return b.Call(code.OpCall, ref, nil, scalaCalled(callee).Start())
}

// scalaIdentifier reads a name. The grammar parses this and super as names.
func scalaIdentifier(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Short() {
	case scalaThis:
		return jvmSelf(b, code.OpThis, n)
	case "super":
		return jvmSelf(b, code.OpSuper, n)
	case "null":
		return 0
	}
	return b.Name(scalaName(n), n.Start())
}

// scalaCompound reads an expression made of others.
func scalaCompound(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "if_expression":
		b.Walk(n.Field("condition"))
		return b.Either(b.Value(n.Field("consequence")), b.Value(n.Field("alternative")))
	case "match_expression":
		return scalaMatch(b, n)
	case "try_expression":
		return scalaTry(b, n)
	case "for_expression":
		return scalaFor(b, n)
	case "assignment_expression":
		left := b.Value(n.Field("left"))
		jvmExpect(b, b.Value(n.Field("right")), b.Apply(code.OpTypeOf, left))
		return 0
	case "return_expression":
		ref := b.Value(n.First())
		scalaReturns(b, ref)
		return 0
	case "tuple_expression":
		return b.Group(code.OpTuple, 0, b.Values(syntax.NamedChildren(n)))
	case "ascription_expression":
		parts := syntax.NamedChildren(n)
		b.Value(parts[0])
		return b.Apply(code.OpAs, b.Type(parts[len(parts)-1]))
	case "prefix_expression":
		b.WalkChildren(n)
		return 0
	case "postfix_expression":
		return b.Value(n.First())
	}
	if name := scalaLiteral(n); name != "" {
		b.WalkChildren(n)
		return b.Literal(name)
	}
	if strings.HasSuffix(n.Kind(), "_definition") {
		b.Walk(n)
		return 0
	}
	b.WalkChildren(n)
	return 0
}

// scalaTry reads a try. Its value is that of its block or of a handler.
func scalaTry(b *core.FactBuilder, n syntax.Node) code.Ref {
	ref := b.Value(n.Field("body"))
	for c := range n.NamedSeq() {
		if c.FieldName() != "body" {
			b.Walk(c)
		}
	}
	return ref
}

// scalaReturns adds ref to the results of the enclosing named function.
func scalaReturns(b *core.FactBuilder, ref code.Ref) {
	scope := b.Function()
	for b.Scopes[scope].Kind == code.FuncScope && b.Scopes[scope].Name == "" {
		if scope = b.Scopes[scope].Parent; scope < 0 {
			return
		}
		for b.Scopes[scope].Kind == code.BlockScope {
			scope = b.Scopes[scope].Parent
		}
	}
	kotlinInside(b, scope, func() { b.Returns(ref) })
}

// scalaLiteral returns the type of a literal, or "" for null and other nodes.
func scalaLiteral(n syntax.Node) string {
	switch n.Kind() {
	case "string", "interpolated_string_expression":
		return "string"
	case "character_literal":
		return "char"
	case "boolean_literal":
		return "boolean"
	case "floating_point_literal":
		return "double"
	case "integer_literal":
		if strings.HasSuffix(strings.ToLower(n.Text()), "l") {
			return "long"
		}
		return "int"
	}
	return ""
}

// scalaField reads a member of a value, type or package.
func scalaField(b *core.FactBuilder, n syntax.Node) code.Ref {
	if n.Is("stable_identifier") {
		return scalaPath(b, n)
	}
	of, field := n.Field("value"), n.Field("field")
	switch field.Short() {
	case scalaThis: // A.this
		return b.Apply(code.OpAs, b.Value(of))
	case "super":
		return jvmSelf(b, code.OpSuper, field)
	}
	return b.Select(b.Value(of), scalaName(field), field.Start())
}

// scalaIs reports whether n selects the member name.
func scalaIs(n syntax.Node, name string) bool {
	return n.Is("field_expression") && n.Field("field").Text() == name
}

// scalaCalled returns the name of a called function.
func scalaCalled(n syntax.Node) syntax.Node {
	for n.Is("generic_function") {
		n = n.Field("function")
	}
	if n.Is("field_expression") {
		return n.Field("field")
	}
	return n
}

// scalaCallFacts reads a call.
func scalaCallFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	callee, list := n.Field("function"), n.Field("arguments")
	ref := b.Value(callee)
	var args []code.Ref
	if list.Is("arguments") {
		args = scalaArguments(b, list)
	} else {
		args = []code.Ref{scalaBraces(b, list)}
	}
	return b.Call(code.OpCall, ref, args, scalaCalled(callee).Start())
}

// scalaArguments returns the arguments in a list.
func scalaArguments(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range list.NamedSeq() {
		if a.Is("assignment_expression") { // a named argument
			a = a.Field("right")
		}
		out = append(out, b.Value(a))
	}
	return out
}

// scalaBraces reads the argument of f { … }: a function or a value.
func scalaBraces(b *core.FactBuilder, n syntax.Node) code.Ref {
	if parts := syntax.NamedChildren(n); n.Is("block") && len(parts) == 1 && parts[0].Is("lambda_expression", "case_block") {
		return b.Value(parts[0])
	}
	return b.Value(n)
}

// scalaNewFacts reads the creation of an object. If it has a body, it has an anonymous
// class.
func scalaNewFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	var typ code.Ref
	var name, body syntax.Node
	var args []code.Ref
	var bases []code.Base
	for c := range n.NamedSeq() {
		switch {
		case c.Is("arguments"):
			args = append(args, scalaArguments(b, c)...)
		case c.Is("template_body", "structural_type"):
			body = c
		default:
			for _, t := range scalaParts(c) {
				ref := b.Type(t)
				bases = append(bases, code.Base{Type: ref})
				if typ == 0 {
					typ, name = ref, scalaNamed(t)
				}
			}
			for r := range c.NamedSeq() {
				if c.Is("compound_type") && r.Is("refinement", "structural_type") {
					body = r
				}
			}
		}
	}
	var made code.Ref
	if typ != 0 {
		made = b.Call(code.OpNew, scalaClass(b, typ), args, name.Start())
	}
	if !body.Ok() {
		return made
	}
	scope := b.OpenScope(code.TypeScope, "", n.Start(), n.End())
	b.Scopes[scope].Body, b.Scopes[scope].Bases = true, bases
	b.WalkChildren(body)
	b.CloseScope()
	return b.ScopeExpr(code.OpObject, scope)
}

// scalaClass returns the class of a type, not the companion object of the same name.
func scalaClass(b *core.FactBuilder, typ code.Ref) code.Ref {
	return b.Apply(code.OpTypeOf, b.Apply(code.OpAs, typ))
}

// scalaSigns are operators of library types whose result is unknown.
const scalaSigns = " + - * / % == != < > <= >= && || & | ^ << >> >>> ! :: ::: ++ :+ +: -> <- += -= *= /= ++= --= eq ne "

// scalaInfix reads an infix call of a method. An operator that ends in a colon is a
// method of the right operand.
func scalaInfix(b *core.FactBuilder, n syntax.Node) code.Ref {
	left, right, name := n.Field("left"), n.Field("right"), n.Field("operator")
	text := scalaName(name)
	switch {
	case text == "->":
		return b.Group(code.OpTuple, 0, []code.Ref{b.Value(left), b.Value(right)})
	case strings.Contains(scalaSigns, " "+text+" "), text == "with", text == "while":
		l := b.Value(left)
		b.Walk(right)
		switch {
		case text == "with":
			return l
		case strings.Contains(" == != < > <= >= && || eq ne ", " "+text+" "):
			return b.Literal("boolean")
		case text == "+" && b.Exprs[l].Op == code.OpLit && b.Exprs[l].Name == "string":
			return l
		}
		return 0
	case strings.HasSuffix(text, ":") && !unicode.IsLetter(rune(text[0])):
		left, right = right, left
	}
	callee := b.Select(b.Value(left), text, name.Start())
	args := []code.Ref{scalaBraces(b, right)}
	if right.Is("tuple_expression") {
		args = b.Exprs[args[0]].Args
	}
	return b.Call(code.OpCall, callee, args, name.Start())
}

// scalaLambda reads a lambda.
func scalaLambda(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	list := n.Field("parameters")
	if list.Is("identifier") {
		b.Define(code.Def{Name: scalaName(list), Kind: code.DefParam, Line: int32(list.Line())})
	}
	for p := range list.NamedSeq() {
		if name := p.Field("name"); name.Ok() {
			b.Define(code.Def{Name: scalaName(name), Kind: code.DefParam, Type: b.Type(p.Field("type")), Line: int32(name.Line())})
		}
	}
	var last code.Ref
	for c := range n.NamedSeq() {
		if c != list {
			last = b.Value(c)
		}
	}
	b.Returns(last)
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}
