package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// valueC returns the expression of a node.
func valueC(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "identifier":
		return tokenName(b, n)
	case "call_expression":
		return calledValue(b, n)
	case "field_expression":
		return selected(b, n)
	case "pointer_expression", "parenthesized_expression":
		return within(b, n)
	case "subscript_expression":
		return subscript(b, n)
	case "cast_expression":
		argument(b, n.Field("value"))
		return b.Apply(code.OpAs, b.Type(n.Field("type")))
	case "compound_literal_expression":
		return literal(b, n)
	case "assignment_expression":
		return assigned(b, n)
	case "conditional_expression":
		b.Walk(n.Field("condition"))
		return b.Either(argument(b, n.Field("consequence")), argument(b, n.Field("alternative")))
	case "comma_expression":
		b.Walk(n.Field("left"))
		return b.Value(n.Field("right"))
	case "initializer_list", "argument_list":
		arguments(b, n)
	case "compound_statement":
		b.Walk(n)
	default:
		if isCPP(b) {
			return valueCPP(b, n)
		}
		b.WalkChildren(n)
	}
	return 0
}

// nothing are the identifiers that do not refer to a declaration.
var nothing = core.SetOf("NULL", "true", "false", "nullptr", "__func__", "__FILE__", "__LINE__")

func tokenName(b *core.FactBuilder, n syntax.Node) code.Ref {
	name := n.Text()
	switch {
	case !nothing[name]:
		return b.Name(name, n.Start())
	case isCPP(b) && (name == "true" || name == "false"):
		return b.Literal("bool")
	}
	return 0
}

// argument returns the value of an argument. In C, only values that may be functions or
// results of calls are kept.
func argument(b *core.FactBuilder, n syntax.Node) code.Ref {
	if isCPP(b) {
		return b.Value(n)
	}
	switch n.Kind() {
	case "":
		return 0
	case "identifier":
		switch name := n.Text(); {
		case nothing[name] || bound(b, name):
			return 0
		case isConstantName(name): // not a value, but it may be a macro that calls something
			b.Mention(name, n.Start())
			return 0
		}
		return b.Value(n)
	case "parenthesized_expression", "pointer_expression":
		return argument(b, n.First())
	case "cast_expression":
		b.Type(n.Field("type"))
		return argument(b, n.Field("value"))
	case "call_expression", "conditional_expression":
		return b.Value(n)
	case "initializer_list":
		arguments(b, n)
	default:
		b.Walk(n)
	}
	return 0
}

// isConstantName reports whether a name has the form used for macros and enumerators.
func isConstantName(name string) bool {
	for i := range len(name) {
		if name[i] >= 'a' && name[i] <= 'z' {
			return false
		}
	}
	return true
}

// bound reports whether a name is bound in the enclosing function.
func bound(b *core.FactBuilder, name string) bool {
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

// arguments reads the values in a list.
func arguments(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	some := false
	for a := range list.NamedSeq() {
		if a.Is("initializer_pair") {
			a = a.Field("value")
		}
		ref := argument(b, a)
		some = some || ref != 0
		out = append(out, ref)
	}
	if !some && !isCPP(b) {
		return nil
	}
	return out
}

// calledValue reads a call.
func calledValue(b *core.FactBuilder, n syntax.Node) code.Ref {
	f, args := n.Field("function"), n.Field("arguments")
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	if f.Is("identifier") && notCalls[f.Text()] {
		b.Walk(args)
		return 0
	}
	if f.Is("primitive_type", "sized_type_specifier") { // int(x)
		b.Walk(args)
		return plainType(b, f.Text())
	}
	if isCPP(b) {
		if ref, ok := cppCalled(b, f, args); ok {
			return ref
		}
	}
	pos := f.Start()
	if f.Is("field_expression") {
		pos = f.Field("field").Start()
	}
	callee := b.Value(f)
	if name := nameOfMacroCall(f); name.Ok() {
		callee, pos = b.Name(name.Text(), name.Start()), name.Start()
	}
	list := arguments(b, args)
	if callee == 0 {
		return 0
	}
	return b.Call(code.OpCall, callee, list, pos)
}

// nameOfMacroCall returns the name from which a macro makes that of a function: PREFIX(scan) in PREFIX(scan)(c).
func nameOfMacroCall(f syntax.Node) syntax.Node {
	list := f.Field("arguments")
	if name := list.First(); f.Is("call_expression") && f.Field("function").Is("identifier") && isConstantName(f.Field("function").Text()) &&
		name.Is("identifier") && !name.Next().Next().Ok() {
		return name
	}
	return syntax.Node{}
}

func selected(b *core.FactBuilder, n syntax.Node) code.Ref {
	field := n.Field("field")
	x := b.Value(n.Field("argument"))
	if isCPP(b) {
		return cppSelected(b, n, x, field)
	}
	return b.Select(x, field.Text(), field.Start())
}

// within reads (x), *x and &x.
func within(b *core.FactBuilder, n syntax.Node) code.Ref {
	operator := n.Field("operator").Kind()
	if !isCPP(b) || operator == "" {
		return b.Value(n.First())
	}
	of := n.Field("argument")
	if name := plainVariable(b, of); name != "" {
		b.Value(of)
		switch {
		case operator == "&":
			return b.Literal(name + "*")
		case strings.HasSuffix(name, "*"):
			return b.Literal(strings.TrimSuffix(name, "*"))
		}
	}
	if operator == "*" && !n.Parent().Parent().Is("call_expression") {
		return cppDereference(b, b.Value(of), "*", n)
	}
	return b.Value(of)
}

// plainVariable returns the plain type of a variable of the enclosing functions that a node names; "" for others.
func plainVariable(b *core.FactBuilder, n syntax.Node) string {
	if !n.Is("identifier") {
		return ""
	}
	name := n.Text()
	for s := b.Scope; s > 0; s = b.Scopes[s].Parent {
		for i := range b.Scopes[s].Defs {
			if d := &b.Scopes[s].Defs[i]; d.Name == name {
				if x := &b.Exprs[d.Type]; d.Type != 0 && x.Op == code.OpLit {
					return x.Name
				}
				return ""
			}
		}
	}
	return ""
}

func subscript(b *core.FactBuilder, n syntax.Node) code.Ref {
	x := b.Value(n.Field("argument"))
	index := n.Field("index")
	if !index.Ok() {
		index = n.Field("indices")
	}
	if !isCPP(b) {
		b.Walk(index)
		return x
	}
	if x == 0 {
		b.Walk(index)
		return 0
	}
	return b.Add(code.Expr{Op: code.OpIndex, X: x, Args: arguments(b, index), Scope: b.Scope})
}

// literal reads (T){x}, and the T{x} of C++.
func literal(b *core.FactBuilder, n syntax.Node) code.Ref {
	t := n.Field("type")
	if t.Is("type_descriptor") {
		arguments(b, n.Field("value"))
		return b.Apply(code.OpAs, b.Type(t))
	}
	return cppNewObject(b, t, n.Field("value"))
}

// assigned reads an assignment. A function assigned to a variable may be called through it.
func assigned(b *core.FactBuilder, n syntax.Node) code.Ref {
	left, right := n.Field("left"), n.Field("right")
	value := argument(b, right)
	if !left.Is("identifier") || n.Field("operator").Kind() != "=" {
		b.Walk(left)
		return value
	}
	if value != 0 && (isCPP(b) || b.Exprs[value].Op == code.OpName) {
		set(b, left.Text(), value, n)
	}
	return value
}

// set adds a value to a variable that has no type or a function type.
func set(b *core.FactBuilder, name string, value code.Ref, n syntax.Node) {
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
