package drift_test

import (
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
