package lang

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// pythonMatch reads match: a class pattern tells what its subject is.
func (b *FactBuilder) pythonMatch(n syntax.Node) {
	subject := n.Field("subject")
	value := b.Value(subject)
	b.alternatives(func() []branch {
		var all []branch
		for c := range n.Field("body").Inner() {
			if c.Is("case_clause") {
				all = append(all, b.caseClause(c, subject, value))
			}
		}
		at := len(b.Scopes[variables(b)].Defs)
		flowOf(b).here = n.End()
		return append(all, branch{from: at, to: at})
	})
}

func (b *FactBuilder) caseClause(n, subject syntax.Node, value code.Ref) branch {
	at := len(b.Scopes[variables(b)].Defs)
	var given []fact
	for c := range n.Inner() {
		if !c.Is("case_pattern") {
			continue
		}
		if t := b.pattern(c, value); t != 0 && chained(subject) {
			given = append(given, fact{subject.Text(), t})
		}
	}
	if guard := n.Child("if_clause"); guard.Ok() {
		restore := flowOf(b).under(given)
		b.Walk(guard.First())
		restore()
	}
	br := b.blockFacts(n.Field("consequence"), given)
	br.from = at
	return br
}

// pattern binds the names of a pattern that a value is matched with, and returns
// what the value is then, where the pattern says so.
func (b *FactBuilder) pattern(n syntax.Node, value code.Ref) code.Ref {
	switch n.Kind() {
	case "case_pattern":
		return b.pattern(n.First(), value)
	case "as_pattern":
		parts := NamedChildren(n)
		t := b.pattern(parts[0], value)
		if t == 0 {
			t = value
		}
		b.assign(parts[len(parts)-1], t, 0, n.End())
		return t
	case "dotted_name":
		if name := n.First(); name.Text() == n.Text() && !name.Says("_") {
			b.assign(name, value, 0, n.End())
			return 0
		}
		b.Walk(n.First())
		return 0
	case "class_pattern":
		return b.classPattern(n)
	case "keyword_pattern":
		parts := NamedChildren(n)
		b.pattern(parts[len(parts)-1], 0)
		return 0
	case "union_pattern":
		return b.oneOfPatterns(n, value)
	case "string", "integer", "float", "identifier":
		return 0
	}
	for c := range n.Inner() {
		b.pattern(c, 0)
	}
	return 0
}

// classPattern reads Class(x, y=z).
func (b *FactBuilder) classPattern(n syntax.Node) code.Ref {
	t := b.Apply(code.OpAs, b.Type(n.First()))
	for c := range n.Inner() {
		if c.Is("case_pattern") {
			b.pattern(c, 0)
		}
	}
	return t
}

// oneOfPatterns reads a | b, which tells something only if each of them does.
func (b *FactBuilder) oneOfPatterns(n syntax.Node, value code.Ref) code.Ref {
	var all []code.Ref
	for c := range n.Inner() {
		all = append(all, b.pattern(c, value))
	}
	if slices.Contains(all, 0) {
		return 0
	}
	return b.Either(all...)
}
