package jvm

import (
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scPattern binds the names of a pattern to the parts of value, from offset pos on.
func scPattern(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	bind := func(name syntax.Node, typ, value code.Ref) {
		b.Define(code.Def{Name: scalaName(name), Type: typ, Value: value, Line: int32(name.Line()), Pos: int32(pos)})
	}
	switch n.Kind() {
	case "identifier":
		if isVariable(n.Text()) {
			bind(n, 0, value)
		} else if !n.Says("_") {
			b.Mention(scalaName(n), n.Start())
		}
	case "typed_pattern":
		typ := b.Type(n.Field("type"))
		if name := n.Field("pattern"); name.Is("identifier") {
			bind(name, typ, 0)
		}
	case "tuple_pattern":
		for i, c := range core.NamedChildren(n) {
			scPattern(b, c, b.Part(value, i), pos)
		}
	case "case_class_pattern":
		scExtractor(b, n, value, pos)
	case "infix_pattern":
		if n.Field("operator").Says("::") {
			scPattern(b, n.Field("left"), b.Apply(code.OpElem, value), pos)
			scPattern(b, n.Field("right"), value, pos)
			return
		}
		scPattern(b, n.Field("left"), 0, pos)
		scPattern(b, n.Field("right"), 0, pos)
	case "capture_pattern":
		inside := n.Field("pattern")
		typ := b.Type(inside.Field("type"))
		bind(n.Field("name"), typ, value)
		scPattern(b, inside, value, pos)
	case "stable_identifier", "field_expression":
		b.Value(n)
	case "alternative_pattern", "parenthesized_pattern":
		for c := range n.Inner() {
			scPattern(b, c, value, pos)
		}
	}
}

// scWrappers are library extractors whose parts are their arguments.
var scWrappers = map[string]bool{"Some": true, "List": true, "Seq": true, "Success": true, "Vector": true, "Array": true, "Set": true}

// scExtractor binds the parts of a value in a class pattern or extractor.
func scExtractor(b *core.FactBuilder, n syntax.Node, value code.Ref, pos int) {
	t := n.Field("type")
	typ := b.Type(t)
	whole := b.Apply(code.OpAs, typ)
	i := 0
	for c := range n.Inner() {
		if c.FieldName() != "pattern" {
			continue
		}
		i++
		part := b.Apply(code.OpElem, value)
		if !scWrappers[t.Text()] {
			part = b.Select(whole, "_"+strconv.Itoa(i), c.Start())
			b.Exprs[part].Line = 0 // not written in the source
		}
		scPattern(b, c, part, pos)
	}
}

// scMatch reads a match. Its value is that of one of its cases.
func scMatch(b *core.FactBuilder, n syntax.Node) code.Ref {
	value := b.Value(n.Field("value"))
	var all []code.Ref
	for c := range n.Field("body").Inner() {
		all = append(all, scCase(b, c, value))
	}
	return b.Either(all...)
}

// scCase reads a case and returns its value.
func scCase(b *core.FactBuilder, n syntax.Node, value code.Ref) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	var last code.Ref
	for c := range n.Inner() {
		switch {
		case c.FieldName() == "pattern":
			scPattern(b, c, value, 0)
		case c.FieldName() == "body" && c.Is("block"):
			last = scLast(b, c)
		case c.FieldName() == "body":
			last = b.Value(c)
		default:
			b.WalkChildren(c)
		}
	}
	return last
}

// scCases reads a function literal made of cases.
func scCases(b *core.FactBuilder, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	b.Define(code.Def{Name: "()", Kind: code.DefParam, Line: int32(n.Line())})
	for c := range n.Inner() {
		value := b.Name("()", c.Start())
		b.Exprs[value].Line = 0
		b.Returns(scCase(b, c, value))
	}
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// scFor reads a comprehension: a list of the values of its body.
func scFor(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	for e := range n.Child("enumerators").Inner() {
		parts := core.NamedChildren(e)
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
			scPattern(b, parts[0], value, parts[len(parts)-1].End())
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

// scHoles appends the placeholders that make an expression a function: _.size, f(_, 1).
func scHoles(n syntax.Node, holes []syntax.Node) []syntax.Node {
	return scHolesIn(n, holes, core.MaxNesting)
}

// scHolesIn is [scHoles] for at most links links of a chain.
func scHolesIn(n syntax.Node, holes []syntax.Node, links int) []syntax.Node {
	if links == 0 {
		return holes
	}
	switch n.Kind() {
	case "wildcard":
		return append(holes, n)
	case "field_expression":
		return scHolesIn(n.Field("value"), holes, links-1)
	case "generic_function":
		return scHolesIn(n.Field("function"), holes, links-1)
	case "prefix_expression":
		return scHolesIn(n.First(), holes, links-1)
	case "infix_expression":
		return scHolesIn(n.Field("right"), scHolesIn(n.Field("left"), holes, links-1), links-1)
	case "call_expression":
		holes = scHolesIn(n.Field("function"), holes, links-1)
		for a := range n.Field("arguments").Inner() {
			if a.Is("wildcard") && n.Field("arguments").Is("arguments") {
				holes = append(holes, a)
			}
		}
	}
	return holes
}

// scHoled returns the function that an expression with placeholders is.
func scHoled(b *core.FactBuilder, n syntax.Node, holes []syntax.Node) code.Ref {
	for _, h := range holes {
		if _, known := b.Known[h.Index()]; known { // already inside the function
			return scWithin(b, n)
		}
	}
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	for i, h := range holes {
		name := "_" + strconv.Itoa(i)
		b.Define(code.Def{Name: name, Kind: code.DefParam, Line: int32(h.Line())})
		b.Known[h.Index()] = b.Name(name, h.Start())
	}
	b.Returns(scWithin(b, n))
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

// scWithin returns the value of an expression whose placeholders are bound.
func scWithin(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "field_expression":
		return scField(b, n)
	case "call_expression":
		return scCallFacts(b, n)
	case "infix_expression":
		return scInfix(b, n)
	case "generic_function":
		return b.Group(code.OpApply, b.Value(n.Field("function")), scTypes(b, n.Field("type_arguments")))
	}
	return scCompound(b, n)
}
