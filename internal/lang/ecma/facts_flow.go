package ecma

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// this returns the value of "this"; 0 in a function that is not a member.
func (e factReader) this(n syntax.Node) code.Ref {
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		switch p.Kind() {
		case "class_body", "interface_body", "object_type":
			return e.thisIn(e.Scope, n)
		case "method_definition", "method_signature", "abstract_method_signature":
			if declaresThis(p) {
				return e.Name("this", n.Start())
			}
			return e.thisIn(e.Scope, n)
		case "function_declaration", "generator_function_declaration", "function_expression", "generator_function":
			return e.functionThis(p, n)
		}
	}
	return 0
}

func (e factReader) thisIn(scope int32, n syntax.Node) code.Ref {
	return e.Add(code.Expr{Op: code.OpThis, Scope: scope, Pos: int32(n.Start())})
}

// functionThis returns "this" in a function that is not an arrow function: of the declared
// type, the object of which it is a member, or the one that it constructs.
func (e factReader) functionThis(f, n syntax.Node) code.Ref {
	if declaresThis(f) {
		return e.Name("this", n.Start())
	}
	if f.Is("function_declaration") {
		if name := f.Field("name"); e.hasPrototype(name.Text()) {
			if scope := e.prototype(name); scope >= 0 {
				return e.thisIn(scope, n)
			}
		}
		return 0
	}
	holder := f.Parent()
	left := holder.Field("left")
	if holder.Is("pair", "public_field_definition", "field_definition") || holder.Is("assignment_expression") && e.membersOf(left.Field("object")) >= 0 {
		return e.thisIn(e.Scope, n)
	}
	return 0
}

// declaresThis reports whether the parameters of a function declare the type of "this".
func declaresThis(f syntax.Node) bool {
	for p := range f.Field("parameters").NamedSeq() {
		if p.Field("pattern").Is("this") {
			return true
		}
	}
	return false
}

// assignment binds an assigned variable, unless its declaration has a type.
func (e factReader) assignment(n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	switch left.Kind() {
	case "identifier":
		v := e.Value(right)
		e.assigned(left.Text(), v, n)
		return v
	case "member_expression":
		return e.memberAssignment(left, right)
	case "object_pattern", "array_pattern":
		v := e.Value(right)
		e.assignedPattern(left, v, n)
		return v
	}
	e.Value(left)
	return e.Value(right)
}

// assignedPattern reads the names in the pattern of an assignment.
func (e factReader) assignedPattern(left syntax.Node, v code.Ref, n syntax.Node) {
	scope := e.OpenScope(code.BlockScope, "", left.Start(), left.End())
	e.CloseScope()
	e.pattern(left, v, code.Def{}, scope)
	bound := e.Scopes[scope].Defs
	e.Scopes[scope].Defs = nil
	for _, d := range bound {
		e.assigned(d.Name, d.Value, n)
	}
}

// assigned binds a variable again after an assignment, unless its declaration has a type.
func (e factReader) assigned(name string, v code.Ref, n syntax.Node) {
	if v == 0 {
		return
	}
	for s := e.Scope; s >= 0; s = e.Scopes[s].Parent {
		declared := false
		for i := range e.Scopes[s].Defs {
			d := &e.Scopes[s].Defs[i]
			if d.Name != name || e.Scopes[s].Kind == code.TypeScope || e.isObject(s) {
				continue
			}
			if d.Kind != code.DefVar && d.Kind != code.DefParam || d.Type != 0 || d.Value != 0 && d.Pos == 0 {
				return
			}
			declared = true
		}
		if declared {
			e.DefineIn(s, code.Def{Name: name, Kind: code.DefVar, Value: v, Pos: int32(n.End()), Line: e.line(n)})
			return
		}
	}
}

// ifStatement reads a condition and its branches.
func (e factReader) ifStatement(n syntax.Node) {
	condition, then, other := n.Field("condition"), n.Field("consequence"), n.Field("alternative")
	e.Value(condition)
	e.narrowed(then, e.tests(condition, true))
	e.narrowed(other, e.tests(condition, false))
	if !other.Ok() && exits(then) {
		for _, d := range e.tests(condition, false) {
			d.Pos = int32(n.End())
			e.Define(d)
		}
	}
}

