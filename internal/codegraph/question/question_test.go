package question_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// shop is the code graph of the project in testdata/shop.txtar.
func shop(t *testing.T) *explore.Graph {
	t.Helper()
	return projectOf(t, "testdata/shop.txtar")
}

// projectOf is the code graph of the project in an archive.
func projectOf(t *testing.T, archive string) *explore.Graph {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "shop")
	for _, f := range ar.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	g, err := explore.Open(t.Context(), p, s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(g.Close(), s.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return g
}

// TestAnswers has each question of testdata/asked.txt answered: the query, the rows,
// the summary.
func TestAnswers(t *testing.T) {
	g := shop(t)
	asked, err := os.ReadFile("testdata/asked.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for asked := range strings.Lines(string(asked)) {
		a, err := question.Ask(t.Context(), g, asked, question.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "# %s%s\n", asked, a.Query)
		for _, row := range a.Results {
			b.WriteString("  ")
			if err := e.Encode(row); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&b, "= %s\n", a.Summary)
		for _, n := range a.Notes {
			fmt.Fprintf(&b, "note: %s\n", n)
		}
		b.WriteString("\n")
	}
	golden.Equal(t, "answers.txt", strings.ReplaceAll(b.String(), g.Root(), "$ROOT"))
}

func TestEveryQueryRuns(t *testing.T) {
	g := shop(t)
	for _, q := range questions(t, "testdata/questions.txt") {
		a, err := question.Ask(t.Context(), g, q.text, question.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Error != "" || a.Query != q.cypher {
			t.Errorf("%s: %+v", q.text, a)
		}
	}
}

func TestOmittedRowsAreCounted(t *testing.T) {
	g := shop(t)
	a, err := question.Ask(t.Context(), g, "list all methods", question.Options{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := "Successfully retrieved 2 item(s) from the graph. Results truncated: 5 more were left out; ask again with offset 2, raise the limit (at most 100000) or narrow the question."
	if a.Summary != want || a.Omitted != 5 || len(a.Results) != 2 {
		t.Errorf("%+v", a)
	}
}

// TestTheLimitIsBlamedOnlyWhereItIsTheReason for rows that are left out.
func TestTheLimitIsBlamedOnlyWhereItIsTheReason(t *testing.T) {
	g := shop(t)
	all := func(rows []question.Object) []question.Object { return rows[:1] }
	for _, c := range []struct {
		asked  string
		opts   question.Options
		raises bool
	}{
		{"list all methods", question.Options{Limit: 2}, true},
		{"list the first 2 methods", question.Options{}, false},
		{"list the first 3 methods", question.Options{Limit: 2}, true},
		{"list all methods", question.Options{Fit: all}, false},
		{"MATCH (n:Method) RETURN n.name", question.Options{Limit: 2}, true},
		{"UNWIND range(1, 100001) AS n RETURN n", question.Options{Limit: question.MaxLimit}, false},
	} {
		a, err := question.Ask(t.Context(), g, c.asked, c.opts)
		if err != nil || a.Error != "" || a.Omitted == 0 {
			t.Errorf("%s: %v, %+v", c.asked, err, a)
		} else if got := strings.Contains(a.Summary, "raise the limit"); got != c.raises {
			t.Errorf("%s: %s", c.asked, a.Summary)
		}
	}
	a, err := question.Ask(t.Context(), g, "UNWIND range(1, 100001) AS n RETURN n", question.Options{Limit: 200_000, Offset: 1})
	if err != nil || len(a.Results) != question.MaxLimit || a.Omitted != 0 || len(a.Notes) != 1 {
		t.Errorf("%v, %d rows, %v", err, len(a.Results), a.Notes)
	}
}

func TestACancelledQuestionIsAnError(t *testing.T) {
	g := shop(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := question.Ask(ctx, g, "list all methods", question.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
