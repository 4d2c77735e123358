package paths

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// cond is a condition in negation normal form: only atoms are negated. The zero value is
// unknown.
type cond struct {
	op    code.CondOp
	text  string
	of    string
	args  []cond
	at    int    // when an atom was evaluated
	where string // the assignment of a variable in an atom
}

func always() cond { return cond{op: code.CondAnd} }
func never() cond  { return cond{op: code.CondOr} }

func isAlways(c cond) bool  { return c.op == code.CondAnd && len(c.args) == 0 }
func isNever(c cond) bool   { return c.op == code.CondOr && len(c.args) == 0 }
func isUnknown(c cond) bool { return c.op == code.CondUnknown }

// hasUnknown reports whether a condition is unknown or has a part that is.
func hasUnknown(c cond) bool { return isUnknown(c) || slices.ContainsFunc(c.args, hasUnknown) }

// known returns a condition without the unknown parts of its conjunctions: one that holds
// whenever c does.
func known(c cond) cond {
	if c.op != code.CondAnd {
		return c
	}
	return and(slices.DeleteFunc(slices.Clone(c.args), isUnknown)...)
}

// maxParts is the maximum number of parts of a condition; longer ones are unknown.
const maxParts = 24

// and returns the conjunction of conditions.
func and(list ...cond) cond {
	var out []cond
	for _, c := range list {
		switch {
		case isNever(c):
			return never()
		case c.op == code.CondAnd:
			out = append(out, c.args...)
		default:
			out = append(out, c)
		}
	}
	return joined(code.CondAnd, resolved(out))
}

// resolved removes from the disjunctions of a conjunction the parts that another condition of
// it excludes.
func resolved(list []cond) []cond {
	for i, c := range list {
		if c.op != code.CondOr {
			continue
		}
		var left []cond
		for _, part := range c.args {
			opposite := not(part)
			if !slices.ContainsFunc(list, func(o cond) bool { return equal(o, opposite) && clock(o) == clock(part) }) {
				left = append(left, part)
			}
		}
		if len(left) < len(c.args) {
			list[i] = joined(code.CondOr, left)
		}
	}
	return list
}

// clock returns when a condition was evaluated.
func clock(c cond) int {
	at := 0
	atoms(c, func(a cond) { at = max(at, a.at) })
	return at
}

// or returns the disjunction of conditions.
func or(list ...cond) cond {
	var out []cond
	for _, c := range list {
		switch {
		case isAlways(c):
			return always()
		case c.op == code.CondOr:
			out = append(out, c.args...)
		default:
			out = append(out, c)
		}
	}
	if slices.ContainsFunc(out, isUnknown) {
		return cond{}
	}
	if !slices.ContainsFunc(out, hasUnknown) {
		return joined(code.CondOr, out)
	}
	for i, c := range out {
		out[i] = known(c)
	}
	return and(or(out...), cond{})
}

func joined(op code.CondOp, list []cond) cond {
	var out []cond
	for _, c := range list {
		if !slices.ContainsFunc(out, func(o cond) bool { return equal(o, c) }) {
			out = append(out, c)
		}
	}
	switch {
	case len(out) == 1:
		return out[0]
	case size(out) > maxParts:
		return cond{}
	}
	return cond{op: op, args: out}
}

func size(list []cond) int {
	n := len(list)
	for _, c := range list {
		n += size(c.args)
	}
	return n
}

func equal(a, b cond) bool {
	return a.op == b.op && a.text == b.text && a.of == b.of && a.where == b.where && slices.EqualFunc(a.args, b.args, equal)
}

// read returns a condition of the source in negation normal form, evaluated at the time at.
func read(c *code.Cond, at int) cond { return given(c, &code.Stmt{}, at) }

// given is like read for the condition of an if statement, with the assignment before it.
func given(c *code.Cond, s *code.Stmt, at int) cond {
	switch c.Op {
	case code.CondNot:
		return not(given(&c.Args[0], s, at))
	case code.CondAnd, code.CondOr:
		list := make([]cond, len(c.Args))
		for i := range c.Args {
			list[i] = given(&c.Args[i], s, at)
		}
		if c.Op == code.CondAnd {
			return and(list...)
		}
		return or(list...)
	default:
	}
	atom := cond{op: c.Op, text: c.Text, of: c.Of, at: at}
	for name := range strings.SplitSeq(s.Text, ",") {
		if c.Mentions(code.AssignedName(name)) && !compound.MatchString(s.Label) {
			atom.where = s.Label
		}
	}
	return atom
}

// compound matches an assignment that changes a variable by what it was: it does not say what it is.
var compound = regexp.MustCompile(`^[^=("']*([-+*/%&|^.]|<<|>>|\*\*|//|\?\?|&&|\|\|)=|(\+\+|--)$`)

// not returns the negation of a condition in negation normal form.
func not(c cond) cond {
	switch c.op {
	case code.CondNot:
		return c.args[0]
	case code.CondAnd, code.CondOr:
		list := make([]cond, len(c.args))
		for i, a := range c.args {
			list[i] = not(a)
		}
		if c.op == code.CondAnd {
			return or(list...)
		}
		return and(list...)
	case code.CondUnknown:
		return c
	default:
		return cond{op: code.CondNot, args: []cond{c}}
	}
}

// write appends the text of a condition.
func write(b *strings.Builder, c cond, within code.CondOp) {
	switch c.op {
	case code.CondAtom:
		b.WriteString(c.text)
	case code.CondIs:
		b.WriteString(c.of + " is " + c.text)
	case code.CondNot:
		if inner := c.args[0]; inner.op == code.CondIs {
			b.WriteString(inner.of + " is not " + inner.text)
		} else {
			b.WriteString("not " + inner.text)
		}
	case code.CondAnd, code.CondOr:
		word := " && "
		if c.op == code.CondOr {
			word = " || "
		}
		bracket := within == code.CondAnd && c.op == code.CondOr
		if bracket {
			b.WriteByte('(')
		}
		for i, a := range c.args {
			if i > 0 {
				b.WriteString(word)
			}
			write(b, a, c.op)
		}
		if bracket {
			b.WriteByte(')')
		}
	default:
	}
}

func textOf(c cond) string {
	var b strings.Builder
	write(&b, c, 0)
	return b.String()
}

// without returns a condition that holds if the error variable name is not set: the
// comparisons of it are replaced by their result.
func without(c cond, name string) cond {
	switch c.op {
	case code.CondAtom:
		if isSet(c.text, name) {
			return never()
		}
	case code.CondNot:
		return not(without(c.args[0], name))
	case code.CondAnd, code.CondOr:
		list := make([]cond, len(c.args))
		for i, a := range c.args {
			list[i] = without(a, name)
		}
		if c.op == code.CondAnd {
			return and(list...)
		}
		return or(list...)
	default:
	}
	return c
}

// isSet reports whether a text compares an error variable with nothing.
func isSet(text, name string) bool {
	if !strings.HasPrefix(text, name) || !code.IsErrorName(name) {
		return false
	}
	switch strings.TrimSpace(text[len(name):]) {
	case "", "!= nil", "!= null", "!== null", "!== undefined", "is not None", "!= NULL", "!= undefined":
		return true
	}
	return false
}

// atoms calls see for every atom of a condition.
func atoms(c cond, see func(a cond)) {
	if c.op == code.CondAtom || c.op == code.CondIs {
		see(c)
	}
	for _, a := range c.args {
		atoms(a, see)
	}
}
