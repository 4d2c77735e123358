package prose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// relation says that a value is one of others, or none of them.
type relation struct {
	left   string
	rights []string
	is     bool
}

// relationOf reads a condition as a relation; false for others, and for those with words of their own.
func relationOf(c *code.Cond) (relation, bool) {
	switch c.Op {
	case code.CondIs:
		return relation{c.Of, labels(c.Text), true}, c.Of != ""
	case code.CondNot:
		r, ok := relationOf(&c.Args[0])
		r.is = !r.is
		return r, ok
	case code.CondAtom:
		x, ok := comparisonOf(strings.TrimSpace(unwrap(strings.TrimSpace(c.Text))))
		if !ok || x.op != "==" && x.op != "!=" || isNothing(x.right) || slices.Contains(emptyValues, x.right) || strings.HasPrefix(x.left, "typeof ") || strings.HasPrefix(x.left, "not ") || strings.HasPrefix(x.left, "!") {
			return relation{}, false
		}
		if _, _, sized := x.size(); sized {
			return relation{}, false
		}
		return relation{x.left, []string{x.right}, x.op == "=="}, true
	default:
		return relation{}, false
	}
}

// labels splits the labels of a case.
func labels(text string) []string {
	var out []string
	for {
		left, right, ok := code.CutOutside(text, ", ")
		if !ok || left == "" {
			return append(out, strings.TrimSpace(text))
		}
		out, text = append(out, left), right
	}
}

