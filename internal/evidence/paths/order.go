package paths

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// treeOf returns a condition as a tree.
func treeOf(c cond) code.Cond {
	out := code.Cond{Op: c.op, Text: c.text, Of: c.of}
	for _, a := range c.args {
		out.Args = append(out.Args, treeOf(a))
	}
	return out
}

// Otherwise returns the terms of a later exit without those that only say that an earlier exit of the same function was
// not taken: what is left decides between the two where exits are tried in order. Terms without a tree are kept.
func Otherwise(earlier, later []Term) []Term {
	var all []cond
	for _, t := range earlier {
		if t.Cond == nil {
			return later
		}
		all = append(all, read(t.Cond, 0))
	}
	denied := not(and(all...))
	parts := []cond{denied}
	if denied.op == code.CondAnd {
		parts = denied.args
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, textOf(p))
	}
	for _, text := range texts {
		if !slices.ContainsFunc(later, func(t Term) bool { return t.Text == text }) {
			return later
		}
	}
	return slices.DeleteFunc(slices.Clone(later), func(t Term) bool { return slices.Contains(texts, t.Text) })
}
