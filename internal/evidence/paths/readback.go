package paths

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Read returns the condition that a text of a [Term] writes: the parts around its connectives, outside brackets and quotes.
func Read(text string) code.Cond {
	text = strings.TrimSpace(text)
	for _, by := range []struct {
		word string
		op   code.CondOp
	}{{" || ", code.CondOr}, {" && ", code.CondAnd}} {
		if parts := splitOutside(text, by.word); len(parts) > 1 {
			c := code.Cond{Op: by.op}
			for _, part := range parts {
				c.Args = append(c.Args, Read(part))
			}
			return c
		}
	}
	if inner := enclosed(text); inner != text {
		return Read(inner)
	}
	if rest, ok := strings.CutPrefix(text, "not "); ok {
		return negation(Read(rest))
	}
	if left, right, ok := strings.Cut(text, " is not "); ok {
		return negation(code.Cond{Op: code.CondAtom, Text: left + " is " + right})
	}
	return code.Cond{Op: code.CondAtom, Text: text}
}

func negation(c code.Cond) code.Cond {
	if c.Op == code.CondNot {
		return c.Args[0]
	}
	return code.Cond{Op: code.CondNot, Args: []code.Cond{c}}
}

// enclosed returns a text without the parentheses around all of it.
func enclosed(text string) string {
	if strings.HasPrefix(text, "(") && code.BracketEnd(text, 0) == len(text)-1 {
		return text[1 : len(text)-1]
	}
	return text
}

// splitOutside splits a text at a word outside brackets and quotes.
func splitOutside(text, word string) []string {
	var parts []string
	for {
		left, right, ok := code.CutOutside(text, word)
		if !ok {
			return append(parts, text)
		}
		parts, text = append(parts, left), right
	}
}

// Excludes reports whether a condition says that another one does not hold: its terms have the negation of the last terms of the
// other, which may share the terms before these. The trees are read from the texts.
func Excludes(list, other []Term) bool {
	var has [][]string
	for _, t := range list {
		for _, c := range conjuncts(Read(t.Text)) {
			has = append(has, alternatives(c))
		}
	}
	last := code.Cond{Op: code.CondAnd}
	for _, t := range slices.Backward(other) {
		last.Args = append(last.Args, Read(t.Text))
		if !slices.ContainsFunc(conjuncts(negated(last)), func(c code.Cond) bool { return !isAmong(has, alternatives(c)) }) {
			return true
		}
	}
	return false
}

// isAmong reports whether one of several lists has all of some keys.
func isAmong(lists [][]string, keys []string) bool {
	return slices.ContainsFunc(lists, func(list []string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return !slices.Contains(list, key) })
	})
}

// conjuncts returns the parts of a conjunction, or the condition itself.
func conjuncts(c code.Cond) []code.Cond {
	switch {
	case c.Op == code.CondOr && len(c.Args) == 1:
		return conjuncts(c.Args[0])
	case c.Op != code.CondAnd:
		return []code.Cond{c}
	}
	var out []code.Cond
	for _, a := range c.Args {
		out = append(out, conjuncts(a)...)
	}
	return out
}

// alternatives returns the parts of a disjunction, or the condition itself, in a form in which equal ones are the same.
func alternatives(c code.Cond) []string {
	if c.Op != code.CondOr {
		return []string{keyOf(c)}
	}
	var out []string
	for _, a := range c.Args {
		out = append(out, alternatives(a)...)
	}
	return out
}

// keyOf writes a condition so that the order of its parts does not matter.
func keyOf(c code.Cond) string {
	switch c.Op {
	case code.CondNot:
		return "!" + keyOf(c.Args[0])
	case code.CondAnd, code.CondOr:
		var parts []string
		for _, a := range c.Args {
			parts = append(parts, keyOf(a))
		}
		slices.Sort(parts)
		return "(" + strings.Join(parts, map[code.CondOp]string{code.CondAnd: "&", code.CondOr: "|"}[c.Op]) + ")"
	default:
		return c.Text
	}
}

// negated returns the negation of a condition, with negations at its atoms.
func negated(c code.Cond) code.Cond {
	switch c.Op {
	case code.CondAnd, code.CondOr:
		out := code.Cond{Op: code.CondOr}
		if c.Op == code.CondOr {
			out.Op = code.CondAnd
		}
		for _, a := range c.Args {
			out.Args = append(out.Args, negated(a))
		}
		return out
	default:
		return negation(c)
	}
}
