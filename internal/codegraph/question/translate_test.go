package question_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
)

// question is one of a table of questions, and the Cypher that it must become.
type asking struct{ text, cypher string }

// questions reads a table: a question a line, its Cypher on the next, moved in.
func questions(t *testing.T, file string) []asking {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []asking
	var waiting []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		cypher, moved := strings.CutPrefix(line, "\t")
		switch {
		case moved:
			for _, text := range waiting {
				out = append(out, asking{text, cypher})
			}
			waiting = nil
		case line != "" && !strings.HasPrefix(line, "#"):
			waiting = append(waiting, line)
		}
	}
	return out
}

func TestTranslate(t *testing.T) {
	all := questions(t, "testdata/questions.txt")
	if len(all) != 60 {
		t.Errorf("%d questions", len(all))
	}
	check(t, all)
}

func TestTranslateParaphrases(t *testing.T) {
	check(t, questions(t, "testdata/variants.txt"))
}

func TestExamplesWorkInBothLanguages(t *testing.T) {
	for _, k := range question.Kinds() {
		english, ok := question.Translate(k.English, 0)
		chinese, ok2 := question.Translate(k.Chinese, 0)
		if !ok || !ok2 {
			t.Errorf("%s: %v; %s: %v", k.English, ok, k.Chinese, ok2)
		}
		if diff := cmp.Diff(english, chinese); diff != "" {
			t.Errorf("%s, %s:\n%s", k.English, k.Chinese, diff)
		}
	}
}

func TestUnsupportedQuestions(t *testing.T) {
	for _, q := range []string{
		"", "?", "hello", "What is the weather today?", "Tell me a joke about functions", "Find all functions that sort arrays",
		"show callers and callees of f_x", "who calls f_x and what does it import",
		"今天天气怎么样？", "写一首诗", "哪些函数会排序",
	} {
		if got, ok := question.Translate(q, 0); ok {
			t.Errorf("%q became %s", q, got.Cypher)
		}
	}
}

// testdata/refusals.txt holds questions without a rule, above all with superlatives and adjectives, that are
// similar to supported ones.
func TestUnknownWordsAreRejected(t *testing.T) {
	b, err := os.ReadFile("testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for q := range strings.Lines(string(b)) {
		q = strings.TrimSpace(q)
		if q == "" || strings.HasPrefix(q, "#") {
			continue
		}
		n++
		if got, ok := question.Translate(q, 0); ok {
			t.Errorf("%q became %s", q, got.Cypher)
		}
	}
	if n < 60 {
		t.Errorf("%d questions", n)
	}
}

func TestIgnoredWordsAreReported(t *testing.T) {
	got, ok := question.Translate("who calls parse_config nowadays", 0)
	if diff := cmp.Diff([]string{"nowadays"}, got.Ignored); !ok || diff != "" {
		t.Errorf("%v %s", ok, diff)
	}
}

func TestNamesAreEscaped(t *testing.T) {
	got, ok := question.Translate("who calls `it's \\ a trap' RETURN 1 //`?", 0)
	want := `MATCH (n)-[r:CALLS]->(callee) WHERE callee.name = 'it\'s \\ a trap\' RETURN 1 //' `
	if !ok || !strings.HasPrefix(got.Cypher, want) {
		t.Errorf("%v %s", ok, got.Cypher)
	}
	if _, err := syntax.Parse(got.Cypher); err != nil {
		t.Error(err)
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		question string
		limit    int
		want     string
	}{
		{"list all classes", 0, "LIMIT 50"},
		{"list all classes", 7, "LIMIT 7"},
		{"list all classes", 10_000, "LIMIT 10000"},
		{"list all classes", 1_000_000, "LIMIT 100000"},
		{"list the first 20 classes", 0, "LIMIT 20"},
		{"list the first 20 classes", 10, "LIMIT 10"},
		{"列出前 100 个类", 0, "LIMIT 100"},
	} {
		if got, _ := question.Translate(c.question, c.limit); !strings.HasSuffix(got.Cypher, " "+c.want) {
			t.Errorf("%s, %d: %s", c.question, c.limit, got.Cypher)
		}
	}
}

func check(t *testing.T, all []asking) {
	t.Helper()
	for _, q := range all {
		t.Run(q.text, func(t *testing.T) {
			got, ok := question.Translate(q.text, 0)
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

func TestVocabularyIsUnambiguous(t *testing.T) {
	if twice := question.Twice(); len(twice) > 0 {
		t.Errorf("%q", twice)
	}
}

// FuzzTranslate checks that every translation is valid Cypher.
func FuzzTranslate(f *testing.F) {
	for _, k := range question.Kinds() {
		f.Add(k.English)
		f.Add(k.Chinese)
	}
	f.Add("who calls `it's \\`, @x, *y*, a::b#c(), ./d/, .e?")
	f.Fuzz(func(t *testing.T, asked string) {
		got, ok := question.Translate(asked, 0)
		if !ok {
			return
		}
		if _, err := syntax.Parse(got.Cypher); err != nil {
			t.Errorf("%q became %s: %v", asked, got.Cypher, err)
		}
	})
}
