package syntax_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"n": "n", "_x1": "_x1", "类": "类", "Class": "Class", "": "``", "1a": "`1a`", "a b": "`a b`", "a`b": "`a``b`",
		"match": "`match`", "END": "`END`", "a\nb": "`a\nb`", "a\x00": "`a\x00`",
	} {
		if got := syntax.Quote(name); got != want {
			t.Errorf("Quote(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestKeywordsAreKnownInAnyCase(t *testing.T) {
	for name, want := range map[string]bool{"MATCH": true, "return": true, "Detach": true, "name": false, "": false} {
		if got := syntax.Keyword(name); got != want {
			t.Errorf("Keyword(%q) = %v", name, got)
		}
	}
}

// What is quoted is read as what it was.
func TestQuotedTextsAreReadBack(t *testing.T) {
	for _, s := range []string{"", "a", `it's "x"`, `\`, `\'`, "\n\r\t\b\f", "`", "``", "😀 é", "a\x00b", "match"} {
		x, err := syntax.ParseExpr(syntax.QuoteString(s))
		if literal, ok := x.(*syntax.Literal); !ok || literal.Value != s {
			t.Errorf("QuoteString(%q): %v, %v", s, dump(x), err)
		}
		x, err = syntax.ParseExpr(syntax.Quote(s))
		if variable, ok := x.(*syntax.Variable); !ok || variable.Name != s {
			t.Errorf("Quote(%q): %v, %v", s, x, err)
		}
	}
}
