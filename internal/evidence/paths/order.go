package paths

import (
	"maps"
	"slices"
	"strings"

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

// Otherwise returns the terms of an exit without those that follow from the others and from earlier exits of the same
// function not having been taken: what is left decides where exits are tried in order. The terms of the earlier exits may be
// such as were left of theirs. Terms without a tree are kept.
func Otherwise(earlier [][]Term, later []Term) []Term {
	kept := slices.DeleteFunc(slices.Clone(later), func(t Term) bool { return isLoopEnd(t, earlier) })
	for i := 0; i < len(kept); {
		rest := slices.Delete(slices.Clone(kept), i, i+1)
		if follows(kept[i], rest, earlier) {
			kept = rest
		} else {
			i++
		}
	}
	return kept
}

// isLoopEnd reports whether a term says that a loop found nothing, and an earlier exit is in that loop.
func isLoopEnd(t Term, earlier [][]Term) bool {
	loop, _, ok := strings.Cut(t.Text, ": ")
	loop, isEnd := strings.CutPrefix(loop, "no ")
	return ok && isEnd && slices.ContainsFunc(earlier, func(exit []Term) bool {
		return slices.ContainsFunc(exit, func(e Term) bool { return e.Text == "for "+loop })
	})
}

// maxAtoms limits the atoms of an implication that is decided by trying all their values.
const maxAtoms = 12

// follows reports whether a term holds whenever others hold and none of the earlier exits is taken.
func follows(t Term, others []Term, earlier [][]Term) bool {
	p := &proof{index: map[string]int{}}
	if !p.add(t) {
		return false
	}
	exits := related(p, earlier, func(exit []Term) []Term { return exit })
	given := related(p, others, func(o Term) []Term { return []Term{o} })
	if len(exits) == 0 {
		return false
	}
	for values := range 1 << len(p.index) {
		assumed := !slices.ContainsFunc(given, func(o Term) bool { return !p.holds(o.Cond, values) }) &&
			!slices.ContainsFunc(exits, func(exit []Term) bool { return p.taken(exit, values) })
		if assumed && !p.holds(t.Cond, values) {
			return false
		}
	}
	return true
}

// proof numbers the atoms of conditions.
type proof struct{ index map[string]int }

// add numbers the atoms of a term; false for a term whose condition is not known.
func (p *proof) add(t Term) bool {
	if t.Cond == nil {
		return false
	}
	known := true
	eachAtom(t.Cond, func(c *code.Cond) {
		if c.Op == code.CondUnknown {
			known = false
			return
		}
		if key := atomKey(c); key != "" {
			if _, ok := p.index[key]; !ok {
				p.index[key] = len(p.index)
			}
		}
	})
	return known
}

// related returns the statements that share atoms with those that are known, directly or through others, as long as there
// are few enough; their atoms are numbered.
func related[T any](p *proof, list []T, terms func(T) []Term) []T {
	var out []T
	taken := make([]bool, len(list))
	for grown := true; grown; {
		grown = false
		for i, s := range list {
			if taken[i] || !sharesAtoms(p, terms(s)) || !p.addAll(terms(s)) {
				continue
			}
			taken[i], grown = true, true
			out = append(out, s)
		}
	}
	return out
}

// addAll numbers the atoms of terms; false if they are not known or too many, and nothing is numbered.
func (p *proof) addAll(terms []Term) bool {
	trial := &proof{index: maps.Clone(p.index)}
	for _, t := range terms {
		if !trial.add(t) {
			return false
		}
	}
	if len(trial.index) > maxAtoms {
		return false
	}
	p.index = trial.index
	return true
}

// sharesAtoms reports whether terms have an atom that is numbered.
func sharesAtoms(p *proof, terms []Term) bool {
	return slices.ContainsFunc(terms, func(t Term) bool {
		found := false
		if t.Cond != nil {
			eachAtom(t.Cond, func(c *code.Cond) {
				_, known := p.index[atomKey(c)]
				found = found || known
			})
		}
		return found
	})
}

// eachAtom calls see for the parts of a condition without parts.
func eachAtom(c *code.Cond, see func(c *code.Cond)) {
	if len(c.Args) == 0 && c.Op != code.CondAnd && c.Op != code.CondOr {
		see(c)
	}
	for i := range c.Args {
		eachAtom(&c.Args[i], see)
	}
}

func atomKey(c *code.Cond) string { return c.Of + "\x00" + c.Text }

// holds evaluates a condition under values of the atoms, one bit for each.
func (p *proof) holds(c *code.Cond, values int) bool {
	switch c.Op {
	case code.CondNot:
		return !p.holds(&c.Args[0], values)
	case code.CondAnd:
		return !slices.ContainsFunc(c.Args, func(a code.Cond) bool { return !p.holds(&a, values) })
	case code.CondOr:
		return slices.ContainsFunc(c.Args, func(a code.Cond) bool { return p.holds(&a, values) })
	default:
		return values>>p.index[atomKey(c)]&1 == 1
	}
}

// taken reports whether all terms of an exit hold.
func (p *proof) taken(exit []Term, values int) bool {
	return !slices.ContainsFunc(exit, func(e Term) bool { return !p.holds(e.Cond, values) })
}
