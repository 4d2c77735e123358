package jvm

import (
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaPattern binds the names of a pattern to the parts of value, from offset pos on.
func scalaPattern(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	bind := func(name syntax.Node, typ, value code.Ref) {
		b.Define(code.Def{Name: scalaName(name), Type: typ, Value: value, Line: int32(name.Line()), Pos: int32(pos)})
	}
	switch n.Kind() {
	case "identifier":
		if isVariable(n.Text()) {
			bind(n, 0, value)
		} else if !n.TextIs("_") {
			b.Mention(scalaName(n), n.Start())
		}
	case "typed_pattern":
		typ := b.Type(n.Field("type"))
		if name := n.Field("pattern"); name.Is("identifier") {
			bind(name, typ, 0)
		}
	case "tuple_pattern":
		for i, c := range syntax.NamedChildren(n) {
			scalaPattern(b, c, b.Part(value, i), pos)
		}
	case "case_class_pattern":
		scalaExtractor(b, n, value, pos)
	case "infix_pattern":
		if n.Field("operator").TextIs("::") {
			scalaPattern(b, n.Field("left"), b.Apply(code.OpElem, value), pos)
			scalaPattern(b, n.Field("right"), value, pos)
			return
		}
		scalaPattern(b, n.Field("left"), 0, pos)
		scalaPattern(b, n.Field("right"), 0, pos)
	case "capture_pattern":
		inside := n.Field("pattern")
		typ := b.Type(inside.Field("type"))
		bind(n.Field("name"), typ, value)
		scalaPattern(b, inside, value, pos)
	case "stable_identifier", "field_expression":
		b.Value(n)
	case "alternative_pattern", "parenthesized_pattern":
		for c := range n.NamedSeq() {
			scalaPattern(b, c, value, pos)
		}
	}
}

// scalaWrappers are library extractors whose parts are their arguments.
var scalaWrappers = map[string]bool{"Some": true, "List": true, "Seq": true, "Success": true, "Vector": true, "Array": true, "Set": true}

// scalaExtractor binds the parts of a value in a class pattern or extractor.
func scalaExtractor(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	t := n.Field("type")
	typ := b.Type(t)
	whole := b.Apply(code.OpAs, typ)
	i := 0
	for c := range n.NamedSeq() {
		if c.FieldName() != "pattern" {
			continue
		}
		i++
		part := b.Apply(code.OpElem, value)
		if !scalaWrappers[t.Text()] {
			part = b.Select(whole, "_"+strconv.Itoa(i), c.Start())
			b.Exprs[part].Line = 0 // not written in the source
		}
		scalaPattern(b, c, part, pos)
	}
}

// scalaMatch reads a match. Its value is that of one of its cases.
func scalaMatch(b *core.FactBuilder, n syntax.Node) code.Ref {
	value := b.Value(n.Field("value"))
	var all []code.Ref
	for c := range n.Field("body").NamedSeq() {
		all = append(all, scalaCaseFacts(b, c, value))
	}
	return b.Either(all...)
}

// scalaCaseFacts reads a case and returns its value.
func scalaCaseFacts(b *core.FactBuilder, n syntax.Node, value code.Ref) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	var last code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.FieldName() == "pattern":
			scalaPattern(b, c, value, 0)
		case c.FieldName() == "body" && c.Is("block"):
			last = scalaLast(b, c)
		case c.FieldName() == "body":
			last = b.Value(c)
		default:
			b.WalkChildren(c)
		}
	}
	return last
}

// scalaCases reads a function literal made of cases.
func scalaCases(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	b.Define(code.Def{Name: "()", Kind: code.DefParam, Line: int32(n.Line())})
	for c := range n.NamedSeq() {
		value := b.Name("()", c.Start())
		b.Exprs[value].Line = 0
		b.Returns(scalaCaseFacts(b, c, value))
	}
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// scalaFor reads a comprehension: a list of the values of its body.
func scalaFor(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	for e := range n.Child("enumerators").NamedSeq() {
		parts := syntax.NamedChildren(e)
		if !e.Is("enumerator") || len(parts) == 0 {
			continue
		}
		if parts[0].Is("guard") {
			b.WalkChildren(parts[0])
			continue
		}
		value := b.Value(parts[len(parts)-1])
		if e.Has("<-") {
			value = b.Apply(code.OpElem, value)
		}
		if len(parts) > 1 {
			scalaPattern(b, parts[0], value, parts[len(parts)-1].End())
		}
		for _, guard := range parts[1:] {
			if guard.Is("guard") {
				b.WalkChildren(guard)
			}
		}
	}
	body := b.Value(n.Field("body"))
	return b.Group(code.OpList, 0, []code.Ref{body})
}

// scalaHoles appends the placeholders that make an expression a function: _.size, f(_,
// 1).
func scalaHoles(n syntax.Node, holes []syntax.Node) []syntax.Node {
	return scalaHolesIn(n, holes, core.MaxNesting)
}

// scalaHolesIn is [scalaHoles] for at most links links of a chain.
func scalaHolesIn(n syntax.Node, holes []syntax.Node, links int) []syntax.Node {
	if links == 0 {
		return holes
	}
	switch n.Kind() {
	case "wildcard":
		return append(holes, n)
	case "field_expression":
		return scalaHolesIn(n.Field("value"), holes, links-1)
	case "generic_function":
		return scalaHolesIn(n.Field("function"), holes, links-1)
	case "prefix_expression":
		return scalaHolesIn(n.First(), holes, links-1)
	case "infix_expression":
		return scalaHolesIn(n.Field("right"), scalaHolesIn(n.Field("left"), holes, links-1), links-1)
	case "call_expression":
		holes = scalaHolesIn(n.Field("function"), holes, links-1)
		for a := range n.Field("arguments").NamedSeq() {
			if a.Is("wildcard") && n.Field("arguments").Is("arguments") {
				holes = append(holes, a)
			}
		}
	}
	return holes
}

// scalaHoled returns the function that an expression with placeholders is.
func scalaHoled(b *core.FactBuilder, n syntax.Node, holes []syntax.Node) code.Ref {
	for _, h := range holes {
		if _, known := b.Known.Of(h); known { // already inside the function
			return scalaWithin(b, n)
		}
	}
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	for i, h := range holes {
		name := "_" + strconv.Itoa(i)
		b.Define(code.Def{Name: name, Kind: code.DefParam, Line: int32(h.Line())})
		b.Known.Set(h, b.Name(name, h.Start()))
	}
	b.Returns(scalaWithin(b, n))
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// scalaWithin returns the value of an expression whose placeholders are bound.
func scalaWithin(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "field_expression":
		return scalaField(b, n)
	case "call_expression":
		return scalaCallFacts(b, n)
	case "infix_expression":
		return scalaInfix(b, n)
	case "generic_function":
		return b.Group(code.OpApply, b.Value(n.Field("function")), scalaTypes(b, n.Field("type_arguments")))
	}
	return scalaCompound(b, n)
}
