package drift_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// TestHighIsReservedForRemovals checks the table against the contract.
func TestHighIsReservedForRemovals(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range drift.Rules() {
		if seen[r.ID] {
			t.Errorf("%s stands twice", r.ID)
		}
		seen[r.ID] = true
		if r.Severity == drift.High && r.ChangeType != drift.Removal {
			t.Errorf("%s is HIGH and no removal", r.ID)
		}
		if !strings.Contains(r.Words, "{symbol}") && !strings.Contains(r.Words, "{what}") {
			t.Errorf("%s: %q does not name the symbol", r.ID, r.Words)
		}
	}
}

// TestRulesSayTheSameInEveryLanguage checks that each translation differs from the English
// text and has its placeholders.
func TestRulesSayTheSameInEveryLanguage(t *testing.T) {
	holders := regexp.MustCompile(`\{\w+\}`)
	in := func(text string) []string { return slices.Sorted(slices.Values(holders.FindAllString(text, -1))) }
	for _, r := range drift.Rules() {
		for _, text := range []string{r.Words, r.Update} {
			zh := message.Translate(message.Chinese, text)
			if zh == text {
				t.Errorf("%s: %q has no translation", r.ID, text)
			}
			if diff := cmp.Diff(slices.Compact(in(text)), slices.Compact(in(zh))); diff != "" {
				t.Errorf("%s: %q is %q (-en +zh):\n%s", r.ID, text, zh, diff)
			}
		}
	}
}

// TestEveryRuleHasACase looks up each rule in the expected results of the cases.
func TestEveryRuleHasACase(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ := bytes.Cut(text, []byte("-- want --"))
		all = append(all, want...)
	}
	for _, r := range drift.Rules() {
		if !bytes.Contains(all, []byte(" "+r.ID+" ")) {
			t.Errorf("no case shows %s", r.ID)
		}
	}
}
