package lang

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// valueC returns the expression that a node is.
func valueC(b *facts, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return b.cName(n)
	case "call_expression":
		return b.cCalled(n)
	case "field_expression":
		return b.cSelected(n)
	case "pointer_expression", "parenthesized_expression":
		return b.cWithin(n)
	case "subscript_expression":
		return b.cSubscript(n)
	case "cast_expression":
		b.cArgument(n.Field("value"))
		return b.of(code.OpAs, b.typ(n.Field("type")))
	case "compound_literal_expression":
		return b.cLiteral(n)
	case "assignment_expression":
		return b.cAssigned(n)
	case "conditional_expression":
		b.walk(n.Field("condition"))
		return b.either(b.cArgument(n.Field("consequence")), b.cArgument(n.Field("alternative")))
	case "comma_expression":
		b.walk(n.Field("left"))
		return b.value(n.Field("right"))
	case "initializer_list", "argument_list":
		b.cArguments(n)
	case "compound_statement":
		b.walk(n)
	default:
		if b.isCPP() {
			return valueCPP(b, n)
		}
		b.below(n)
	}
	return 0
}

// cNothing are the identifiers that name nothing.
var cNothing = setOf("NULL", "true", "false", "nullptr", "__func__", "__FILE__", "__LINE__")

func (b *facts) cName(n syntax.Node) code.Ref {
	if name := n.Text(); !cNothing[name] {
		return b.name(name, n.Start())
	}
	return 0
}

// cArgument returns what is handed on: in C only what may be a function or come
// from a call is of use to anyone.
func (b *facts) cArgument(n syntax.Node) code.Ref {
	if b.isCPP() {
		return b.value(n)
	}
	switch n.Kind() {
	case "":
		return 0
	case "identifier":
		if name := n.Text(); cNothing[name] || isConstantName(name) || b.bound(name) {
			return 0
		}
		return b.value(n)
	case "parenthesized_expression", "pointer_expression":
		return b.cArgument(n.First())
	case "cast_expression":
		b.typ(n.Field("type"))
		return b.cArgument(n.Field("value"))
	case "call_expression", "conditional_expression":
		return b.value(n)
	case "initializer_list":
		b.cArguments(n)
	default:
		b.walk(n)
	}
	return 0
}

// isConstantName tells a name that macros and the values of enumerations have.
func isConstantName(name string) bool {
	for i := range len(name) {
		if name[i] >= 'a' && name[i] <= 'z' {
			return false
		}
	}
	return true
}

// bound tells whether a name is bound in the function around.
func (b *facts) bound(name string) bool {
	for s := b.scope; s > 0; s = b.Scopes[s].Parent {
		if k := b.Scopes[s].Kind; k != code.FuncScope && k != code.BlockScope {
			continue
		}
		for i := range b.Scopes[s].Defs {
			if b.Scopes[s].Defs[i].Name == name {
				return true
			}
		}
	}
	return false
}

// cArguments reads the values in a list.
func (b *facts) cArguments(list syntax.Node) []code.Ref {
	var out []code.Ref
	some := false
	for a := range list.Inner() {
		if a.Is("initializer_pair") {
			a = a.Field("value")
		}
		ref := b.cArgument(a)
		some = some || ref != 0
		out = append(out, ref)
	}
	if !some && !b.isCPP() {
		return nil
	}
	return out
}

// cCalled reads a call.
func (b *facts) cCalled(n syntax.Node) code.Ref {
	f, args := n.Field("function"), n.Field("arguments")
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	if f.Is("identifier") && notCalls[f.Text()] {
		b.walk(args)
		return 0
	}
	if b.isCPP() {
		if ref, ok := b.cppCalled(f, args); ok {
			return ref
		}
	}
	pos := f.Start()
	if f.Is("field_expression") {
		pos = f.Field("field").Start()
	}
	callee := b.value(f)
	list := b.cArguments(args)
	if callee == 0 {
		return 0
	}
	return b.call(code.OpCall, callee, list, pos)
}

func (b *facts) cSelected(n syntax.Node) code.Ref {
	field := n.Field("field")
	x := b.value(n.Field("argument"))
	if b.isCPP() {
		return b.cppSelected(n, x, field)
	}
	return b.selected(x, field.Text(), field.Start())
}

// cWithin reads (x), *x and &x.
func (b *facts) cWithin(n syntax.Node) code.Ref {
	if b.isCPP() && n.Field("operator").Kind() == "*" && !n.Parent().Parent().Is("call_expression") {
		return b.cppPointed(b.value(n.Field("argument")), "*", n)
	}
	return b.value(n.First())
}

func (b *facts) cSubscript(n syntax.Node) code.Ref {
	x := b.value(n.Field("argument"))
	index := n.Field("index")
	if !index.Ok() {
		index = n.Field("indices")
	}
	if !b.isCPP() {
		b.walk(index)
		return x
	}
	if x == 0 {
		b.walk(index)
		return 0
	}
	return b.add(code.Expr{Op: code.OpIndex, X: x, Args: b.cArguments(index), Scope: b.scope})
}

// cLiteral reads (T){x}, and the T{x} of C++.
func (b *facts) cLiteral(n syntax.Node) code.Ref {
	t := n.Field("type")
	if t.Is("type_descriptor") {
		b.cArguments(n.Field("value"))
		return b.of(code.OpAs, b.typ(t))
	}
	return b.cppMade(t, n.Field("value"))
}

// cAssigned reads an assignment. A function that a variable is set to is what
// calls through it may call.
func (b *facts) cAssigned(n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	value := b.cArgument(right)
	if !left.Is("identifier") || n.Field("operator").Kind() != "=" {
		b.walk(left)
		return value
	}
	if value != 0 && (b.isCPP() || b.Exprs[value].Op == code.OpName) {
		b.cSet(left.Text(), value, n)
	}
	return value
}

// cSet adds a value to a variable without a type or of a function's.
func (b *facts) cSet(name string, value code.Ref, n syntax.Node) {
	for s := b.scope; s >= 0; s = b.Scopes[s].Parent {
		list := b.Scopes[s].Defs
		for i := range list {
			d := list[i]
			if d.Name != name || d.Kind != code.DefVar {
				continue
			}
			if d.Type == 0 || b.Exprs[d.Type].Op == code.OpFuncType {
				b.defIn(s, code.Def{Name: name, Kind: code.DefVar, Type: d.Type, Value: value, Pos: int32(n.End()), Line: int32(n.Line())})
			}
			return
		}
		if b.Scopes[s].Kind == code.FuncScope {
			return
		}
	}
}
