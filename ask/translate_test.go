package ask_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/ask"
	"github.com/reverse-spec/reverse-spec/cypher/syntax"
)

// question is one of a table of questions, and the Cypher that it must become.
type question struct{ text, cypher string }

// questions reads a table: a question a line, its Cypher on the next, moved in.
func questions(t *testing.T, file string) []question {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []question
	var waiting []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		cypher, moved := strings.CutPrefix(line, "\t")
		switch {
		case moved:
			for _, text := range waiting {
				out = append(out, question{text, cypher})
			}
			waiting = nil
		case line != "" && !strings.HasPrefix(line, "#"):
			waiting = append(waiting, line)
		}
	}
	return out
}

func TestQuestionsBecomeTheirCypher(t *testing.T) {
	all := questions(t, "testdata/questions.txt")
	if len(all) != 60 {
		t.Errorf("%d questions", len(all))
	}
	check(t, all)
}

func check(t *testing.T, all []question) {
	t.Helper()
	for _, q := range all {
		t.Run(q.text, func(t *testing.T) {
			got, ok := ask.Translate(q.text, 0)
			if !ok {
				t.Fatal("not translated")
			}
			if diff := cmp.Diff(q.cypher, got.Cypher); diff != "" {
				t.Error(diff)
			}
			if _, err := syntax.Parse(got.Cypher); err != nil {
				t.Error(err)
			}
		})
	}
}
