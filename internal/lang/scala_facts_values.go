package lang

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scExpressionFacts reads an expression whose value no one asks for. It tells
// whether n is one with a value.
func scExpressionFacts(b *facts, n syntax.Node) bool {
	kind := n.Kind()
	switch {
	case strings.HasSuffix(kind, "_type") || kind == "type_identifier" || kind == "stable_type_identifier":
		b.typ(n)
	case strings.HasSuffix(kind, "_expression") || kind == "generic_function" || kind == "case_block":
		b.value(n)
	default:
		return false
	}
	return true
}

// scValue is the expression that a node is.
func scValue(b *facts, n syntax.Node) code.Ref {
	if holes := scHoles(n, nil); len(holes) > 0 && !n.Is("wildcard") {
		return scHoled(b, n, holes)
	}
	switch n.Kind() {
	case "identifier", "operator_identifier":
		return scIdentifier(b, n)
	case "parenthesized_expression":
		return b.value(n.First())
	case "field_expression", "stable_identifier":
		return scField(b, n)
	case "generic_function":
		return scGeneric(b, n)
	case "call_expression":
		return scCallFacts(b, n)
	case "instance_expression":
		return scNew(b, n)
	case "infix_expression":
		return scInfix(b, n)
	case "lambda_expression":
		return scLambda(b, n)
	case "case_block":
		return scCases(b, n)
	case "block", "template_body":
		return scBlock(b, n)
	default:
		return scCompound(b, n)
	}
}

// scGeneric is a function with type arguments: a call of it, where that is not part of
// one, or a cast.
func scGeneric(b *facts, n syntax.Node) code.Ref {
	callee := n.Field("function")
	if scIs(callee, "asInstanceOf") {
		b.value(callee.Field("value"))
		return b.of(code.OpAs, b.typ(n.Field("type_arguments").First()))
	}
	ref, types := b.value(callee), scTypes(b, n.Field("type_arguments"))
	if ref == 0 {
		return 0
	}
	ref = b.group(code.OpApply, ref, types)
	if n.Parent().Is("call_expression") && n.FieldName() == "function" {
		return ref
	}
	return b.call(code.OpCall, ref, nil, scCalled(callee).Start())
}

// scIdentifier is a name; this and super are words that the grammar takes for names.
func scIdentifier(b *facts, n syntax.Node) code.Ref {
	switch n.Short() {
	case scalaThis:
		return jvmSelf(b, code.OpThis, n)
	case "super":
		return jvmSelf(b, code.OpSuper, n)
	case "null":
		return 0
	}
	return b.name(scalaName(n), n.Start())
}

// scCompound is the value of an expression made of others.
func scCompound(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "if_expression":
		b.walk(n.Field("condition"))
		return b.either(b.value(n.Field("consequence")), b.value(n.Field("alternative")))
	case "match_expression":
		return scMatch(b, n)
	case "try_expression":
		return scTry(b, n)
	case "for_expression":
		return scFor(b, n)
	case "assignment_expression":
		left := b.value(n.Field("left"))
		jvmExpect(b, b.value(n.Field("right")), b.of(code.OpTypeOf, left))
		return 0
	case "return_expression":
		ref := b.value(n.First())
		scReturns(b, ref)
		return 0
	case "tuple_expression":
		return b.group(code.OpTuple, 0, b.values(inner(n)))
	case "ascription_expression":
		parts := inner(n)
		b.value(parts[0])
		return b.of(code.OpAs, b.typ(parts[len(parts)-1]))
	case "prefix_expression":
		b.below(n)
		return 0
	case "postfix_expression":
		return b.value(n.First())
	}
	if name := scLiteral(n); name != "" {
		b.below(n)
		return b.literal(name)
	}
	if strings.HasSuffix(n.Kind(), "_definition") {
		b.walk(n)
		return 0
	}
	b.below(n)
	return 0
}

// scTry is the value of a block, or of what catches.
func scTry(b *facts, n syntax.Node) code.Ref {
	ref := b.value(n.Field("body"))
	for c := range n.Inner() {
		if c.FieldName() != "body" {
			b.walk(c)
		}
	}
	return ref
}

// scReturns notes what return gives: the function with a name around gives it.
func scReturns(b *facts, ref code.Ref) {
	scope := b.function()
	for b.Scopes[scope].Kind == code.FuncScope && b.Scopes[scope].Name == "" {
		if scope = b.Scopes[scope].Parent; scope < 0 {
			return
		}
		for b.Scopes[scope].Kind == code.BlockScope {
			scope = b.Scopes[scope].Parent
		}
	}
	ktInside(b, scope, func() { b.returns(ref) })
}

