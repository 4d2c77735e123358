package syntax_test

import (
	"errors"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// FuzzParse checks that any text gives a tree, or an error with a position inside the text, and that a column's
// text is that of its expression.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"queries.txt", "faults.txt"} {
		for _, e := range entries(f, name) {
			f.Add(e.text)
		}
	}
	for _, e := range entries(f, "expressions.txt") {
		f.Add("MATCH (n) WHERE " + e.text + " RETURN " + e.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := syntax.Parse(text)
		if err != nil {
			checkPlace(t, text, err)
			return
		}
		for _, part := range q.Parts {
			if call, ok := part.Clauses[0].(*syntax.CallProcedure); ok && call.Alone {
				continue
			}
			last, ok := part.Clauses[len(part.Clauses)-1].(*syntax.Projection)
			if !ok || !last.Return {
				t.Fatalf("%q ends with %T", text, part.Clauses[len(part.Clauses)-1])
			}
			for _, item := range last.Items {
				again, err := syntax.ParseExpr(item.Text)
				if err != nil || dump(again) != dump(item.Expr) {
					t.Fatalf("%q has the column %q: %v", text, item.Text, err)
				}
			}
		}
	})
}

// checkPlace checks that a fault says something and is at a place in the text.
func checkPlace(t *testing.T, text string, err error) {
	t.Helper()
	var fault *syntax.Error
	if !errors.As(err, &fault) || fault.Message.Empty() || fault.Class == "" || fault.Code == "" {
		t.Fatalf("%q: %#v", text, err)
	}
	at := fault.At
	if at.Offset < 0 || at.Offset > len(text) || at.Line < 1 || at.Column < 1 || at.Column > at.Offset+1 {
		t.Fatalf("%q: %v is no place in it", text, at)
	}
}
