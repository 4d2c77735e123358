package core

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// record adds the call or binding at n to the result, if these are asked for; inside says whether n is in a function.
func (f *FlowReader) record(n syntax.Node, inside bool) {
	if f.Parts&Calls == 0 {
		return
	}
	kind := n.Kind()
	if f.Rules.Marks[kind] {
		f.recordMark(n)
	}
	if f.Rules.Calls[kind] {
		f.recordCall(n)
	}
	if kind == "export_statement" && n.Field("value").Ok() {
		value := n.Field("value")
		f.out.Bindings = append(f.out.Bindings, code.Binding{Name: "default", Value: f.value(value, 0), Line: n.Line()})
	}
	if inside || f.Rules.Flow[kind] != FlowAssign && !fieldKinds[kind] {
		return
	}
	if v := f.assignedValue(n); v.Ok() {
		f.out.Bindings = append(f.out.Bindings, code.Binding{In: f.Enclosing(n.Start()), Name: f.target(n), Value: f.value(v, 0), Line: n.Line(), Guarded: guarded(n)})
	}
}

// guards are the kinds of statements that decide whether those in them run.
var guards = SetOf(
	"if_statement", "if", "unless", "if_modifier", "unless_modifier", "case", "try_statement", "begin", "switch_statement", "match_statement",
	"for_statement", "while_statement", "conditional_expression", "ternary_expression", "conditional",
)

// guarded reports whether it depends on something whether n runs.
func guarded(n syntax.Node) bool {
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		if guards[p.Kind()] {
			return true
		}
	}
	return false
}

// maxAround limits how many nodes around a call are looked at: chains of calls nest deeply.
const maxAround = 40

// inComprehension reports whether n is evaluated once for each element of a comprehension around it, in the same function.
func (f *FlowReader) inComprehension(n syntax.Node) bool {
	if len(f.Rules.Comprehensions) == 0 {
		return false
	}
	p := n.Parent()
	for range maxAround {
		if !p.Ok() || p.Is("lambda", "function_definition", "block") {
			return false
		}
		if f.Rules.Comprehensions[p.Kind()] && n != firstClause(p) {
			return true
		}
		n, p = p, p.Parent()
	}
	return false
}

// firstClause returns the clause of a comprehension that names what it goes over, which is evaluated once.
func firstClause(comprehension syntax.Node) syntax.Node {
	for c := range comprehension.NamedSeq() {
		if c.Is("for_in_clause") {
			return c
		}
	}
	return syntax.Node{}
}

// fieldKinds are the kinds of declarations of fields with a value.
var fieldKinds = SetOf("public_field_definition", "field_definition", "variable_declarator", "property_declaration", "const_element")

// recordCall adds a call with its arguments.
func (f *FlowReader) recordCall(n syntax.Node) {
	call, ok := f.Lang.Call(n)
	made := n.Field("function") // require("x")(): what is called is the result of a call
	if !ok && !made.Is("call_expression") {
		return
	}
	use := code.CallUse{
		In: f.Enclosing(n.Start()), To: givenTo(n), Mark: n.Parent().Is("decorator") || n.Is("annotation", "marker_annotation", "attribute"),
		Test: f.inTest, Each: f.inComprehension(n), Value: f.value(n, 0), Line: n.Line(),
	}
	if !ok {
		use.Value = code.Value{Kind: code.ValueCall, Text: code.CallOfCall, Args: []code.Value{f.value(made, 0)}, Line: n.Line()}
		for c := range argumentsOf(n).NamedSeq() {
			use.Value.Args = append(use.Value.Args, f.value(c, 0))
		}
	} else if use.Value.Kind != code.ValueCall { // a method of a literal
		use.Value = code.Value{Kind: code.ValueCall, Text: srctext.Join(call.Receiver, call.Name), Line: n.Line()}
	}
	f.calls, use.Within = WithinUse(f.calls, n.Start())
	f.out.Calls = append(f.out.Calls, use)
	Chain(f.out, f.calls, n.Start())
	f.calls = append(f.calls, OpenUse{argumentsOf(n).Start(), f.blockEnd(n), len(f.out.Calls), n.Start(), use.Within})
}

// givenTo returns the variable, parameter or field that has the value of n, or a type with n in it; "" for none.
func givenTo(n syntax.Node) string {
	for p := n.Parent(); p.Is("type", "generic_type", "type_parameter", "subscript", "union_type", "binary_operator"); p = n.Parent() {
		n = p
	}
	if p := n.Parent(); p.Is("default_parameter", "typed_default_parameter", "typed_parameter") {
		if name := p.Field("name"); name.Ok() {
			return name.Short()
		}
		return p.First().Short()
	}
	return assigned(n)
}

// Chain sets After of the previous call of a chain, which starts at the same offset as the last call of out; open are the
// calls around that one.
func Chain(out *code.Bodies, open []OpenUse, start int) {
	if last := len(open) - 1; last >= 0 && open[last].Start == start {
		out.Calls[open[last].Number-1].After = len(out.Calls)
	}
}
