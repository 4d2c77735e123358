package specs_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestContradictionsAreFound checks the check: a page on which sections disagree.
func TestContradictionsAreFound(t *testing.T) {
	s := &spec.Spec{
		Risks:  "- **No test**: REQ-A-001",
		Glance: "| `f`, when | Answer | Evidence |\n|---|---|---|\n| `x` is empty | `Bad` | `a.go:3` |",
		Options: "| Option | Type | Required | Default | Evidence |\n|---|---|---|---|---|\n" +
			"| `a` | `int` | yes | `1` | `a.go:1` |\n| `b` | `int` | yes |  | `a.go:2` |\n| `c` | `int` |  | `1` | `a.go:2` |",
		Requirements: []spec.Requirement{
			{ID: "REQ-A-001", Tests: []string{"a_test.go:1"}},
			{ID: "REQ-A-002", Text: "| When | Error | Evidence |\n|---|---|---|\n| `x` is set | `Bad` | `a.go:3` |\n| `y` is set | `Bad` | `a.go:4` |\n| `y` is set | `Worse` | `a.go:5` |"},
		},
		Scenarios: []spec.Scenario{{ID: "SC-A-001", Covers: []string{"REQ-A-002", "REQ-A-003"}}},
	}
	want := []string{
		"REQ-A-001 has tests or is not there, and the risks say that it has none",
		"SC-A-001 covers REQ-A-003, which is not there",
		"REQ-A-002 says of `y` is set both `Bad` and `Worse`",
		"at a glance `a.go:3` is not what its requirement says",
		"option `a` is required and has a default",
	}
	if diff := cmp.Diff(want, contradictions(s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
