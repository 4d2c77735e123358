package search_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
)

// TestThePastSpeaksForFiles asks for files by what was said when they were changed: words that few changes have count, new changes more
// than old ones, and changes of many files not at all.
func TestThePastSpeaksForFiles(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = "wide.go"
	}
	changes := []search.Change{
		search.NewChange("Fix the timeout of uploads (#12)", []string{"net/upload.go"}),
		search.NewChange("Fix a typo", []string{"main.go", "net/upload.go"}),
		search.NewChange("Fix timeouts of uploads everywhere", many),
	}
	for range 900 {
		changes = append(changes, search.NewChange("Fix something else", []string{"other.go"}))
	}
	changes = append(changes, search.NewChange("Fix the timeout of uploads (#3)", []string{"old.go"}))

	past := search.Past(changes, "uploading hits a timeout too early #12")
	if past["net/upload.go"] != 1 || past["old.go"] <= 0 || past["old.go"] >= 0.9 {
		t.Errorf("of what was said like it: %v", past)
	}
	if past["wide.go"] != 0 || past["main.go"] != 0 || past["other.go"] != 0 {
		t.Errorf("of what was said otherwise, or of too many files: %v", past)
	}
	if len(search.Past(changes, "colours")) != 0 || len(search.Past(nil, "timeout")) != 0 {
		t.Error("nothing was said of it")
	}
}

// TestChangesAreKept writes changes and reads them under the same commit, and not under another.
func TestChangesAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "graph.snap.history")
	if _, ok := search.ReadChanges(file, "a1"); ok {
		t.Error("read from no file")
	}
	list := []search.Change{search.NewChange("Parse empty files", []string{"a b.go", "c.go"}), search.NewChange("Release", []string{"d.go"})}
	search.WriteChanges(file, "a1", list)
	got, ok := search.ReadChanges(file, "a1")
	if diff := cmp.Diff(list, got); !ok || diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, ok := search.ReadChanges(file, "a2"); ok {
		t.Error("read under another commit")
	}
}