// scLiteral returns the type of a literal; "" of what is none, or null.
func scLiteral(n syntax.Node) string {
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

// scField is a member of a value, type or package.
func scField(b *facts, n syntax.Node) code.Ref {
	if n.Is("stable_identifier") {
		return scPath(b, n)
	}
	of, field := n.Field("value"), n.Field("field")
	switch field.Short() {
	case scalaThis: // A.this
		return b.of(code.OpAs, b.value(of))
	case "super":
		return jvmSelf(b, code.OpSuper, field)
	}
	return b.selected(b.value(of), scalaName(field), field.Start())
}

// scIs tells the member of a name.
func scIs(n syntax.Node, name string) bool {
	return n.Is("field_expression") && n.Field("field").Text() == name
}

// scCalled returns the name in what is called.
func scCalled(n syntax.Node) syntax.Node {
	for n.Is("generic_function") {
		n = n.Field("function")
	}
	if n.Is("field_expression") {
		return n.Field("field")
	}
	return n
}

// scCallFacts is a call.
func scCallFacts(b *facts, n syntax.Node) code.Ref {
	callee, list := n.Field("function"), n.Field("arguments")
	ref := b.value(callee)
	var args []code.Ref
	if list.Is("arguments") {
		args = scArguments(b, list)
	} else {
		args = []code.Ref{scBraces(b, list)}
	}
	return b.call(code.OpCall, ref, args, scCalled(callee).Start())
}

// scArguments returns the arguments in a list.
func scArguments(b *facts, list syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range list.Inner() {
		if a.Is("assignment_expression") { // by its name
			a = a.Field("right")
		}
		out = append(out, b.value(a))
	}
	return out
}

// scBraces is the argument f { … } of a call: a function, or a value.
func scBraces(b *facts, n syntax.Node) code.Ref {
	if parts := inner(n); n.Is("block") && len(parts) == 1 && parts[0].Is("lambda_expression", "case_block") {
		return b.value(parts[0])
	}
	return b.value(n)
}

// scNew is a new object; one with a body is of a class of its own.
func scNew(b *facts, n syntax.Node) code.Ref {
	var typ code.Ref
	var name, body syntax.Node
	var args []code.Ref
	var bases []code.Base
	for c := range n.Inner() {
		switch {
		case c.Is("arguments"):
			args = append(args, scArguments(b, c)...)
		case c.Is("template_body", "structural_type"):
			body = c
		default:
			for _, t := range scParts(c) {
				ref := b.typ(t)
				bases = append(bases, code.Base{Type: ref})
				if typ == 0 {
					typ, name = ref, scNamed(t)
				}
			}
			for r := range c.Inner() {
				if c.Is("compound_type") && r.Is("refinement", "structural_type") {
					body = r
				}
			}
		}
	}
	var made code.Ref
	if typ != 0 {
		made = b.call(code.OpNew, scClass(b, typ), args, name.Start())
	}
	if !body.Ok() {
		return made
	}
	scope := b.open(code.TypeScope, "", n.Start(), n.End())
	b.Scopes[scope].Body, b.Scopes[scope].Bases = true, bases
	b.below(body)
	b.shut()
	return b.scoped(code.OpObject, scope)
}

// scClass is the class of a type that a new object is of, not the object of its name.
func scClass(b *facts, typ code.Ref) code.Ref {
	return b.of(code.OpTypeOf, b.of(code.OpAs, typ))
}

// scSigns are operators that the library's types have, and that tell nothing.
const scSigns = " + - * / % == != < > <= >= && || & | ^ << >> >>> ! :: ::: ++ :+ +: -> <- += -= *= /= ++= --= eq ne "

// scInfix is a call of a method by its name between two values; one that ends in a
// colon is the right value's.
func scInfix(b *facts, n syntax.Node) code.Ref {
	left, right, name := n.Field("left"), n.Field("right"), n.Field("operator")
	text := scalaName(name)
	switch {
	case text == "->":
		return b.group(code.OpTuple, 0, []code.Ref{b.value(left), b.value(right)})
	case strings.Contains(scSigns, " "+text+" "), text == "with", text == "while":
		l := b.value(left)
		b.walk(right)
		switch {
		case text == "with":
			return l
		case strings.Contains(" == != < > <= >= && || eq ne ", " "+text+" "):
			return b.literal("boolean")
		case text == "+" && b.Exprs[l].Op == code.OpLit && b.Exprs[l].Name == "string":
			return l
		}
		return 0
	case strings.HasSuffix(text, ":") && !unicode.IsLetter(rune(text[0])):
		left, right = right, left
	}
	callee := b.selected(b.value(left), text, name.Start())
	args := []code.Ref{scBraces(b, right)}
	if right.Is("tuple_expression") {
		args = b.Exprs[args[0]].Args
	}
	return b.call(code.OpCall, callee, args, name.Start())
}

// scLambda is a function without a name.
func scLambda(b *facts, n syntax.Node) code.Ref {
	scope := b.open(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	list := n.Field("parameters")
	if list.Is("identifier") {
		b.def(code.Def{Name: scalaName(list), Kind: code.DefParam, Line: int32(list.Line())})
	}
	for p := range list.Inner() {
		if name := p.Field("name"); name.Ok() {
			b.def(code.Def{Name: scalaName(name), Kind: code.DefParam, Type: b.typ(p.Field("type")), Line: int32(name.Line())})
		}
	}
	var last code.Ref
	for c := range n.Inner() {
		if c != list {
			last = b.value(c)
		}
	}
	b.returns(last)
	b.shut()
	return b.scoped(code.OpFunc, scope)
}
