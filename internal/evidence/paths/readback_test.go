package paths_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// TestAConditionExcludesAnEarlierExit: it has the negation of what the exit was decided by, alone or as a possibility.
func TestAConditionExcludesAnEarlierExit(t *testing.T) {
	for _, c := range []struct {
		own, exit string
		want      bool
	}{
		{"not a", "a", true},
		{"a", "not a", true},
		{"not a || not b", "a && b", true},
		{"not b || not a || c", "a && b", true},
		{"(not a || not b) && c", "a && b", true},
		{"not a && not b", "a || b", true},
		{"x is not 1, 2", "x is 1, 2", true},
		{"not f(\"a || b\", 2)", "f(\"a || b\", 2)", true},
		{"a", "a", false},
		{"not a", "b", false},
		{"not x > 0 || not a", "a", true},
	} {
		if got := paths.Excludes([]paths.Term{{Text: c.own}}, []paths.Term{{Text: "x > 0"}, {Text: c.exit}}); got != c.want {
			t.Errorf("%q excludes %q: %v", c.own, c.exit, got)
		}
	}
}

// TestAConditionExcludesAChoice: what a negated choice says are several terms.
func TestAConditionExcludesAChoice(t *testing.T) {
	own := []paths.Term{{Text: "token"}, {Text: "not n > 9"}, {Text: "not payload"}}
	if !paths.Excludes(own, []paths.Term{{Text: "not token || n > 9"}}) || paths.Excludes(own, []paths.Term{{Text: "not token || m"}}) {
		t.Error("a choice of two")
	}
}
