package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// entry is a text in a file of testdata and what it must become.
type entry struct{ text, want string }

// entries reads a file of texts, each followed by a line that begins with "=> ".
func entries(t testing.TB, name string) []entry {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var all []entry
	for block := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		text, want, found := strings.Cut(strings.TrimSpace(block), "\n=> ")
		if !found {
			t.Fatalf("%s: no => behind %q", name, block)
		}
		all = append(all, entry{text, want})
	}
	return all
}

func TestParseMakesTrees(t *testing.T) {
	for _, e := range entries(t, "queries.txt") {
		q, err := syntax.Parse(e.text)
		if err != nil {
			t.Errorf("%s\n%v", e.text, err)
		} else if got := dump(q); got != e.want {
			t.Errorf("%s\ngot  %s\nwant %s", e.text, got, e.want)
		}
	}
}

func TestParseExprMakesTrees(t *testing.T) {
	for _, e := range entries(t, "expressions.txt") {
		x, err := syntax.ParseExpr(e.text)
		if err != nil {
			t.Errorf("%s\n%v", e.text, err)
		} else if got := dump(x); got != e.want {
			t.Errorf("%s\ngot  %s\nwant %s", e.text, got, e.want)
		}
	}
}

func TestParseKeepsTheTextOfColumns(t *testing.T) {
	q, err := syntax.Parse("MATCH (n) RETURN  n . name ,count( * ) AS c, /* x */ [ 1,2 ] /* y */,\n'a'\nORDER BY c")
	if err != nil {
		t.Fatal(err)
	}
	last := q.Parts[0].Clauses[1].(*syntax.Projection)
	var texts, names []string
	for _, item := range last.Items {
		texts = append(texts, item.Text)
		names = append(names, item.Name())
	}
	if got, want := strings.Join(texts, ";"), "n . name;count( * );[ 1,2 ];'a'"; got != want {
		t.Errorf("texts %s, want %s", got, want)
	}
	if got, want := strings.Join(names, ";"), "n . name;c;[ 1,2 ];'a'"; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
}

func TestParseKeepsThePlaces(t *testing.T) {
	q, err := syntax.Parse("MATCH (n)\n  WHERE n.x = 1 RETURN exists { (n) --> () }\nUNION RETURN 1")
	if err != nil {
		t.Fatal(err)
	}
	match := q.Parts[0].Clauses[0].(*syntax.Match)
	exists := q.Parts[0].Clauses[1].(*syntax.Projection).Items[0].Expr.(*syntax.Subquery)
	for what, got := range map[string]syntax.Pos{
		"the node":       match.Pattern[0].Nodes[0].At,
		"the comparison": match.Where.Start(),
		"the dot":        match.Where.(*syntax.Comparison).Operands[0].Start(),
		"the inner rel":  exists.Query.Parts[0].Clauses[0].(*syntax.Match).Pattern[0].Rels[0].At,
		"the union":      q.Unions[0].At,
	} {
		want := map[string]syntax.Pos{
			"the node":       {Offset: 6, Line: 1, Column: 7},
			"the comparison": {Offset: 22, Line: 2, Column: 13},
			"the dot":        {Offset: 19, Line: 2, Column: 10},
			"the inner rel":  {Offset: 46, Line: 2, Column: 37},
			"the union":      {Offset: 55, Line: 3, Column: 1},
		}[what]
		if got != want {
			t.Errorf("%s is at %+v, want %+v", what, got, want)
		}
	}
	if got, want := exists.Query.Text, "(n) --> ()"; got != want {
		t.Errorf("the text in EXISTS is %q, want %q", got, want)
	}
}

func TestParsePatternTakesParameters(t *testing.T) {
	paths, err := syntax.ParsePattern("(a:A $x), p = (b)-[:R $y]->(c {k: [1]})")
	if err != nil {
		t.Fatal(err)
	}
	want := `[(Path Nodes=[(NodePattern Var=a Labels=[["A"]] Properties=$x)]) ` +
		`(Path Var=p Nodes=[(NodePattern Var=b) (NodePattern Var=c Properties=(Map Keys=["k"] Values=[(List Items=[1])]))] ` +
		`Rels=[(RelPattern Types=["R"] Properties=$y)])]`
	if got := dump(paths); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := syntax.ParsePattern("(a) RETURN a"); err == nil {
		t.Error("more than a pattern is taken")
	}
}
