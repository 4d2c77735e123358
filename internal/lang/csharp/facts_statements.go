package csharp

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// csharpStatement reads a statement that binds names or opens a scope.
func csharpStatement(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "block", "for_statement", "using_statement", "fixed_statement", "switch_section", "catch_clause", "while_statement":
		csharpBlock(b, n)
	case "catch_declaration":
		if name := n.Field("name"); name.Ok() {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Type: b.Type(n.Field("type")), Line: int32(name.Line())})
		} else {
			b.Type(n.Field("type"))
		}
	case "variable_declaration":
		csharpLocals(b, n)
	case "foreach_statement":
		csharpForeach(b, n)
	case "return_statement", "yield_statement":
		ref := b.Value(n.First())
		if n.Is("yield_statement") && ref != 0 {
			ref = b.Group(code.OpList, 0, []code.Ref{ref})
		}
		b.Returns(ref)
	case "labeled_statement":
		b.Walk(core.LastNamedChild(n))
	case "goto_statement":
	default:
		return csharpIsPattern(b, n)
	}
	return true
}

// csharpIsPattern reads the patterns of a switch statement.
func csharpIsPattern(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "declaration_pattern", "recursive_pattern", "constant_pattern", "var_pattern", "type_pattern",
		"negated_pattern", "and_pattern", "or_pattern", "parenthesized_pattern", "list_pattern", "relational_pattern":
		csharpPattern(b, n, csharpSwitched(b, n))
		return true
	}
	return false
}

// csharpSwitched returns what the switch statement around a pattern looks at.
func csharpSwitched(b *core.FactBuilder, n syntax.Node) code.Ref {
	if n.Parent().Is("switch_section") {
		return b.Value(n.Around("switch_statement").Field("value"))
	}
	return 0
}

func csharpBlock(b *core.FactBuilder, n syntax.Node) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	b.WalkChildren(n)
	b.CloseScope()
}

// csharpLocals binds the variables of a declaration.
func csharpLocals(b *core.FactBuilder, n syntax.Node) {
	typ := b.Type(n.Field("type"))
	for _, v := range core.ChildrenOf(n, "variable_declarator") {
		if parts := v.Child("tuple_pattern"); parts.Ok() {
			csharpParts(b, parts, b.Value(core.LastNamedChild(v)), v.End())
			continue
		}
		name := v.Field("name")
		value := b.Value(initialValue(v))
		csharpExpect(b, value, typ)
		b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Type: typ, Value: value, Pos: int32(name.Start()), Line: int32(name.Line())})
	}
}

// csharpExpect tells a closure what it is assigned to.
func csharpExpect(b *core.FactBuilder, value, typ code.Ref) {
	if e := b.Exprs[value]; e.Op == code.OpFunc && typ != 0 {
		b.Scopes[e.N].Expect = typ
	}
}

// csharpParts binds the names of a tuple's pattern to the parts of a value.
func csharpParts(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	i := 0
	for c := range n.Inner() {
		switch c.Kind() {
		case "identifier":
			b.Define(code.Def{Name: c.Text(), Kind: code.DefVar, Value: b.Part(value, i), Pos: int32(pos), Line: int32(c.Line())})
		case "tuple_pattern":
			csharpParts(b, c, b.Part(value, i), pos)
		}
		i++
	}
}

func csharpForeach(b *core.FactBuilder, n syntax.Node) {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	element := b.Apply(code.OpElem, b.Value(n.Field("right")))
	left := n.Field("left")
	switch {
	case left.Is("tuple_pattern"):
		csharpParts(b, left, element, left.End())
	case left.Is("identifier"):
		d := code.Def{Name: left.Text(), Kind: code.DefVar, Type: b.Type(n.Field("type")), Line: int32(left.Line())}
		if d.Type == 0 {
			d.Value = element
		}
		b.Define(d)
	default:
		csharpDeconstruct(b, left, element)
	}
	b.Walk(n.Field("body"))
	b.CloseScope()
}

// csharpPattern reads a pattern that a value is held against, and binds its names.
func csharpPattern(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	switch n.Kind() {
	case "declaration_pattern", "recursive_pattern", "var_pattern":
		typ := b.Type(n.Field("type"))
		here := value
		if typ != 0 {
			here = b.Apply(code.OpAs, typ)
		}
		csharpSubpatterns(b, n, here)
		if name := n.Field("name"); name.Is("identifier") {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: here, Pos: int32(n.End()), Line: int32(name.Line())})
		}
	case "type_pattern":
		b.Type(n.First())
	case "constant_pattern":
		b.Value(n.First())
	case "negated_pattern", "parenthesized_pattern", "and_pattern", "or_pattern":
		for c := range n.Inner() {
			csharpPattern(b, c, value)
		}
	case "list_pattern":
		for c := range n.Inner() {
			csharpPattern(b, c, b.Apply(code.OpElem, value))
		}
	default:
		b.WalkChildren(n)
	}
}

// csharpSubpatterns reads the parts of a pattern: members by name or by place.
func csharpSubpatterns(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	for _, clause := range core.ChildrenOf(n, "property_pattern_clause") {
		for _, sub := range core.ChildrenOf(clause, "subpattern") {
			name := sub.First()
			member := value
			if name.Is("identifier") && value != 0 {
				member = b.Select(value, name.Text(), name.Start())
			}
			csharpPattern(b, core.LastNamedChild(sub), member)
		}
	}
	for _, clause := range core.ChildrenOf(n, "positional_pattern_clause") {
		for i, sub := range core.ChildrenOf(clause, "subpattern") {
			csharpPattern(b, core.LastNamedChild(sub), b.Part(value, i))
		}
	}
}
