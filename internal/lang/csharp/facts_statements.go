package csharp

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// statement reads a statement that binds names or opens a scope.
func statement(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "block", "for_statement", "using_statement", "fixed_statement", "switch_section", "catch_clause", "while_statement":
		block(b, n)
	case "catch_declaration":
		if name := n.Field("name"); name.Ok() {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Type: b.Type(n.Field("type")), Line: int32(name.Line())})
		} else {
			b.Type(n.Field("type"))
		}
	case "variable_declaration":
		locals(b, n)
	case "foreach_statement":
		foreach(b, n)
	case "return_statement", "yield_statement":
		ref := b.Value(n.First())
		if n.Is("yield_statement") && ref != 0 {
			ref = b.Group(code.OpList, 0, []code.Ref{ref})
		}
		b.Returns(ref)
	case "labeled_statement":
		b.Walk(syntax.LastNamedChild(n))
	case "goto_statement":
	default:
		return switchPattern(b, n)
	}
	return true
}

// switchPattern reads the patterns of a switch statement.
func switchPattern(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "declaration_pattern", "recursive_pattern", "constant_pattern", "var_pattern", "type_pattern",
		"negated_pattern", "and_pattern", "or_pattern", "parenthesized_pattern", "list_pattern", "relational_pattern":
		pattern(b, n, switchSubject(b, n))
		return true
	}
	return false
}

// switchSubject returns the subject of the switch statement around a pattern.
func switchSubject(b *core.FactBuilder, n syntax.Node) code.Ref {
	if n.Parent().Is("switch_section") {
		return b.Value(n.Ancestor("switch_statement").Field("value"))
	}
	return 0
}

func block(b *core.FactBuilder, n syntax.Node) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	b.WalkChildren(n)
	b.CloseScope()
}

// locals binds the variables of a declaration.
func locals(b *core.FactBuilder, n syntax.Node) {
	typ := b.Type(n.Field("type"))
	for _, v := range syntax.ChildrenOf(n, "variable_declarator") {
		if parts := v.Child("tuple_pattern"); parts.Ok() {
			tupleParts(b, parts, b.Value(syntax.LastNamedChild(v)), v.End())
			continue
		}
		name := v.Field("name")
		value := b.Value(initialValue(v))
		expectType(b, value, typ)
		b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Type: typ, Value: value, Pos: int32(name.Start()), Line: int32(name.Line())})
	}
}

// expectType records the type that a closure is assigned to.
func expectType(b *core.FactBuilder, value, typ code.Ref) {
	if e := b.Exprs[value]; e.Op == code.OpFunc && typ != 0 {
		b.Scopes[e.N].Expect = typ
	}
}

// tupleParts binds the names of a tuple pattern to the elements of a value.
func tupleParts(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	i := 0
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "identifier":
			b.Define(code.Def{Name: c.Text(), Kind: code.DefVar, Value: b.Part(value, i), Pos: int32(pos), Line: int32(c.Line())})
		case "tuple_pattern":
			tupleParts(b, c, b.Part(value, i), pos)
		}
		i++
	}
}

func foreach(b *core.FactBuilder, n syntax.Node) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	element := b.Apply(code.OpElem, b.Value(n.Field("right")))
	left := n.Field("left")
	switch {
	case left.Is("tuple_pattern"):
		tupleParts(b, left, element, left.End())
	case left.Is("identifier"):
		d := code.Def{Name: left.Text(), Kind: code.DefVar, Type: b.Type(n.Field("type")), Line: int32(left.Line())}
		if d.Type == 0 {
			d.Value = element
		}
		b.Define(d)
	default:
		deconstruct(b, left, element)
	}
	b.Walk(n.Field("body"))
	b.CloseScope()
}

// pattern reads a pattern matched against value, and binds its names.
func pattern(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	switch n.Kind() {
	case "declaration_pattern", "recursive_pattern", "var_pattern":
		typ := b.Type(n.Field("type"))
		here := value
		if typ != 0 {
			here = b.Apply(code.OpAs, typ)
		}
		subpatterns(b, n, here)
		if name := n.Field("name"); name.Is("identifier") {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: here, Pos: int32(n.End()), Line: int32(name.Line())})
		}
	case "type_pattern":
		b.Type(n.First())
	case "constant_pattern":
		b.Value(n.First())
	case "negated_pattern", "parenthesized_pattern", "and_pattern", "or_pattern":
		for c := range n.NamedSeq() {
			pattern(b, c, value)
		}
	case "list_pattern":
		for c := range n.NamedSeq() {
			pattern(b, c, b.Apply(code.OpElem, value))
		}
	default:
		b.WalkChildren(n)
	}
}

// subpatterns reads the parts of a pattern: members by name or by position.
func subpatterns(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	for _, clause := range syntax.ChildrenOf(n, "property_pattern_clause") {
		for _, sub := range syntax.ChildrenOf(clause, "subpattern") {
			name := sub.First()
			member := value
			if name.Is("identifier") && value != 0 {
				member = b.Select(value, name.Text(), name.Start())
			}
			pattern(b, syntax.LastNamedChild(sub), member)
		}
	}
	for _, clause := range syntax.ChildrenOf(n, "positional_pattern_clause") {
		for i, sub := range syntax.ChildrenOf(clause, "subpattern") {
			pattern(b, syntax.LastNamedChild(sub), b.Part(value, i))
		}
	}
}
