package syntax_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"n.name", " n . name", true},
		{"n.name", "m.name", false},
		{"n.name", "n.names", false},
		{"(a + b) * 2", "((a + b)) * 2", true},
		{"a + b", "b + a", false},
		{"a - b", "a + b", false},
		{"COUNT(n.x)", "count( n.x )", true},
		{"count(n.x)", "count(DISTINCT n.x)", false},
		{"count(n)", "count(n, m)", false},
		{"1", "1.0", false},
		{"1", "'1'", false},
		{"null", "null", true},
		{"null", "0", false},
		{"[1, 'a', $p]", "[1,'a',$p]", true},
		{"{a: 1}", "{A: 1}", false},
		{"x[1..]", "x[..1]", false},
		{"CASE x WHEN 1 THEN 2 END", "CASE x WHEN 1 THEN 2 ELSE null END", false},
		{"[(n)-[:A*2]->(m) | m.x]", "[ (n)-[:A*2..2]->(m) | m.x ]", true},
		{"[(n)-[:A]->(m) | m.x]", "[(n)-[:B]->(m) | m.x]", false},
		{"EXISTS { MATCH (n)-->() RETURN n }", "exists { MATCH (n)-->()  RETURN n }", true},
	} {
		if got := syntax.Same(parseExpr(t, c.a), parseExpr(t, c.b)); got != c.same {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

func parseExpr(t *testing.T, text string) syntax.Expr {
	t.Helper()
	e, err := syntax.ParseExpr(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}
