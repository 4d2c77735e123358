package syntax_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// describe writes a fault on one line: place, class, code, message and advice.
func describe(t *testing.T, err error) string {
	t.Helper()
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		t.Fatalf("%v is no *syntax.Error", err)
	}
	line := fmt.Sprintf("%d:%d %s/%s: %s", fault.At.Line, fault.At.Column, fault.Class, fault.Code, fault.Message)
	if !fault.Advice.Empty() {
		line += " [" + fault.Advice.String() + "]"
	}
	return line
}

func TestParseSaysWhatIsWrongAndWhere(t *testing.T) {
	for _, e := range entries(t, "faults.txt") {
		if got := parseFault(t, e.text); got != e.want {
			t.Errorf("%s\ngot  %s\nwant %s", e.text, got, e.want)
		}
	}
}

// parseFault returns what is wrong with a query.
func parseFault(t *testing.T, text string) string {
	t.Helper()
	q, err := syntax.Parse(text)
	if q != nil || err == nil {
		t.Errorf("%s is a query", text)
		return ""
	}
	return describe(t, err)
}

func TestParseCountsCharactersAndLines(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "1:1 SyntaxError/UnexpectedSyntax: expected a clause such as MATCH or RETURN, found the end of the query",
		"RETURN 'é😀' x":           "1:13 SyntaxError/UnexpectedSyntax: expected ',', a clause or the end of the query after the string 'é😀', found 'x'",
		"RETURN 'a\n\nbc' x":      "3:5 SyntaxError/UnexpectedSyntax: expected ',', a clause or the end of the query after the string \"'a\\n\\nbc'\", found 'x'",
		"\ufeffRETURN 1 /*\n*/ x": "2:4 SyntaxError/UnexpectedSyntax: expected ',', a clause or the end of the query after '1', found 'x'",
		"RETURN 'a\n\\x'":         "2:1 SyntaxError/UnexpectedSyntax: the string has the unknown escape \\x [write \\\\x for a backslash]",
		"RETURN \xff":             "1:8 SyntaxError/InvalidUnicodeCharacter: the text is not UTF-8 here",
		"RETURN \x00":             `1:8 SyntaxError/UnexpectedSyntax: expected an expression after 'RETURN', found "\x00"`,
	} {
		if got := parseFault(t, text); got != want {
			t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestParseRefusesDeepNesting(t *testing.T) {
	for _, level := range []string{
		"(", "[", "{a: ", "NOT ", "-", "[x IN ", "[x IN y WHERE ", "CASE ", "CASE WHEN ", "f(", "n[1..", "- - +",
		"EXISTS { MATCH (n) WHERE ", "all(x IN ", "reduce(a = ", "[(a)-->(b) | ",
	} {
		got := parseFault(t, "RETURN "+strings.Repeat(level, 20_000))
		if !strings.Contains(got, "nested more than 200 levels deep") {
			t.Errorf("%q: %s", level, got)
		}
	}
}

func TestParseTakesDeepButAllowedNesting(t *testing.T) {
	for _, text := range []string{
		"RETURN " + strings.Repeat("(", 199) + "1" + strings.Repeat(")", 199),
		"RETURN " + strings.Repeat("[", 199) + strings.Repeat("]", 199),
		"RETURN 1" + strings.Repeat(" + 1", 20_000),
		"MATCH (a)" + strings.Repeat("-->()", 20_000) + " RETURN 1",
	} {
		if _, err := syntax.Parse(text); err != nil {
			t.Errorf("%.40s…: %v", text, err)
		}
	}
}

func TestParseRefusesLongTexts(t *testing.T) {
	_, err := syntax.Parse("RETURN 1" + strings.Repeat(" ", 1<<20))
	want := "0:0 Unsupported/TooLong: the query has more than 1048576 bytes [give long lists as parameters]"
	if got := describe(t, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFaultsAreWhollyInChinese: what is said of a fault, and what to do, has no words in
// English but those of the language and of the query.
func TestFaultsAreWhollyInChinese(t *testing.T) {
	sentence := regexp.MustCompile(`[a-z]{2,}( [a-z]{2,}){2}`)
	for _, e := range entries(t, "faults.txt") {
		_, err := syntax.Parse(e.text)
		if err == nil {
			_, err = syntax.ParseExpr(e.text)
		}
		text := message.Render(message.Chinese, err) + " " + message.Hint(message.Chinese, err)
		if at := sentence.FindString(text); at != "" && !strings.Contains(e.text, at) {
			t.Errorf("%s\n%s\n%q is in English", e.text, text, at)
		}
	}
}
