package lang

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// csharpStatement reads a statement that binds names or opens a scope.
func csharpStatement(b *facts, n syntax.Node) bool {
	switch n.Kind() {
	case "block", "for_statement", "using_statement", "fixed_statement", "switch_section", "catch_clause", "while_statement":
		csharpBlock(b, n)
	case "catch_declaration":
		if name := n.Field("name"); name.Ok() {
			b.def(code.Def{Name: name.Text(), Kind: code.DefVar, Type: b.typ(n.Field("type")), Line: int32(name.Line())})
		} else {
			b.typ(n.Field("type"))
		}
	case "variable_declaration":
		csharpLocals(b, n)
	case "foreach_statement":
		csharpForeach(b, n)
	case "return_statement", "yield_statement":
		ref := b.value(n.First())
		if n.Is("yield_statement") && ref != 0 {
			ref = b.group(code.OpList, 0, []code.Ref{ref})
		}
		b.returns(ref)
	case "labeled_statement":
		b.walk(lastInner(n))
	case "goto_statement":
	default:
		return csharpIsPattern(b, n)
	}
	return true
}

// csharpIsPattern reads the patterns of a switch statement.
func csharpIsPattern(b *facts, n syntax.Node) bool {
	switch n.Kind() {
	case "declaration_pattern", "recursive_pattern", "constant_pattern", "var_pattern", "type_pattern",
		"negated_pattern", "and_pattern", "or_pattern", "parenthesized_pattern", "list_pattern", "relational_pattern":
		csharpPattern(b, n, csharpSwitched(b, n))
		return true
	}
	return false
}

// csharpSwitched returns what the switch statement around a pattern looks at.
func csharpSwitched(b *facts, n syntax.Node) code.Ref {
	if n.Parent().Is("switch_section") {
		return b.value(n.Around("switch_statement").Field("value"))
	}
	return 0
}

func csharpBlock(b *facts, n syntax.Node) {
	b.open(code.BlockScope, "", n.Start(), n.End())
	b.below(n)
	b.shut()
}

// csharpLocals binds the variables of a declaration.
func csharpLocals(b *facts, n syntax.Node) {
	typ := b.typ(n.Field("type"))
	for _, v := range children(n, "variable_declarator") {
		if parts := v.Child("tuple_pattern"); parts.Ok() {
			csharpParts(b, parts, b.value(lastInner(v)), v.End())
			continue
		}
		name := v.Field("name")
		value := b.value(initialValue(v))
		csharpExpect(b, value, typ)
		b.def(code.Def{Name: name.Text(), Kind: code.DefVar, Type: typ, Value: value, Pos: int32(name.Start()), Line: int32(name.Line())})
	}
}

// csharpExpect tells a closure what it is assigned to.
func csharpExpect(b *facts, value, typ code.Ref) {
	if e := b.Exprs[value]; e.Op == code.OpFunc && typ != 0 {
		b.Scopes[e.N].Expect = typ
	}
}

// csharpParts binds the names of a tuple's pattern to the parts of a value.
func csharpParts(b *facts, n syntax.Node, value code.Ref, pos int) {
	i := 0
	for c := range n.Inner() {
		switch c.Kind() {
		case "identifier":
			b.def(code.Def{Name: c.Text(), Kind: code.DefVar, Value: b.nth(value, i), Pos: int32(pos), Line: int32(c.Line())})
		case "tuple_pattern":
			csharpParts(b, c, b.nth(value, i), pos)
		}
		i++
	}
}

func csharpForeach(b *facts, n syntax.Node) {
	b.open(code.BlockScope, "", n.Start(), n.End())
	element := b.of(code.OpElem, b.value(n.Field("right")))
	left := n.Field("left")
	switch {
	case left.Is("tuple_pattern"):
		csharpParts(b, left, element, left.End())
	case left.Is("identifier"):
		d := code.Def{Name: left.Text(), Kind: code.DefVar, Type: b.typ(n.Field("type")), Line: int32(left.Line())}
		if d.Type == 0 {
			d.Value = element
		}
		b.def(d)
	default:
		csharpDeconstruct(b, left, element)
	}
	b.walk(n.Field("body"))
	b.shut()
}

// csharpPattern reads a pattern that a value is held against, and binds its names.
func csharpPattern(b *facts, n syntax.Node, value code.Ref) {
	switch n.Kind() {
	case "declaration_pattern", "recursive_pattern", "var_pattern":
		typ := b.typ(n.Field("type"))
		here := value
		if typ != 0 {
			here = b.of(code.OpAs, typ)
		}
		csharpSubpatterns(b, n, here)
		if name := n.Field("name"); name.Is("identifier") {
			b.def(code.Def{Name: name.Text(), Kind: code.DefVar, Value: here, Pos: int32(n.End()), Line: int32(name.Line())})
		}
	case "type_pattern":
		b.typ(n.First())
	case "constant_pattern":
		b.value(n.First())
	case "negated_pattern", "parenthesized_pattern", "and_pattern", "or_pattern":
		for c := range n.Inner() {
			csharpPattern(b, c, value)
		}
	case "list_pattern":
		for c := range n.Inner() {
			csharpPattern(b, c, b.of(code.OpElem, value))
		}
	default:
		b.below(n)
	}
}

// csharpSubpatterns reads the parts of a pattern: members by name or by place.
func csharpSubpatterns(b *facts, n syntax.Node, value code.Ref) {
	for _, clause := range children(n, "property_pattern_clause") {
		for _, sub := range children(clause, "subpattern") {
			name := sub.First()
			member := value
			if name.Is("identifier") && value != 0 {
				member = b.selected(value, name.Text(), name.Start())
			}
			csharpPattern(b, lastInner(sub), member)
		}
	}
	for _, clause := range children(n, "positional_pattern_clause") {
		for i, sub := range children(clause, "subpattern") {
			csharpPattern(b, lastInner(sub), b.nth(value, i))
		}
	}
}
