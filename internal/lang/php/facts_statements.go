package php

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// statementFacts reads a statement that binds or narrows variables. A variable is bound
// in the whole function from its first assignment on. The result reports whether n was
// handled.
func statementFacts(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "if_statement":
		ifFacts(b, n)
	case "foreach_statement":
		foreach(b, n)
	case "catch_clause":
		name := n.Field("name")
		setVariable(b, name.Text(), code.Def{Type: b.Type(n.Field("type")), Pos: int32(name.Start()), Line: int32(name.Line())})
		b.Walk(n.Field("body"))
	case "return_statement":
		b.Returns(b.Value(n.First()))
	case "static_variable_declaration":
		name, value := n.Field("name"), n.Field("value")
		setVariable(b, name.Text(), code.Def{Value: b.Value(value), Pos: int32(n.End()), Line: int32(name.Line())})
	case "global_declaration":
		for c := range n.NamedSeq() {
			b.Name(c.Text(), c.Start())
		}
	case "unset_statement":
	default:
		return false
	}
	return true
}

// setVariable binds a variable in the enclosing function and in the blocks in between
// that narrow it.
func setVariable(b *core.FactBuilder, name string, d code.Def) {
	if name == "" {
		return
	}
	d.Name, d.Kind = name, code.DefVar
	s := b.Scope
	for ; b.Scopes[s].Kind == code.BlockScope; s = b.Scopes[s].Parent {
		if len(b.Scopes[s].Defs) > 0 && b.Scopes[s].Defs[0].Name == name {
			b.DefineIn(s, d)
		}
	}
	b.DefineIn(s, d)
}

// ifFacts reads a condition and its branches. A narrowed type holds in the branch, and
// also after the statement if the other branch leaves.
func ifFacts(b *core.FactBuilder, n syntax.Node) {
	condition, body := n.Field("condition"), n.Field("body")
	around := narrow(b, instanceTests(condition, true, nil), n.Start(), n.End())
	b.Walk(condition)
	b.Walk(body)
	b.Scope = around
	for c := range n.NamedSeq() {
		if c.FieldName() == "alternative" {
			b.Walk(c)
		}
	}
	if !leaves(body) {
		return
	}
	for _, t := range instanceTests(condition, false, nil) {
		setVariable(b, t.Field("left").Text(), code.Def{Value: b.Apply(code.OpAs, b.Type(t.Field("right"))), Pos: int32(n.End()), Line: int32(n.Line())})
	}
}

// instanceTests appends to out the instanceof tests of variables that are true if the
// condition n evaluates to holds.
func instanceTests(n syntax.Node, holds bool, out []syntax.Node) []syntax.Node {
	if n.End()-n.Start() > core.MaxCondition {
		return out
	}
	n = unbracketed(n)
	switch {
	case n.Is("unary_op_expression") && n.Begins("!"):
		return instanceTests(syntax.LastNamedChild(n), !holds, out)
	case !n.Is("binary_expression"):
	case n.Field("operator").TextIs("instanceof"):
		if left, right := n.Field("left"), n.Field("right"); holds && left.Is("variable_name") && !left.TextIs("$this") && right.Is("name", "qualified_name", "relative_scope") {
			return append(out, n)
		}
	case n.Field("operator").TextIs("&&") && holds, n.Field("operator").TextIs("||") && !holds:
		return instanceTests(n.Field("right"), holds, instanceTests(n.Field("left"), holds, out))
	}
	return out
}

// narrow opens one block scope per test, in which the variable has the tested type.
// It returns the scope that was current before.
func narrow(b *core.FactBuilder, tests []syntax.Node, from, to int) int32 {
	around := b.Scope
	for _, t := range tests {
		left, right := t.Field("left"), t.Field("right")
		value := b.Apply(code.OpAs, b.Type(right))
		b.OpenScope(code.BlockScope, "", from, to)
		b.Define(code.Def{Name: left.Text(), Kind: code.DefVar, Value: value, Pos: int32(t.End()), Line: int32(left.Line())})
	}
	return around
}

