package syntax_test

import (
	"slices"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

func name(n string) *syntax.Variable { return &syntax.Variable{Name: n} }

// path is (x {p: a})-[{p: b}]-(y).
func path(a, b string) *syntax.Path {
	return &syntax.Path{
		Nodes: []*syntax.NodePattern{
			{Var: name("x"), Properties: &syntax.Map{Keys: []string{"p"}, Values: []syntax.Expr{name(a)}}},
			{Var: name("y")},
		},
		Rels: []*syntax.RelPattern{
			{Properties: &syntax.Map{Keys: []string{"p"}, Values: []syntax.Expr{name(b)}}},
		},
	}
}

// exists is EXISTS { MATCH path WHERE c UNWIND d AS e RETURN f ORDER BY g LIMIT h }.
func exists() syntax.Expr {
	return &syntax.Subquery{Kind: syntax.ExistsKind, Query: &syntax.Query{Parts: []*syntax.Single{{Clauses: []syntax.Clause{
		&syntax.Match{Pattern: []*syntax.Path{path("a", "b")}, Where: name("c")},
		&syntax.Unwind{List: name("d"), As: name("e")},
		&syntax.Projection{
			Return:  true,
			Items:   []*syntax.Item{{Expr: name("f")}},
			OrderBy: []*syntax.Order{{Expr: name("g")}},
			Limit:   name("h"),
		},
	}}}}}
}

func TestWalkVisitsInTheOrderOfTheText(t *testing.T) {
	for _, c := range []struct {
		name string
		expr syntax.Expr
		want []string
	}{
		{"nothing", nil, nil},
		{"a chain", &syntax.Comparison{Operands: []syntax.Expr{name("a"), name("b"), name("c")}}, []string{"a", "b", "c"}},
		{"a slice with one end", &syntax.Slice{Of: name("a"), To: name("b")}, []string{"a", "b"}},
		{
			"a case",
			&syntax.Case{
				Subject: name("a"), Whens: []syntax.When{{When: name("b"), Then: name("c")}}, Else: name("d"),
			},
			[]string{"a", "b", "c", "d"},
		},
		{
			"a comprehension", &syntax.ListComprehension{Var: name("v"), In: name("a"), Map: name("b")},
			[]string{"a", "b"},
		},
		{
			"a reduction", &syntax.Reduce{Acc: name("v"), Init: name("a"), Var: name("w"), In: name("b"), Map: name("c")},
			[]string{"a", "b", "c"},
		},
		{
			"a pattern comprehension", &syntax.PatternComprehension{Path: path("a", "b"), Map: name("c")},
			[]string{"a", "b", "c"},
		},
		{"a query", exists(), []string{"a", "b", "c", "d", "f", "g", "h"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			syntax.Walk(c.expr, func(e syntax.Expr) bool {
				if v, ok := e.(*syntax.Variable); ok {
					got = append(got, v.Name)
				}
				return true
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestWalkSkipsOperands(t *testing.T) {
	var got []string
	syntax.Walk(&syntax.List{Items: []syntax.Expr{exists(), name("z")}}, func(e syntax.Expr) bool {
		if v, ok := e.(*syntax.Variable); ok {
			got = append(got, v.Name)
		}
		_, inner := e.(*syntax.Subquery)
		return !inner
	})
	if want := []string{"z"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
