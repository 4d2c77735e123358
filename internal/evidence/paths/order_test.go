package paths_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

func term(text string, c code.Cond) paths.Term { return paths.Term{Text: text, Cond: &c} }

func atom(name string) code.Cond { return code.Cond{Op: code.CondAtom, Text: name} }

func no(c code.Cond) code.Cond { return code.Cond{Op: code.CondNot, Args: []code.Cond{c}} }

func either(list ...code.Cond) code.Cond { return code.Cond{Op: code.CondOr, Args: list} }

func texts(list []paths.Term) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.Text)
	}
	return out
}

func TestLaterExitsDoNotRepeatThatEarlierOnesAreNotTaken(t *testing.T) {
	a, b, c := term("a", atom("a")), term("b", atom("b")), term("c", atom("c"))
	notA := term("not a", no(atom("a")))
	notAOrNotB := term("not a || not b", either(no(atom("a")), no(atom("b"))))
	for name, x := range map[string]struct {
		earlier [][]paths.Term
		later   []paths.Term
		want    []string
	}{
		"the negation of one":               {[][]paths.Term{{a}}, []paths.Term{notA, b}, []string{"b"}},
		"the negation of a conjunction":     {[][]paths.Term{{a, b}}, []paths.Term{notAOrNotB, c}, []string{"c"}},
		"within what both need":             {[][]paths.Term{{a, b}}, []paths.Term{a, term("not b", no(atom("b"))), c}, []string{"a", "c"}},
		"through two exits":                 {[][]paths.Term{{notA}, {a, b}}, []paths.Term{a, term("not b", no(atom("b"))), c}, []string{"c"}},
		"a term that does not follow":       {[][]paths.Term{{a, b}}, []paths.Term{notA, c}, []string{"not a", "c"}},
		"without earlier exits":             {nil, []paths.Term{notA, b}, []string{"not a", "b"}},
		"a loop that found nothing":         {[][]paths.Term{{{Text: "for x of list"}, a}}, []paths.Term{{Text: "no x of list: a"}, b}, []string{"b"}},
		"a term of which the text is known": {[][]paths.Term{{a}}, []paths.Term{{Text: "not a"}, b}, []string{"not a", "b"}},
	} {
		if diff := cmp.Diff(x.want, texts(paths.Otherwise(x.earlier, x.later))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
