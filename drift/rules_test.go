package drift_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift"
)

// TestHighIsKeptForRemovals holds the table to the contract.
func TestHighIsKeptForRemovals(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range drift.Rules() {
		if seen[r.ID] {
			t.Errorf("%s stands twice", r.ID)
		}
		seen[r.ID] = true
		if r.Severity == drift.High && r.ChangeType != drift.Removal {
			t.Errorf("%s is HIGH and no removal", r.ID)
		}
		if !strings.Contains(r.Words, "{symbol}") || !strings.HasSuffix(r.Words, ")") {
			t.Errorf("%s: %q does not name the symbol or has no English", r.ID, r.Words)
		}
	}
}

// TestEveryRuleHasACase looks for each rule in what the cases want.
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