// leaves reports whether a block ends with a return, break, continue, exit or throw.
func leaves(n syntax.Node) bool {
	if n.Is("compound_statement", "colon_block") {
		n = syntax.LastNamedChild(n)
	}
	return n.Is("return_statement", "continue_statement", "break_statement", "exit_statement") ||
		n.Is("expression_statement", "throw_statement") && n.First().Is("throw_expression") || n.Is("throw_statement")
}

// foreach binds the loop variables.
func foreach(b *core.FactBuilder, n syntax.Node) {
	parts := syntax.NamedChildren(n)
	if len(parts) < 2 {
		b.WalkChildren(n)
		return
	}
	source := b.Value(parts[0])
	target := parts[1]
	if target.Is("pair") {
		key := target.First()
		bindTarget(b, key, b.Apply(code.OpKey, source), target.End())
		target = syntax.LastNamedChild(target)
	}
	bindTarget(b, target, b.Apply(code.OpElem, source), target.End())
	for _, p := range parts[2:] {
		b.Walk(p)
	}
}

// bindTarget binds the left side of an assignment to value.
func bindTarget(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	switch n.Kind() {
	case "variable_name":
		setVariable(b, n.Text(), code.Def{Value: value, Type: commentedType(b, n), Pos: int32(pos), Line: int32(n.Line())})
	case "by_ref":
		bindTarget(b, n.First(), value, pos)
	case "list_literal", "array_creation_expression":
		listTargets(b, n, value, pos)
	case "member_access_expression":
		setProperty(b, n, value)
	case "subscript_expression":
		if x := n.First(); x.Is("variable_name") && value != 0 {
			setVariable(b, x.Text(), code.Def{Value: b.Group(code.OpList, 0, []code.Ref{value}), Pos: int32(pos), Line: int32(n.Line())})
		}
		b.Value(n)
	default:
		b.Value(n)
	}
}

// commentedType returns the type that a comment before the statement gives the variable
// n: /** @var T $n */.
func commentedType(b *core.FactBuilder, n syntax.Node) code.Ref {
	statement := n.Ancestor("expression_statement", "foreach_statement", "compound_statement")
	if !isDocblock(statement.Previous()) {
		return 0
	}
	d := docFacts{b: b, at: n.Start(), tags: tagsIn(srctext.BlockComment(statement.Previous().Text()))}
	return d.variable(n.Text())
}

// setProperty binds $this->x to the value assigned to it, if the class declares no
// type for x.
func setProperty(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	name := n.Field("name")
	b.Value(n)
	if !n.Field("object").TextIs("$this") || !name.Is("name") || value == 0 {
		return
	}
	for s := b.Scope; s >= 0; s = b.Scopes[s].Parent {
		if b.Scopes[s].Kind == code.TypeScope {
			if isTyped(b, s, "$"+name.Text()) {
				return
			}
			b.DefineIn(s, code.Def{Name: "$" + name.Text(), Kind: code.DefField, Value: value, Line: int32(n.Line())})
			return
		}
	}
}

// isTyped reports whether a class declares the type of a property.
func isTyped(b *core.FactBuilder, class int32, name string) bool {
	return slices.ContainsFunc(b.Scopes[class].Defs, func(d code.Def) bool {
		return d.Name == name && d.Kind == code.DefField && d.Type != 0
	})
}

// listTargets binds the elements of a list by position or by key.
func listTargets(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	i, keyed := 0, false
	for c := range n.Children() {
		switch {
		case c.Is(","):
			i++
			keyed = false
		case c.Is("=>"):
			keyed = true
		case c.Is("array_element_initializer"):
			part := b.Part(value, i)
			if len(syntax.NamedChildren(c)) > 1 {
				part = b.Apply(code.OpElem, value)
			}
			bindTarget(b, syntax.LastNamedChild(c), part, pos)
		case c.Is("by_ref", "list_literal", "array_creation_expression", "variable_name", "member_access_expression", "subscript_expression"):
			part := b.Part(value, i)
			if keyed {
				part = b.Apply(code.OpElem, value)
			}
			bindTarget(b, c, part, pos)
		}
	}
}
