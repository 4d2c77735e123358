package python

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// ifFacts reads if, elif and else.
func ifFacts(b *core.FactBuilder, n syntax.Node) {
	condition := n.Field("condition")
	b.Walk(condition)
	not := narrowing(b, condition, false)
	ends := false
	flowOf(b).here = n.End()
	alternatives(b, func() []branch {
		all := []branch{blockFacts(b, n.Field("consequence"), narrowing(b, condition, true))}
		ends = all[0].ends
		open := true
		restore := flowOf(b).under(not)
		for _, c := range otherwise(n) {
			var given []fact
			if c.Is("elif_clause") {
				b.Walk(c.Field("condition"))
				given = narrowing(b, c.Field("condition"), true)
			} else {
				open = false
			}
			all = append(all, blockFacts(b, c.Child("block"), given))
		}
		restore()
		if open {
			at := len(b.Scopes[variables(b)].Defs)
			all = append(all, branch{from: at, to: at})
		}
		flowOf(b).here = n.End()
		return all
	})
	if ends {
		flowOf(b).under(not)
	}
}

// looped reads the body of a loop and its else clause.
func looped(b *core.FactBuilder, n syntax.Node) []branch {
	at := len(b.Scopes[variables(b)].Defs)
	body := blockFacts(b, n.Field("body"), nil)
	body.from, body.ends = min(body.from, at), false
	all := []branch{{from: at, to: at}, body}
	if e := n.Child("else_clause"); e.Ok() {
		all = append(all, blockFacts(b, e.Child("block"), nil))
	}
	flowOf(b).here = n.End()
	return all
}

// loopTarget binds the target of a for to the elements of its iterable. own is set for
// comprehensions, which have a scope of their own.
func loopTarget(b *core.FactBuilder, n syntax.Node, own bool) {
	elem := b.Apply(code.OpElem, b.Value(n.Field("right")))
	if !own {
		unpack(b, n.Field("left"), syntax.Node{}, elem, n.Field("left").End())
		return
	}
	bindOwn(b, n.Field("left"), elem)
}

// bindOwn binds the names of a comprehension in its own scope.
func bindOwn(b *core.FactBuilder, t syntax.Node, value code.Ref) {
	switch t.Kind() {
	case "identifier":
		flowOf(b).forget(t.Text())
		b.Define(code.Def{Name: t.Text(), Kind: code.DefVar, Value: value, Line: int32(t.Line())})
	case "list_splat_pattern", "list_splat":
		bindOwn(b, t.First(), value)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list":
		for i, c := range syntax.NamedChildren(t) {
			bindOwn(b, c, b.Part(value, i))
		}
	default:
		b.Walk(t)
	}
}

// try reads try with all its clauses.
func try(b *core.FactBuilder, n syntax.Node) {
	alternatives(b, func() []branch {
		all := []branch{blockFacts(b, n.Field("body"), nil)}
		for c := range n.NamedSeq() {
			switch {
			case c.Is("except_clause", "except_group_clause"):
				all = append(all, except(b, c))
			case c.Is("else_clause"):
				more := blockFacts(b, c.Child("block"), nil)
				all[0].to, all[0].ends = more.to, all[0].ends || more.ends
			}
		}
		flowOf(b).here = n.End()
		return all
	})
	if f := n.Child("finally_clause"); f.Ok() {
		b.WalkChildren(f.Child("block"))
	}
}

// except reads one handler.
func except(b *core.FactBuilder, n syntax.Node) branch {
	block := n.Child("block")
	at := len(b.Scopes[variables(b)].Defs)
	for c := range n.NamedSeq() {
		if c == block {
			break
		}
		if !c.Is("as_pattern") {
			b.Walk(c)
			continue
		}
		types := c.First()
		for types.Is("list_splat", "parenthesized_expression") {
			types = types.First()
		}
		b.Walk(types)
		if target := c.Field("alias").First(); target.Is("identifier") {
			assign(b, target, tested(b, types), 0, c.End())
		}
	}
	br := blockFacts(b, block, nil)
	br.from = at
	return br
}

// with reads with. Its targets are bound to the values that the managers return
// on entry.
func with(b *core.FactBuilder, n syntax.Node) {
	for item := range n.Child("with_clause").NamedSeq() {
		v := item.Field("value")
		if !v.Is("as_pattern") {
			b.Walk(v)
			continue
		}
		ref := b.Value(v.First())
		if ref != 0 {
			ref = b.Add(code.Expr{Op: code.OpSelect, X: ref, Name: entered, Scope: b.Scope})
		}
		if n.Has("async") {
			ref = b.Apply(code.OpAwait, ref)
		}
		unpack(b, v.Field("alias").First(), syntax.Node{}, ref, v.End())
	}
	b.WalkChildren(n.Field("body"))
}
