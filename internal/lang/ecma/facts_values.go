package ecma

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// expression returns the expression of a node, and reads everything in it.
func (e factReader) expression(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier":
		return e.identifier(n)
	case "this":
		return e.this(n)
	case "super":
		return e.Add(code.Expr{Op: code.OpSuper, Scope: e.Scope, Pos: int32(n.Start())})
	case "member_expression", "subscript_expression":
		return e.member(n)
	case "call_expression":
		if n.Field("function").TextIs("Object.create") {
			return e.objectWith(n.Field("arguments"))
		}
		return e.callExpression(n)
	case "new_expression":
		return e.newExpression(n)
	case "arrow_function", "function_expression", "generator_function":
		return e.ScopeExpr(code.OpFunc, e.callable(n, "", n.Start()))
	case "class":
		return e.classExpression(n)
	case "object":
		return e.object(n)
	case "array":
		return e.array(n)
	case "parenthesized_expression", "non_null_expression":
		v := e.Value(n.First())
		if t := e.docCast(n); t != 0 {
			return e.Apply(code.OpAs, t)
		}
		return v
	}
	return e.operation(n)
}

// operation returns the result of an operator.
func (e factReader) operation(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "as_expression", "satisfies_expression", "type_assertion":
		return e.cast(n)
	case "await_expression":
		return e.Apply(code.OpAwait, e.Value(n.First()))
	case "yield_expression":
		e.yield(n)
		return 0
	case "assignment_expression":
		return e.assignment(n)
	case "augmented_assignment_expression":
		right := e.Value(n.Field("right"))
		return e.Either(e.Value(n.Field("left")), right)
	case "ternary_expression":
		return e.ternary(n)
	case "binary_expression":
		return e.binary(n)
	case "sequence_expression":
		var last code.Ref
		for p := range n.NamedSeq() {
			last = e.Value(p)
		}
		return last
	case "unary_expression":
		return e.unary(n)
	}
	return e.literalValue(n)
}

// literalValue returns the expression of a literal. Of other nodes, only the contents are
// read.
func (e factReader) literalValue(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "string":
		return e.Literal("string")
	case "template_string":
		e.WalkChildren(n)
		return e.Literal("string")
	case "number":
		return e.Literal("number")
	case "true", "false":
		return e.Literal("boolean")
	case "regex":
		return e.Literal("RegExp")
	case "jsx_element", "jsx_self_closing_element":
		return e.jsx(n)
	case "type_identifier":
		return e.Name(n.Text(), n.Start())
	case "decorator":
		e.Value(n.First())
		return 0
	}
	e.WalkChildren(n)
	return 0
}

func (e factReader) identifier(n syntax.Node) code.Ref {
	switch text := n.Text(); text {
	case "undefined", "NaN", "Infinity":
		return 0
	default:
		return e.Name(text, n.Start())
	}
}

// member returns the value of x.y, x["y"] or x[i].
func (e factReader) member(n syntax.Node) code.Ref {
	object := e.Value(n.Field("object"))
	if n.Is("member_expression") {
		p := n.Field("property")
		return e.Select(object, p.Text(), p.Start())
	}
	index := n.Field("index")
	if index.Is("string") {
		return e.Select(object, strings.Trim(index.Text(), `'"`), index.Start())
	}
	if index.Is("member_expression") && index.Begins("Symbol.") {
		return e.Select(object, "["+index.Text()+"]", index.Start())
	}
	at := e.Value(index)
	if object == 0 {
		return 0
	}
	return e.Group(code.OpIndex, object, []code.Ref{at})
}

// callExpression returns the value of f(x), f<T>(x), f`x`, import("x") or require("x").
func (e factReader) callExpression(n syntax.Node) code.Ref {
	f := n.Field("function")
	arguments := n.Field("arguments")
	if text := f.Text(); f.Is("import") || text == "require" {
		if ref, ok := e.imported(n, arguments.First()); ok {
			return ref
		}
	}
	x := e.Value(f)
	if f.Is("super") { // its constructor
		x = e.Apply(code.OpTypeOf, x)
	}
	callee := e.applied(x, n.Field("type_arguments"))
	if arguments.Is("template_string") {
		return e.called(code.OpCall, callee, e.substitutions(arguments), f)
	}
	return e.called(code.OpCall, callee, e.arguments(arguments), f)
}

// called returns a call of the expression f.
func (e factReader) called(op code.Op, callee code.Ref, args []code.Ref, f syntax.Node) code.Ref {
	for f.Is("parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression") && f.First().Ok() {
		f = f.First()
	}
	at := f
	switch f.Kind() {
	case "member_expression":
		at = f.Field("property")
	case "sequence_expression":
		for p := range f.NamedSeq() {
			at = p
		}
	}
	ref := e.Call(op, callee, args, at.Start())
	for i, a := range args {
		e.passedTo(a, ref, i)
	}
	return ref
}

// passedTo records the call to which an argument is passed in the closures that it is or
// contains.
func (e factReader) passedTo(arg, call code.Ref, i int) {
	switch x := e.Exprs[arg]; x.Op {
	case code.OpFunc:
		e.Scopes[x.N].Call, e.Scopes[x.N].Arg = call, int32(i)
	case code.OpEither:
		for _, a := range x.Args {
			e.passedTo(a, call, i)
		}
	case code.OpObject:
		if len(e.Scopes[x.N].Defs) > 0 {
			e.expect(arg, e.Apply(code.OpTypeOf, e.Add(code.Expr{Op: code.OpExpected, X: call, N: int32(i), Scope: e.Scope})))
		}
	default:
	}
}

