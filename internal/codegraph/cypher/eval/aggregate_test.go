package eval_test

import (
	"context"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// total aggregates over rows in which x has the elements of a list.
func total(t *testing.T, call, list string) (value.Value, error) {
	t.Helper()
	e, err := syntax.ParseExpr(call)
	if err != nil {
		t.Fatal(err)
	}
	a, err := eval.NewAggregation(e)
	if a == nil || err != nil {
		return nil, err
	}
	s := eval.NewScope()
	slot := s.Add("x")
	args := make([]eval.Expr, len(a.Args))
	for i, arg := range a.Args {
		if args[i], err = newCompiler().Compile(arg, s); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := answer(t, list)
	if err != nil {
		t.Fatal(err)
	}
	group := a.New()
	for _, v := range rows.(value.List) {
		row := make(eval.Row, s.Width())
		row[slot] = v
		if err := group.Add(valuesOf(t, row, args)...); err != nil {
			return nil, err
		}
	}
	return group.Result(), nil
}

func valuesOf(t *testing.T, row eval.Row, args []eval.Expr) []value.Value {
	t.Helper()
	vs := make([]value.Value, len(args))
	for i, arg := range args {
		var err error
		if vs[i], err = arg(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	return vs
}

func TestAggregatesOverRows(t *testing.T) {
	for _, c := range []struct{ call, list, want string }{
		{"count(*)", "[1, null, 1]", "3"},
		{"count(x)", "[1, null, 1]", "2"},
		{"count(DISTINCT x)", "[1, null, 1.0, 'a']", "2"},
		{"count(x)", "[]", "0"},
		{"collect(x)", "[1, null, [2]]", "[1, [2]]"},
		{"collect(DISTINCT x)", "[1, 1.0, 2, nan, nan, [1], [1.0]]", "[1, 2, NaN, [1]]"},
		{"collect(x)", "[null]", "[]"},
		{"sum(x)", "[1, 2, null]", "3"},
		{"sum(x)", "[1, 2.5]", "3.5"},
		{"sum(x)", "[]", "0"},
		{"sum(DISTINCT x)", "[1, 1, 2]", "3"},
		{"sum(x)", "[9223372036854775807, 1]", "ArithmeticError/NumberOutOfRange"},
		{"sum(x)", "['a']", "TypeError/InvalidArgumentValue"},
		{"avg(x)", "[1, 2, null]", "1.5"},
		{"avg(x)", "[]", "null"},
		{"avg(x)", "[true]", "TypeError/InvalidArgumentValue"},
		{"min(x)", "[1, 'a', null, [1, 2], 0.2, 'b']", "[1, 2]"},
		{"max(x)", "[1, 'a', null, [1, 2], 0.2, 'b']", "1"},
		{"max(x)", "[null]", "null"},
		{"stDev(x)", "[2, 4, 4, 4, 5, 5, 7, 9, 5]", "2.0"},
		{"stDev(x)", "[2]", "0.0"},
		{"stdevp(x)", "[2, 4, 4, 4, 5, 5, 7, 9]", "2.0"},
		{"stDevP(x)", "[]", "0.0"},
		{"percentileDisc(x, 0.5)", "[30, 10, null, 20]", "20"},
		{"percentileDisc(x, 0)", "[30, 10, 20]", "10"},
		{"percentileDisc(x, 1)", "[30, 10, 20]", "30"},
		{"percentileCont(x, 0.25)", "[30, 10, 20]", "15.0"},
		{"percentileCont(x, 1.0)", "[30, 10, 20]", "30.0"},
		{"percentileCont(x, 0.5)", "[]", "null"},
		{"percentileCont(x, 1.1)", "[1]", "ArgumentError/NumberOutOfRange"},
		{"percentileDisc(0.9, x)", "[1, -1]", "ArgumentError/NumberOutOfRange"},
		{"percentileDisc(x, 'a')", "[1]", "TypeError/InvalidArgumentValue"},
		{"percentileDisc(x)", "[1]", "SyntaxError/InvalidNumberOfArguments"},
		{"COUNT(x, x)", "[1]", "SyntaxError/InvalidNumberOfArguments"},
	} {
		t.Run(c.call+" of "+c.list, func(t *testing.T) {
			if got := written(total(t, c.call, c.list)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestNoAggregationInOtherExpressions(t *testing.T) {
	for _, text := range []string{"1", "size([])", "1 + 2"} {
		e, err := syntax.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := eval.NewAggregation(e); a != nil || err != nil {
			t.Errorf("%s aggregates: %v, %v", text, a, err)
		}
	}
	if !eval.IsAggregate("Collect") || eval.IsAggregate("size") {
		t.Error("IsAggregate does not know collect from size")
	}
}

func TestAggregatesSayWhatTheyHold(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct {
		call string
		more bool // for every row, about a long string
	}{
		{"count(x)", false},
		{"collect(x)", true},
		{"count(DISTINCT x)", true},
		{"max(x)", false},
	} {
		e, err := syntax.ParseExpr(c.call)
		if err != nil {
			t.Fatal(err)
		}
		a, err := eval.NewAggregation(e)
		if err != nil {
			t.Fatal(err)
		}
		group := a.New()
		for i := range 10 {
			if err := group.Add(long + string(rune('a'+i))); err != nil {
				t.Fatal(err)
			}
		}
		if size := group.Size(); (size > 100_000) != c.more {
			t.Errorf("%s holds %d bytes", c.call, size)
		}
	}
}

func TestLoadedPropertiesAreNotRead(t *testing.T) {
	s := eval.NewScope()
	s.Add("n")
	s.Load("n", "name", s.Hidden())
	for text, want := range map[string]string{
		"n.name":                "'loaded'",
		"[n IN [$m] | n.name]":  "['given']",
		"[x IN [1] | n.name]":   "['loaded']",
		"[x IN [n] | x.name]":   "['Ada']",
		"n.name + ' ' + n.born": "'loaded 1815'",
	} {
		e, err := syntax.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		c := newCompiler()
		c.Parameters["m"] = value.Map{"name": "given"}
		compiled, err := c.Compile(e, s)
		if err != nil {
			t.Fatal(err)
		}
		row := make(eval.Row, s.Width())
		copy(row, eval.Row{value.Node(1), "loaded"})
		if got := written(compiled(context.Background(), row)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
