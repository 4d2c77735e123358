package batch_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/spec"
)

// elsewhere is a test outside the package that it tests.
const elsewhere = `-- e2e/log_test.go --
package e2e

import (
	"testing"

	"example.com/shop/log"
)

func TestPrint(t *testing.T) { log.Print() }
`

// TestBatchWritesTheSpecOfGenerate: batch and generate write the same spec of a folder,
// including tests elsewhere.
func TestBatchWritesTheSpecOfGenerate(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC) }
	p, alone := newProject(t, shop+elsewhere), newProject(t, shop+elsewhere)
	run(t, p, batch.Options{Now: now})
	for _, target := range []string{"web", "log"} {
		if _, err := spec.Generate(t.Context(), alone, target, spec.GenerateOptions{Now: now}); err != nil {
			t.Fatal(err)
		}
		file := "specs/" + target + ".spec.md"
		if diff := cmp.Diff(read(t, alone, file), read(t, p, file)); diff != "" {
			t.Errorf("%s (-generate +batch):\n%s", target, diff)
		}
	}
	if text := read(t, p, "specs/log.spec.md"); !strings.Contains(text, "e2e/log_test.go") {
		t.Errorf("no test in\n%s", text)
	}
}

// TestIndexWithConflictIsWrittenAnew: branches that changed different modules conflict in the index alone, and batch resolves it.
func TestIndexWithConflictIsWrittenAnew(t *testing.T) {
	p := newProject(t, shop)
	run(t, p, batch.Options{})
	page := read(t, p, "specs/web.spec.md")
	index := read(t, p, "specs/_index.spec.md")
	conflict := strings.Replace(index, "version: v1\n", "<<<<<<< HEAD\nversion: v2\n=======\nversion: v3\n>>>>>>> other\n", 1)
	if err := p.WriteFile("specs/_index.spec.md", []byte(conflict)); err != nil || conflict == index {
		t.Fatal(err)
	}
	run(t, p, batch.Options{})
	if text := read(t, p, "specs/_index.spec.md"); strings.Contains(text, "<<<<<<<") || !strings.Contains(text, "version: v") {
		t.Errorf("the index has\n%s", text)
	}
	if diff := cmp.Diff(page, read(t, p, "specs/web.spec.md")); diff != "" {
		t.Errorf("a page that agrees with the code was written again:\n%s", diff)
	}
}