// arguments returns the values of an argument list. The positions after a spread are unknown.
func (e factReader) arguments(n syntax.Node) []code.Ref {
	var out []code.Ref
	spread := false
	for a := range n.NamedSeq() {
		if a.Is("spread_element") {
			spread = true
			e.Value(a.First())
			continue
		}
		if v := e.Value(a); !spread {
			out = append(out, v)
		}
	}
	return out
}

// substitutions returns the values in a tagged template, after the strings.
func (e factReader) substitutions(n syntax.Node) []code.Ref {
	out := []code.Ref{0}
	for s := range n.NamedSeq() {
		if s.Is("template_substitution") {
			out = append(out, e.Value(s.First()))
		}
	}
	return out
}

func (e factReader) newExpression(n syntax.Node) code.Ref {
	f := n.Field("constructor")
	callee := e.applied(e.Value(f), n.Field("type_arguments"))
	return e.called(code.OpNew, callee, e.arguments(n.Field("arguments")), f)
}

// imported returns the module of import("x") or require("x").
func (e factReader) imported(n, source syntax.Node) (code.Ref, bool) {
	if !source.Is("string") {
		return 0, false
	}
	module, line := strings.Trim(source.Text(), "'\"`"), n.Line()
	for i := range e.File.Imports {
		imp := &e.File.Imports[i]
		if imp.Line == line && imp.Module == module && (imp.Kind == code.DynamicImport || imp.Kind == code.RequireImport) {
			return e.Add(code.Expr{Op: code.OpImport, N: int32(i), Scope: e.Scope, Pos: int32(n.Start()), Line: int32(line)}), true
		}
	}
	return 0, false
}

func (e factReader) array(n syntax.Node) code.Ref {
	var parts []code.Ref
	for p := range n.NamedSeq() {
		if p.Is("spread_element") {
			if x := e.Value(p.First()); x != 0 {
				parts = append(parts, e.Apply(code.OpElem, x))
			}
			continue
		}
		parts = append(parts, e.Value(p))
	}
	return e.Group(code.OpList, 0, parts)
}

// cast returns the value of x as T, x satisfies T or <T>x.
func (e factReader) cast(n syntax.Node) code.Ref {
	parts := syntax.NamedChildren(n)
	if len(parts) < 2 { // as const
		return e.Value(n.First())
	}
	value, typ := parts[0], parts[1]
	if n.Is("type_assertion") {
		value, typ = parts[1], parts[0].First()
	}
	t := e.Type(typ)
	if v := e.expected(value, t); n.Is("satisfies_expression") || t == 0 && !typ.Is("predefined_type") {
		return v
	}
	return e.Apply(code.OpAs, t)
}

// yield records a value that a generator yields.
func (e factReader) yield(n syntax.Node) {
	x := e.Value(n.First())
	if x != 0 && !n.Has("*") {
		x = e.Group(code.OpList, 0, []code.Ref{x})
	}
	e.Returns(x)
}

func (e factReader) unary(n syntax.Node) code.Ref {
	e.Value(n.Field("argument"))
	switch n.Field("operator").Short() {
	case "!", "delete":
		return e.Literal("boolean")
	case "typeof":
		return e.Literal("string")
	case "void":
		return 0
	}
	return e.Literal("number")
}

// binary returns the value of x && y, x || y, x ?? y, or arithmetic.
func (e factReader) binary(n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	l := e.Value(left)
	switch n.Field("operator").Short() {
	case "&&":
		return e.narrowedValue(right, e.tests(left, true))
	case "||":
		return e.Either(l, e.narrowedValue(right, e.tests(left, false)))
	case "??":
		return e.Either(l, e.Value(right))
	case "+", "-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>":
		e.Value(right)
		return 0
	}
	e.Value(right)
	return e.Literal("boolean")
}

func (e factReader) ternary(n syntax.Node) code.Ref {
	condition := n.Field("condition")
	e.Value(condition)
	a := e.narrowedValue(n.Field("consequence"), e.tests(condition, true))
	b := e.narrowedValue(n.Field("alternative"), e.tests(condition, false))
	return e.Either(a, b)
}

// jsx reads an element: a component is called with its properties.
func (e factReader) jsx(n syntax.Node) code.Ref {
	head := n
	if open := n.Field("open_tag"); open.Ok() {
		head = open
	}
	name := head.Field("name")
	var callee code.Ref
	if text := name.Text(); text != "" && (text[0] < 'a' || text[0] > 'z' || strings.Contains(text, ".")) {
		callee = e.entity(name)
	}
	outer := e.Scope
	scope := e.OpenScope(code.SpaceScope, "", head.Start(), head.End())
	e.Scope = outer
	for a := range head.NamedSeq() {
		switch {
		case a == name:
		case a.Is("jsx_attribute"):
			e.attribute(a, scope)
		default:
			e.Walk(a)
		}
	}
	var ref code.Ref
	if callee != 0 {
		ref = e.called(code.OpCall, callee, []code.Ref{e.ScopeExpr(code.OpObject, scope)}, name)
		e.Exprs[ref].N = 1
	}
	for c := range n.NamedSeq() {
		if c.Is("jsx_expression", "jsx_element", "jsx_self_closing_element") {
			e.Walk(c)
		}
	}
	return ref
}

// attribute reads an attribute of an element.
func (e factReader) attribute(a syntax.Node, scope int32) {
	parts := syntax.NamedChildren(a)
	if len(parts) < 2 {
		return
	}
	v := parts[1]
	if v.Is("jsx_expression") {
		v = v.First()
	}
	e.DefineIn(scope, code.Def{Name: parts[0].Text(), Kind: code.DefField, Value: e.Value(v), Line: e.line(a)})
}
