package lang

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// valueC returns the expression that a node is.
func valueC(b *FactBuilder, n syntax.Node) code.Ref {
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
		return b.Apply(code.OpAs, b.Type(n.Field("type")))
	case "compound_literal_expression":
		return b.cLiteral(n)
	case "assignment_expression":
		return b.cAssigned(n)
	case "conditional_expression":
		b.Walk(n.Field("condition"))
		return b.Either(b.cArgument(n.Field("consequence")), b.cArgument(n.Field("alternative")))
	case "comma_expression":
		b.Walk(n.Field("left"))
		return b.Value(n.Field("right"))
	case "initializer_list", "argument_list":
		b.cArguments(n)
	case "compound_statement":
		b.Walk(n)
	default:
		if b.isCPP() {
			return valueCPP(b, n)
		}
		b.WalkChildren(n)
	}
	return 0
}

// cNothing are the identifiers that name nothing.
var cNothing = SetOf("NULL", "true", "false", "nullptr", "__func__", "__FILE__", "__LINE__")

func (b *FactBuilder) cName(n syntax.Node) code.Ref {
	if name := n.Text(); !cNothing[name] {
		return b.Name(name, n.Start())
	}
	return 0
}

// cArgument returns what is handed on: in C only what may be a function or come
// from a call is of use to anyone.
func (b *FactBuilder) cArgument(n syntax.Node) code.Ref {
	if b.isCPP() {
		return b.Value(n)
	}
	switch n.Kind() {
	case "":
		return 0
	case "identifier":
		if name := n.Text(); cNothing[name] || isConstantName(name) || b.bound(name) {
			return 0
		}
		return b.Value(n)
	case "parenthesized_expression", "pointer_expression":
		return b.cArgument(n.First())
	case "cast_expression":
		b.Type(n.Field("type"))
		return b.cArgument(n.Field("value"))
	case "call_expression", "conditional_expression":
		return b.Value(n)
	case "initializer_list":
		b.cArguments(n)
	default:
		b.Walk(n)
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
func (b *FactBuilder) bound(name string) bool {
	for s := b.Scope; s > 0; s = b.Scopes[s].Parent {
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
func (b *FactBuilder) cArguments(list syntax.Node) []code.Ref {
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
func (b *FactBuilder) cCalled(n syntax.Node) code.Ref {
	f, args := n.Field("function"), n.Field("arguments")
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	if f.Is("identifier") && notCalls[f.Text()] {
		b.Walk(args)
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
	callee := b.Value(f)
	list := b.cArguments(args)
	if callee == 0 {
		return 0
	}
	return b.Call(code.OpCall, callee, list, pos)
}

func (b *FactBuilder) cSelected(n syntax.Node) code.Ref {
	field := n.Field("field")
	x := b.Value(n.Field("argument"))
	if b.isCPP() {
		return b.cppSelected(n, x, field)
	}
	return b.Select(x, field.Text(), field.Start())
}

// cWithin reads (x), *x and &x.
func (b *FactBuilder) cWithin(n syntax.Node) code.Ref {
	if b.isCPP() && n.Field("operator").Kind() == "*" && !n.Parent().Parent().Is("call_expression") {
		return b.cppPointed(b.Value(n.Field("argument")), "*", n)
	}
	return b.Value(n.First())
}

func (b *FactBuilder) cSubscript(n syntax.Node) code.Ref {
	x := b.Value(n.Field("argument"))
	index := n.Field("index")
	if !index.Ok() {
		index = n.Field("indices")
	}
	if !b.isCPP() {
		b.Walk(index)
		return x
	}
	if x == 0 {
		b.Walk(index)
		return 0
	}
	return b.Add(code.Expr{Op: code.OpIndex, X: x, Args: b.cArguments(index), Scope: b.Scope})
}

// cLiteral reads (T){x}, and the T{x} of C++.
func (b *FactBuilder) cLiteral(n syntax.Node) code.Ref {
	t := n.Field("type")
	if t.Is("type_descriptor") {
		b.cArguments(n.Field("value"))
		return b.Apply(code.OpAs, b.Type(t))
	}
	return b.cppMade(t, n.Field("value"))
}

// cAssigned reads an assignment. A function that a variable is set to is what
// calls through it may call.
func (b *FactBuilder) cAssigned(n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	value := b.cArgument(right)
	if !left.Is("identifier") || n.Field("operator").Kind() != "=" {
		b.Walk(left)
		return value
	}
	if value != 0 && (b.isCPP() || b.Exprs[value].Op == code.OpName) {
		b.cSet(left.Text(), value, n)
	}
	return value
}

// cSet adds a value to a variable without a type or of a function's.
func (b *FactBuilder) cSet(name string, value code.Ref, n syntax.Node) {
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		list := b.Scopes[s].Defs
		for i := range list {
			d := list[i]
			if d.Name != name || d.Kind != code.DefVar {
				continue
			}
			if d.Type == 0 || b.Exprs[d.Type].Op == code.OpFuncType {
				b.DefineIn(s, code.Def{Name: name, Kind: code.DefVar, Type: d.Type, Value: value, Pos: int32(n.End()), Line: int32(n.Line())})
			}
			return
		}
		if b.Scopes[s].Kind == code.FuncScope {
			return
		}
	}
}
