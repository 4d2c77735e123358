package ruby

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// ifFacts reads a conditional. Narrowed types hold in the branch.
func ifFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	condition := n.Field("condition")
	b.Value(condition)
	holds := !strings.HasPrefix(n.Kind(), "unless")
	branch := n.Field("consequence")
	if n.Is("if_modifier", "unless_modifier") {
		branch = n.Field("body")
	}
	around := narrow(b, testsOf(condition, holds, nil), n)
	value := lastValue(b, branch)
	b.Scope = around
	return b.Either(value, lastValue(b, n.Field("alternative")))
}

// testsOf appends to out the is_a? tests of variables that are true if the
// condition n evaluates to holds.
func testsOf(n syntax.Node, holds bool, out []syntax.Node) []syntax.Node {
	if n.End()-n.Start() > core.MaxCondition {
		return out
	}
	switch n.Kind() {
	case "parenthesized_statements":
		return testsOf(n.First(), holds, out)
	case "unary":
		if n.Has("!") || n.Has("not") {
			return testsOf(n.Field("operand"), !holds, out)
		}
	case "binary":
		if n.Field("operator").Is("&&", "and") && holds || n.Field("operator").Is("||", "or") && !holds {
			return testsOf(n.Field("right"), holds, testsOf(n.Field("left"), holds, out))
		}
	case "call":
		if holds && isTest(n) {
			return append(out, n)
		}
	}
	return out
}

// isTest reports whether n tests a variable by is_a?.
func isTest(n syntax.Node) bool {
	switch n.Field("method").Short() {
	case "is_a?", "kind_of?", "instance_of?":
		return n.Field("receiver").Is("identifier") && n.Field("arguments").First().Is("constant", "scope_resolution")
	}
	return false
}

// narrow opens one block scope per test, in which the variable has the tested type.
// It returns the scope that was current before.
func narrow(b *core.FactBuilder, tests []syntax.Node, n syntax.Node) int32 {
	around := b.Scope
	for _, t := range tests {
		name := t.Field("receiver")
		if _, ok := localScope(b, name.Text()); ok {
			narrowTo(b, name, []syntax.Node{t.Field("arguments").First()}, n)
		}
	}
	return around
}

// narrowTo opens a block scope in which a variable has one of the given types.
func narrowTo(b *core.FactBuilder, name syntax.Node, types []syntax.Node, n syntax.Node) {
	var all []code.Ref
	for _, t := range types {
		all = append(all, b.Apply(code.OpAs, b.Value(t)))
	}
	value := b.Either(all...)
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	b.Define(code.Def{Name: name.Text(), Kind: code.DefVar, Value: value, Line: int32(n.Line())})
}

// caseFacts reads case x when T ... end.
func caseFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	value := n.Field("value")
	b.Value(value)
	_, local := localScope(b, value.Text())
	var out []code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.Is("else"):
			out = append(out, lastValue(b, c))
		case c.Is("when"):
			around := b.Scope
			var types []syntax.Node
			plain := local && value.Is("identifier")
			for _, p := range syntax.ChildrenOf(c, "pattern") {
				t := p.First()
				b.Value(t)
				types = append(types, t)
				plain = plain && t.Is("constant", "scope_resolution")
			}
			if plain && len(types) > 0 {
				narrowTo(b, value, types, c)
			}
			out = append(out, lastValue(b, c.Field("body")))
			b.Scope = around
		}
	}
	return b.Either(out...)
}

// match reads case x in pattern ... end.
func match(b *core.FactBuilder, n syntax.Node) code.Ref {
	value := b.Value(n.Field("value"))
	var out []code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.Is("else"):
			out = append(out, lastValue(b, c))
		case c.Is("in_clause"):
			pattern(b, c.Field("pattern"), value)
			b.Walk(c.Field("guard"))
			out = append(out, lastValue(b, c.Field("body")))
		}
	}
	return b.Either(out...)
}

// pattern reads a pattern that value is matched with, and binds its names.
func pattern(b *core.FactBuilder, n syntax.Node, value code.Ref) {
	d := code.Def{Value: value, Pos: int32(n.End()), Line: int32(n.Line())}
	switch n.Kind() {
	case "identifier":
		setVariable(b, n.Text(), d)
	case "as_pattern":
		of := n.Field("value")
		pattern(b, of, value)
		if of.Is("constant", "scope_resolution") {
			d.Value = b.Apply(code.OpAs, b.Value(of))
		}
		setVariable(b, n.Field("name").Text(), d)
	case "hash_pattern", "array_pattern", "find_pattern", "alternative_pattern", "parenthesized_pattern":
		for c := range n.NamedSeq() {
			pattern(b, c, 0)
		}
	case "keyword_pattern":
		if of := n.Field("value"); of.Ok() {
			pattern(b, of, 0)
			return
		}
		setVariable(b, strings.TrimSuffix(n.Field("key").Text(), ":"), d)
	case "splat_parameter", "hash_splat_parameter":
		if name := n.Field("name"); name.Ok() {
			setVariable(b, name.Text(), code.Def{Pos: int32(n.End()), Line: int32(n.Line())})
		}
	default:
		b.Value(n)
	}
}

// rescue reads rescue A, B => e.
func rescue(b *core.FactBuilder, n syntax.Node) code.Ref {
	var types []code.Ref
	for c := range n.Field("exceptions").NamedSeq() {
		types = append(types, b.Apply(code.OpAs, b.Value(c)))
	}
	if name := n.Field("variable").First(); name.Ok() {
		bindTarget(b, name, syntax.Node{}, b.Either(types...), name.End())
	}
	return lastValue(b, n.Field("body"))
}
