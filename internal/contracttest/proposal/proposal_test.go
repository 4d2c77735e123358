package proposal_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/proposal"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

func atom(text string) code.Cond { return code.Cond{Op: code.CondAtom, Text: text} }

func not(c code.Cond) code.Cond { return code.Cond{Op: code.CondNot, Args: []code.Cond{c}} }

func terms(list ...code.Cond) []paths.Term {
	var out []paths.Term
	for i := range list {
		out = append(out, paths.Term{Text: list[i].Text, Cond: &list[i]})
	}
	return out
}

// TestSolve finds arguments for conditions of several languages.
func TestSolve(t *testing.T) {
	is := func(of, text string) code.Cond { return code.Cond{Op: code.CondIs, Of: of, Text: text} }
	or := func(a, b code.Cond) code.Cond { return code.Cond{Op: code.CondOr, Args: []code.Cond{a, b}} }
	for _, c := range []struct {
		language string
		params   []code.Param
		terms    []paths.Term
		want     string
		err      error
	}{
		{"go", []code.Param{{Name: "n", Type: "int"}}, terms(atom("n < 1")), "[0]", nil},
		{"go", []code.Param{{Name: "n", Type: "uint8"}}, terms(atom("n < 1")), "[0]", nil},
		{"go", []code.Param{{Name: "have", Type: "int"}, {Name: "n", Type: "int"}}, terms(not(atom("n < 1")), atom("n > have")), "[1 2]", nil},
		{"go", []code.Param{{Name: "s", Type: "string"}, {Name: "x", Type: "*T"}}, terms(atom(`s == ""`)), "[ {}]", nil},
		{"go", []code.Param{{Name: "s", Type: "string"}}, terms(atom("len(s) > 3"), not(atom(`strings.HasPrefix(s, "a")`))), "[]", proposal.ErrNoValues},
		{"go", []code.Param{{Name: "s", Type: "string"}}, terms(not(atom(`s == "one"`)), not(atom(`s == "two"`))), "[a]", nil},
		{"go", []code.Param{{Name: "s", Type: "string"}}, terms(is("s", `"one"`)), "[one]", nil},
		{"go", []code.Param{{Name: "n", Type: "int"}}, terms(or(atom("n < m.limit"), atom("n%2 != 0"))), "[1]", nil},
		{"go", []code.Param{{Name: "p", Type: "*T"}}, terms(atom("p == nil")), "[<nil>]", nil},
		{"go", []code.Param{{Name: "n", Type: "int"}}, terms(atom("n < 1"), atom("n > 1")), "[]", proposal.ErrNoValues},
		{"go", []code.Param{{Name: "n", Type: "int"}}, terms(atom("c.full(n)")), "[]", proposal.ErrCondition},
		{"python", []code.Param{{Name: "n"}}, terms(not(atom("isinstance(n, (int, float))"))), "[a]", nil},
		{"python", []code.Param{{Name: "a"}, {Name: "b", Default: "None"}}, terms(atom("a is not None"), atom("b is None")), "[a <nil>]", nil},
		{"python", []code.Param{{Name: "n"}}, terms(atom("0 < n <= 2"), atom("n not in (1, 3)")), "[2]", nil},
		{"python", []code.Param{{Name: "x"}}, terms(not(atom("isinstance(x, Sequence)"))), "[<nil>]", nil},
		{"typescript", []code.Param{{Name: "s", Type: "unknown"}}, terms(atom("typeof s !== 'string'")), "[1]", nil},
		{"typescript", []code.Param{{Name: "n", Type: "number"}}, terms(not(atom("Number.isInteger(n)"))), "[0.5]", nil},
		{"typescript", []code.Param{{Name: "s", Type: "string"}}, terms(atom("s.length === 0")), "[]", nil},
	} {
		kinds, err := proposal.Kinds(c.language, c.params)
		if err != nil {
			t.Fatal(err)
		}
		got, err := proposal.Solve(c.params, kinds, c.terms)
		if text := fmt.Sprint(got); text != c.want || !errors.Is(err, c.err) {
			t.Errorf("%v: %s, %v; want %s, %v", c.terms, text, err, c.want, c.err)
		}
	}
}

// TestSolveReadsAssignments: a variable of the condition stands for what was assigned to it, and a constant for its value.
func TestSolveReadsAssignments(t *testing.T) {
	c := atom("size > maxSize")
	list := []paths.Term{{Text: c.Text, Cond: &c, Where: "size := len(s), maxSize = 12"}}
	params := []code.Param{{Name: "s", Type: "string"}}
	got, err := proposal.Solve(params, []proposal.Kind{proposal.Text}, list)
	if err != nil || len(got[0].(string)) != 13 {
		t.Errorf("%v, %v", got, err)
	}
}
