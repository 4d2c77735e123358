package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinIf reads an if. Its value is that of one of its branches. A type narrowed by the
// condition holds in the rest of the condition and in the first branch. If the first
// branch leaves and the condition is negated, the type also holds after the statement.
func kotlinIf(b *core.FactBuilder, n syntax.Node) code.Ref {
	var all []code.Ref
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	within := true
	var condition, first syntax.Node
	for c := range n.Children() {
		switch {
		case c.Is("else"):
			if within {
				b.CloseScope()
				within = false
			}
		case c.Is("control_structure_body"):
			if !first.Ok() {
				first = c
			}
			all = append(all, kotlinBlock(b, c))
		case c.Named() && !syntax.IsComment(c.Kind()):
			condition = c
			kotlinCondition(b, c)
		}
	}
	if within {
		b.CloseScope()
	}
	if t := kotlinCheck(condition); t.Ok() && t.Has("!is") && kotlinLeaves(first) {
		kotlinNarrow(b, t.First(), kotlinTypeIn(b, t), n.End())
	}
	return b.Either(all...)
}

// kotlinCondition reads a condition and binds the types that it implies.
func kotlinCondition(b *core.FactBuilder, n syntax.Node) {
	switch n.Kind() {
	case "parenthesized_expression":
		kotlinCondition(b, n.First())
	case "conjunction_expression":
		for c := range n.NamedSeq() {
			kotlinCondition(b, c)
		}
	case "check_expression":
		b.Walk(n)
		if n.Has("is") {
			kotlinNarrow(b, n.First(), kotlinTypeIn(b, n), n.End())
		}
	default:
		b.Value(n)
	}
}

// kotlinCheck returns the type test in a condition.
func kotlinCheck(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression") {
		n = n.First()
	}
	if n.Is("check_expression") {
		return n
	}
	return syntax.Node{}
}

// kotlinNarrow binds a name again with a type, from offset pos on.
func kotlinNarrow(b *core.FactBuilder, name syntax.Node, typ code.Ref, pos int) {
	if name.Is("simple_identifier") && typ != 0 {
		b.Define(code.Def{Name: kotlinWord(name), Type: typ, Line: int32(name.Line()), Pos: int32(pos)})
	}
}

// kotlinLeaves reports whether a branch ends by leaving the enclosing block.
func kotlinLeaves(n syntax.Node) bool {
	if s := n.Child("statements"); s.Ok() {
		n = s
	}
	var last syntax.Node
	for c := range n.NamedSeq() {
		last = c
	}
	return last.Is("jump_expression")
}

// kotlinWhen reads a when. Its value is that of one of its branches.
func kotlinWhen(b *core.FactBuilder, n syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	subject := n.Child("when_subject")
	var name syntax.Node
	parts := syntax.NamedChildren(subject)
	if len(parts) > 0 {
		value := parts[len(parts)-1]
		ref := b.Value(value)
		if v := subject.Child("variable_declaration"); v.Ok() {
			kotlinBind(b, v, ref, 0)
			value = v.Child("simple_identifier")
		}
		name = value
	}
	var all []code.Ref
	for entry := range n.NamedSeq() {
		if entry.Is("when_entry") {
			all = append(all, kotlinWhenEntry(b, entry, name))
		}
	}
	return b.Either(all...)
}

// kotlinWhenEntry reads a branch of a when, in which subject has one of the types in its
// conditions.
func kotlinWhenEntry(b *core.FactBuilder, n, subject syntax.Node) code.Ref {
	b.OpenScope(code.BlockScope, "", n.Start(), n.End())
	defer b.CloseScope()
	var types []code.Ref
	var ref code.Ref
	for c := range n.NamedSeq() {
		if c.Is("control_structure_body") {
			kotlinNarrow(b, subject, b.Either(types...), 0)
			ref = kotlinBlock(b, c)
			continue
		}
		for t := range c.NamedSeq() {
			switch {
			case t.Is("type_test") && t.Has("is"):
				types = append(types, kotlinTypeIn(b, t))
			case t.Is("type_test", "range_test"):
				b.WalkChildren(t)
			default:
				kotlinCondition(b, t)
			}
		}
	}
	return ref
}

// kotlinTry reads a try. Its value is that of its block or of one of its handlers.
func kotlinTry(b *core.FactBuilder, n syntax.Node) code.Ref {
	var all []code.Ref
	for c := range n.NamedSeq() {
		if c.Is("statements") {
			all = append(all, kotlinBlock(b, c))
			continue
		}
		b.Walk(c)
	}
	return b.Either(all...)
}