// exits reports whether control does not continue after a statement.
func exits(n syntax.Node) bool {
	if n.Is("statement_block") {
		n = syntax.LastNamedChild(n)
	}
	return n.Is("return_statement", "throw_statement", "continue_statement", "break_statement")
}

// narrowed reads statements with additional bindings.
func (e factReader) narrowed(n syntax.Node, defs []code.Def) {
	if !n.Ok() {
		return
	}
	if len(defs) == 0 {
		e.Walk(n)
		return
	}
	e.inBlock(n, func() {
		for _, d := range defs {
			e.Define(d)
		}
		e.Walk(n)
	})
}

// narrowedValue returns the value of an expression with additional bindings.
func (e factReader) narrowedValue(n syntax.Node, defs []code.Def) code.Ref {
	if len(defs) == 0 {
		return e.Value(n)
	}
	var ref code.Ref
	e.inBlock(n, func() {
		for _, d := range defs {
			e.Define(d)
		}
		ref = e.Value(n)
	})
	return ref
}

// tests returns the types that a condition implies for names if its value is truth.
func (e factReader) tests(n syntax.Node, truth bool) []code.Def {
	if n.End()-n.Start() > core.MaxCondition {
		return nil
	}
	for n.Is("parenthesized_expression") {
		n = n.First()
	}
	switch {
	case n.Is("unary_expression") && n.Field("operator").TextIs("!"):
		return e.tests(n.Field("argument"), !truth)
	case !n.Is("binary_expression"):
		return nil
	}
	left, right := n.Field("left"), n.Field("right")
	switch operator := n.Field("operator").Text(); {
	case operator == "&&" && truth, operator == "||" && !truth:
		return append(e.tests(left, truth), e.tests(right, truth)...)
	case operator == "instanceof" && truth && left.Is("identifier"):
		return []code.Def{{Name: left.Text(), Kind: code.DefVar, Type: e.Value(right), Line: e.line(left)}}
	case (operator == "===" || operator == "==") == truth && strings.HasSuffix(operator, "=="):
		return e.typeofTest(left, right)
	}
	return nil
}

// typeofTest returns the type that typeof x === "string" implies for x.
func (e factReader) typeofTest(left, right syntax.Node) []code.Def {
	if right.Is("unary_expression") {
		left, right = right, left
	}
	x := left.Field("argument")
	if !left.Is("unary_expression") || !left.Field("operator").TextIs("typeof") || !x.Is("identifier") || !right.Is("string") {
		return nil
	}
	t := e.predefined(strings.Trim(right.Text(), `'"`))
	if t == 0 || right.Text() == `'object'` || right.Text() == `"object"` {
		return nil
	}
	return []code.Def{{Name: x.Text(), Kind: code.DefVar, Type: t, Line: e.line(x)}}
}

// forIn reads for (x of y) and for (x in y).
func (e factReader) forIn(n syntax.Node) {
	source := e.Value(n.Field("right"))
	e.inBlock(n, func() {
		left := n.Field("left")
		var item code.Ref
		switch {
		case n.Field("operator").TextIs("in"):
			item = e.Literal("string")
		case n.Has("await"):
			item = e.Apply(code.OpAwait, e.Apply(code.OpElem, source))
		default:
			item = e.Apply(code.OpElem, source)
		}
		switch {
		case n.Field("kind").TextIs("var"):
			e.pattern(left, item, code.Def{}, e.Function())
		case n.Field("kind").Ok():
			e.pattern(left, item, code.Def{}, e.Scope)
		case left.Is("identifier"):
			e.assigned(left.Text(), item, left)
		default:
			e.Value(left)
		}
		e.Walk(n.Field("body"))
	})
}

// catchClause reads catch (x) {…}.
func (e factReader) catchClause(n syntax.Node) {
	e.inBlock(n, func() {
		if p := n.Field("parameter"); p.Ok() {
			e.pattern(p, 0, code.Def{Type: e.annotated(n.Field("type"))}, e.Scope)
		}
		e.Walk(n.Field("body"))
	})
}
