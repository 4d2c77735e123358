// Package proposal makes calls that end with an error, from the path condition of the error. [Solve] searches for simple
// arguments for which the condition holds; [File] writes the calls as tests of Go, pytest, unittest, vitest or jest. Whether
// a call does end with the error is for the tests to say.
package proposal

import (
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ErrCondition is returned if a condition is not one over literals and parameters.
var ErrCondition = message.Errorf("the condition is not one over literals and parameters")

// ErrNoValues is returned if no simple arguments were found for which the condition holds.
var ErrNoValues = message.Errorf("no simple arguments were found for which the condition holds")

// mostTries limits the combinations of arguments that are tried.
const mostTries = 20_000

// Solve returns a value for each parameter for which all terms hold. A parameter of which the terms say nothing gets
// [Any]. Kinds are what the parameters accept.
func Solve(params []code.Param, kinds []Kind, terms []paths.Term) ([]any, error) {
	v := &values{of: map[string]any{}, means: map[string]*expression{}}
	var conds []*condition
	for _, t := range terms {
		if t.Cond == nil {
			return nil, ErrCondition
		}
		c, err := conditionOf(t.Cond)
		if err != nil {
			return nil, ErrCondition
		}
		conds = append(conds, c)
		v.bind(t.Where)
		v.bind(t.Origin)
	}
	pools := poolsOf(params, kinds, conds, v)
	tries := 0
	known := false // whether the condition could be evaluated at all
	var search func(i int) bool
	search = func(i int) bool {
		if i < len(params) {
			for _, x := range pools[i] {
				v.of[params[i].Name] = x
				if search(i + 1) {
					return true
				}
			}
			return false
		}
		tries++
		for _, c := range conds {
			holds, err := c.holds(v)
			known = known || err == nil
			if err != nil || !holds {
				return tries > mostTries
			}
		}
		return true
	}
	found := search(0)
	switch {
	case found && tries <= mostTries:
	case !known:
		return nil, ErrCondition
	default:
		return nil, ErrNoValues
	}
	out := make([]any, len(params))
	for i, p := range params {
		out[i] = v.of[p.Name]
	}
	return out, nil
}

// Any is the value of a parameter of which the condition says nothing.
type Any struct{}

// bind reads assignments, "a = 1, b = len(c)".
func (v *values) bind(assignments string) {
	for part := range strings.SplitSeq(assignments, ", ") {
		name, value, ok := strings.Cut(part, "=")
		if !ok || strings.HasPrefix(value, "=") {
			continue
		}
		if e, err := parse(value); err == nil {
			v.means[strings.TrimSpace(strings.TrimSuffix(name, ":"))] = e
		}
	}
}

// condition is a condition whose atoms are read.
type condition struct {
	op    code.CondOp
	atom  *expression
	parts []*condition
}

func conditionOf(c *code.Cond) (*condition, error) {
	out := &condition{op: c.Op}
	switch c.Op {
	case code.CondAtom:
		e, err := parse(c.Text)
		out.atom = e
		return out, err
	case code.CondIs:
		e, err := parse(c.Of + " == " + c.Text)
		out.op, out.atom = code.CondAtom, e
		return out, err
	case code.CondNot, code.CondAnd, code.CondOr:
	default:
		return nil, errUnread
	}
	for i := range c.Args {
		part, err := conditionOf(&c.Args[i])
		if err != nil && c.Op != code.CondOr { // of alternatives one is enough
			return nil, err
		}
		if err == nil {
			out.parts = append(out.parts, part)
		}
	}
	if len(out.parts) == 0 && len(c.Args) > 0 {
		return nil, errUnread
	}
	return out, nil
}

// holds reports whether a condition holds. Of alternatives those that cannot be evaluated do not.
func (c *condition) holds(v *values) (bool, error) {
	switch c.op {
	case code.CondNot:
		holds, err := c.parts[0].holds(v)
		return !holds, err
	case code.CondAnd:
		for _, p := range c.parts {
			if holds, err := p.holds(v); err != nil || !holds {
				return false, err
			}
		}
		return true, nil
	case code.CondOr:
		var last error
		for _, p := range c.parts {
			holds, err := p.holds(v)
			if err == nil && holds {
				return true, nil
			}
			last = err
		}
		return false, last
	default:
	}
	x, err := v.evaluate(c.atom)
	return truthy(x), err
}

func (c *condition) each(see func(*expression)) {
	if c.atom != nil {
		c.atom.each(see)
	}
	for _, p := range c.parts {
		p.each(see)
	}
}

// Kind is what a parameter accepts.
type Kind uint8

// Kinds of parameters. Anything is that of a language without types.
const (
	Opaque Kind = iota // only its zero value can be written
	Text
	Whole    // a number without a fraction
	Positive // a whole number that is not negative
	Real
	Truth
	List
	Anything
)

// poolsOf returns the values to try for each parameter: those that the condition mentions, and their neighbours.
func poolsOf(params []code.Param, kinds []Kind, conds []*condition, v *values) [][]any {
	named := map[string]bool{}
	var numbers []float64
	var words []string
	see := func(e *expression) {
		switch x := e.value.(type) {
		case float64:
			numbers = append(numbers, x, -x)
		case string:
			words = append(words, x)
		}
		if name := e.path(); name != "" {
			named[name] = true
		}
	}
	for _, c := range conds {
		c.each(see)
	}
	for name, e := range v.means {
		if named[name] || strings.Contains(name, ".") {
			e.each(see)
		}
	}
	for range maxMeaning { // what the meanings of names name
		for name, e := range v.means {
			if named[name] {
				e.each(func(e *expression) {
					if name := e.path(); name != "" {
						named[name] = true
					}
				})
			}
		}
	}
	slices.Sort(numbers)
	slices.Sort(words)
	numbers, words = slices.Compact(numbers), slices.Compact(words)
	out := make([][]any, len(params))
	for i, p := range params {
		if !named[p.Name] {
			out[i] = []any{Any{}}
			continue
		}
		out[i] = pool(kinds[i], numbers, words)
	}
	return out
}

// pool returns the values to try for a kind of parameter.
func pool(k Kind, numbers []float64, words []string) []any {
	switch k {
	case Text:
		return textPool(numbers, words)
	case Whole, Positive, Real:
		return numberPool(k, numbers)
	case Truth:
		return []any{true, false}
	case List:
		out := []any{nil}
		for _, n := range append([]float64{1, 2}, numbers...) {
			const most = 20
			for _, size := range []float64{n - 1, n, n + 1} {
				if size >= 0 && size <= most {
					out = append(out, slices.Repeat([]any{"a"}, int(size)))
				}
			}
		}
		return out
	case Anything:
		return slices.Concat(textPool(numbers, words), numberPool(Real, numbers), []any{nil, true, false, []any{}, []any{"a"}})
	default:
		return []any{nil}
	}
}

// longestText is the length of the longest text that is tried.
const longestText = 2000

func textPool(numbers []float64, words []string) []any {
	list := []string{"a", ""}
	for _, w := range words {
		list = append(list, w, w+"a", "a"+w)
	}
	for _, n := range numbers {
		for _, size := range []float64{n - 1, n, n + 1} {
			if size > 0 && size <= longestText && size == math.Trunc(size) {
				list = append(list, strings.Repeat("a", int(size)))
			}
		}
	}
	list = append(list, " ", "1")
	var out []any
	for _, s := range list {
		if !slices.Contains(out, any(s)) {
			out = append(out, s)
		}
	}
	return out
}

func numberPool(k Kind, numbers []float64) []any {
	list := []float64{1, 0, -1, 2}
	for _, n := range numbers {
		list = append(list, n, n+1, n-1)
	}
	if k == Real {
		list = append(list, 0.5, math.NaN(), math.Inf(1))
	}
	const exact = 1 << 53
	var out []any
	for _, n := range list {
		fits := math.Abs(n) <= exact && n == math.Trunc(n) && (k != Positive || n >= 0)
		if (k == Real || fits) && !slices.Contains(out, any(n)) {
			out = append(out, n)
		}
	}
	return out
}
