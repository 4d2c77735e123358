package search_test

import (
	"testing"

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
