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
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	inside := true
	outside(text, func(at, depth int) bool {
		inside = depth > 0 || at == len(text)-1
		return inside
	})
	if !inside {
		return text
	}
	return text[1 : len(text)-1]
}

// splitOutside splits a text at a word outside brackets and quotes.
func splitOutside(text, word string) []string {
	var parts []string
	from := 0
	outside(text, func(at, depth int) bool {
		if depth == 0 && at >= from && strings.HasPrefix(text[at:], word) {
			parts = append(parts, text[from:at])
			from = at + len(word)
		}
		return true
	})
	return append(parts, text[from:])
}

// outside calls see for each byte of a text outside quotes, with the number of brackets open after it, until see returns false.
func outside(text string, see func(at, depth int) bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i = code.QuoteEnd(text, i)
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if !see(i, depth) {
			return
		}
	}
}

// Excludes reports whether a condition says that another one does not hold: one of its terms is the negation of the last term of
// the other, alone or as one of several possibilities. The trees are read from the texts.
func Excludes(list, other []Term) bool {
	if len(other) == 0 {
		return false
	}
	opposite := alternatives(negated(Read(other[len(other)-1].Text)))
	return slices.ContainsFunc(list, func(t Term) bool {
		has := alternatives(Read(t.Text))
		return !slices.ContainsFunc(opposite, func(key string) bool { return !slices.Contains(has, key) })
	})
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
