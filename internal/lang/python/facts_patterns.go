package python

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// match reads match. A class pattern narrows the type of the subject.
func match(b *core.FactBuilder, n syntax.Node) {
	subject := n.Field("subject")
	value := b.Value(subject)
	alternatives(b, func() []branch {
		var all []branch
		for c := range n.Field("body").NamedSeq() {
			if c.Is("case_clause") {
				all = append(all, caseClause(b, c, subject, value))
			}
		}
		at := len(b.Scopes[variables(b)].Defs)
		flowOf(b).here = n.End()
		return append(all, branch{from: at, to: at})
	})
}

func caseClause(b *core.FactBuilder, n, subject syntax.Node, value code.Ref) branch {
	at := len(b.Scopes[variables(b)].Defs)
	var given []fact
	for c := range n.NamedSeq() {
		if !c.Is("case_pattern") {
			continue
		}
		if t := pattern(b, c, value); t != 0 && chained(subject) {
			given = append(given, fact{subject.Text(), t})
		}
	}
	if guard := n.Child("if_clause"); guard.Ok() {
		restore := flowOf(b).under(given)
		b.Walk(guard.First())
		restore()
	}
	br := blockFacts(b, n.Field("consequence"), given)
	br.from = at
	return br
}

// pattern binds the names in a pattern that value is matched with. It returns the
// narrowed value, or 0 if the pattern implies none.
func pattern(b *core.FactBuilder, n syntax.Node, value code.Ref) code.Ref {
	switch n.Kind() {
	case "case_pattern":
		return pattern(b, n.First(), value)
	case "as_pattern":
		parts := syntax.NamedChildren(n)
		t := pattern(b, parts[0], value)
		if t == 0 {
			t = value
		}
		assign(b, parts[len(parts)-1], t, 0, n.End())
		return t
	case "dotted_name":
		if name := n.First(); name.Text() == n.Text() && !name.TextIs("_") {
			assign(b, name, value, 0, n.End())
			return 0
		}
		b.Walk(n.First())
		return 0
	case "class_pattern":
		return classPattern(b, n)
	case "keyword_pattern":
		parts := syntax.NamedChildren(n)
		pattern(b, parts[len(parts)-1], 0)
		return 0
	case "union_pattern":
		return oneOfPatterns(b, n, value)
	case "string", "integer", "float", "identifier":
		return 0
	}
	for c := range n.NamedSeq() {
		pattern(b, c, 0)
	}
	return 0
}

// classPattern reads Class(x, y=z).
func classPattern(b *core.FactBuilder, n syntax.Node) code.Ref {
	t := b.Apply(code.OpAs, b.Type(n.First()))
	for c := range n.NamedSeq() {
		if c.Is("case_pattern") {
			pattern(b, c, 0)
		}
	}
	return t
}

// oneOfPatterns reads a | b. It narrows only if each alternative does.
func oneOfPatterns(b *core.FactBuilder, n syntax.Node, value code.Ref) code.Ref {
	var all []code.Ref
	for c := range n.NamedSeq() {
		all = append(all, pattern(b, c, value))
	}
	if slices.Contains(all, 0) {
		return 0
	}
	return b.Either(all...)
}