// relate writes a relation.
func (w Writer) relate(r relation) string {
	var list []string
	for _, text := range r.rights {
		if s := span(text); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	left := span(subject(r.left))
	if name, binds := bound(r.rights); binds {
		if !r.is {
			return left + wording.In(w.Lang, " has no value", " 没有值")
		}
		return left + wording.In(w.Lang, " has a value (", " 有值（") + span(name) + wording.In(w.Lang, ")", "）")
	}
	switch {
	case r.is:
		return left + wording.In(w.Lang, " is ", " 为 ") + join(list, wording.In(w.Lang, ", ", "、"), wording.In(w.Lang, " or ", " 或 "))
	case len(list) == 1:
		return left + wording.In(w.Lang, " is not ", " 不为 ") + list[0]
	case len(list) == 2:
		return left + wording.In(w.Lang, " is neither ", " 既不为 ") + list[0] + wording.In(w.Lang, " nor ", " 也不为 ") + list[1]
	}
	return left + wording.In(w.Lang, " is none of ", " 不为 ") + join(list, wording.In(w.Lang, ", ", "、"), wording.In(w.Lang, " and ", " 或 "))
}

// bound returns the variable that a value is bound to if there is one: "let x" in Swift.
func bound(rights []string) (name string, ok bool) {
	if len(rights) != 1 {
		return "", false
	}
	for _, word := range []string{"let ", "var "} {
		if name, ok = strings.CutPrefix(rights[0], word); ok && isChain(name) {
			return name, true
		}
	}
	return "", false
}

// subject returns the value of a case that gives it a name: "val label = match.value".
func subject(text string) string {
	name, value, ok := code.CutOutside(text, " = ")
	for _, word := range []string{"val ", "var ", "let ", "const "} {
		name = strings.TrimPrefix(name, word)
	}
	if ok && isChain(name) {
		return value
	}
	return text
}

// merged writes the parts of a conjunction or disjunction. Those that say what one value is not, or in a disjunction what it
// is, are one.
func (a *atom) merged(args []code.Cond, within code.CondOp) []string {
	wanted := within == code.CondOr // a disjunction of "is", a conjunction of "is not"
	var out []string
	done := make([]bool, len(args))
	for i := range args {
		if done[i] {
			continue
		}
		r, ok := relationOf(&args[i])
		if !ok || r.is != wanted {
			out = append(out, a.cond(&args[i], within))
			continue
		}
		for j := i + 1; j < len(args); j++ {
			if o, ok := relationOf(&args[j]); ok && o.is == r.is && o.left == r.left && !done[j] {
				r.rights, done[j] = append(r.rights, o.rights...), true
			}
		}
		out = append(out, a.relate(r))
	}
	return out
}

// joinedTerms returns the terms of a conjunction, with those that say what one value is not in one term, and without those
// that follow from what it is.
func joinedTerms(list []paths.Term) []paths.Term {
	var out, dropped []paths.Term
	for i := range list {
		t := &list[i]
		switch {
		case t.Cond != nil && follows(t, list):
			dropped = append(dropped, *t)
		case t.Cond == nil || !joins(out, t):
			out = append(out, *t)
		}
	}
	for i := range dropped {
		keepWhere(out, &dropped[i])
	}
	return out
}

// joins adds a term to one that says of the same value what else it is not, if there is one.
func joins(list []paths.Term, t *paths.Term) bool {
	r, ok := relationOf(t.Cond)
	if !ok || r.is {
		return false
	}
	for i := range list {
		o := &list[i]
		if o.Cond == nil || o.Where != t.Where {
			continue
		}
		parts := []code.Cond{*o.Cond}
		if o.Cond.Op == code.CondAnd && len(o.Cond.Args) > 0 {
			parts = slices.Clone(o.Cond.Args)
		}
		if first, ok := relationOf(&parts[0]); ok && !first.is && first.left == r.left {
			o.Cond = &code.Cond{Op: code.CondAnd, Args: append(parts, *t.Cond)}
			return true
		}
	}
	return false
}

// keepWhere gives what a dropped term says of a variable to one that names the variable.
func keepWhere(list []paths.Term, dropped *paths.Term) {
	r, _ := relationOf(dropped.Cond)
	for i := range list {
		if o := &list[i]; o.Where == "" && dropped.Where != "" && o.Cond != nil && r.left != "" && o.Cond.Mentions(r.left) {
			o.Where = dropped.Where
			return
		}
	}
}

// follows reports whether a term holds because another one says which constant its value is.
func follows(t *paths.Term, list []paths.Term) bool {
	for i := range list {
		o := &list[i]
		if o == t || o.Cond == nil || o.Cond == t.Cond {
			continue
		}
		known, ok := relationOf(o.Cond)
		if ok && known.is && len(known.rights) == 1 && isConstant(known.rights[0]) && implied(t.Cond, known) {
			return true
		}
	}
	return false
}

// implied reports whether a condition other than the known one follows from it: the value is a constant.
func implied(c *code.Cond, known relation) bool {
	if c.Op == code.CondOr {
		return slices.ContainsFunc(c.Args, func(a code.Cond) bool {
			r, ok := relationOf(&a)
			return ok && (r.is && r.left == known.left && slices.Contains(r.rights, known.rights[0]) || implied(&a, known))
		})
	}
	r, ok := relationOf(c)
	return ok && !r.is && r.left == known.left && !slices.Contains(r.rights, known.rights[0]) && !slices.ContainsFunc(r.rights, func(text string) bool { return !isConstant(text) })
}

// isConstant reports whether a text is a literal, or a name in capitals. Where a value is one of them, it is not taken
// for another one: code behind both comparisons would never run if their values were equal.
func isConstant(text string) bool {
	if text == "" {
		return false
	}
	if c := text[0]; c == '\'' || c == '"' || c >= '0' && c <= '9' {
		return true
	}
	last := text[strings.LastIndexAny(text, ".:")+1:]
	return isChain(text) && last == strings.ToUpper(last) && strings.ToLower(last) != last
}

// bounds writes a condition on the bounds of one value: c >= a && c <= b, or what lies outside.
func (a *atom) bounds(c *code.Cond) string {
	if len(c.Args) != 2 {
		return ""
	}
	low, ok1 := boundOf(&c.Args[0])
	high, ok2 := boundOf(&c.Args[1])
	if !ok1 || !ok2 || low.left != high.left {
		return ""
	}
	if low.op == "<=" || low.op == ">" {
		low, high = high, low
	}
	if !inOrder(low.right, high.right) {
		return ""
	}
	switch {
	case c.Op == code.CondAnd && low.op == ">=" && high.op == "<=":
		return a.say("%s is from %s to %s", "%s 在 %s 到 %s 之间", low.left, low.right, high.right)
	case c.Op == code.CondOr && low.op == "<" && high.op == ">":
		return a.say("%s is not from %s to %s", "%s 不在 %s 到 %s 之间", low.left, low.right, high.right)
	}
	return ""
}

// inOrder reports whether two bounds are not known to be in the wrong order.
func inOrder(low, high string) bool {
	a, errA := strconv.ParseInt(low, 0, 64)
	b, errB := strconv.ParseInt(high, 0, 64)
	switch {
	case errA == nil && errB == nil:
		return a <= b
	case low != "" && high != "" && low[0] == high[0] && strings.ContainsAny(low[:1], "'\""):
		return low <= high
	}
	return true
}

// boundOf reads a comparison by order.
func boundOf(c *code.Cond) (comparison, bool) {
	negated := c.Op == code.CondNot
	if negated {
		c = &c.Args[0]
	}
	if c.Op != code.CondAtom {
		return comparison{}, false
	}
	x, ok := comparisonOf(c.Text)
	if !ok || x.op == "==" || x.op == "!=" {
		return comparison{}, false
	}
	if negated {
		x.op = opposites[x.op]
	}
	return x, true
}
