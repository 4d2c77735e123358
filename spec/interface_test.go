package spec

import (
	"strings"
	"testing"
)

// TestASentenceThatDoesNotFitEndsTheList: what is cut stays in the rest, which once was read for ever.
func TestASentenceThatDoesNotFitEndsTheList(t *testing.T) {
	const short = "Reads the state."
	for _, rest := range []string{"If it is empty, nil.", "See https://" + strings.Repeat("x", 400) + " for more. If it is empty, nil."} {
		got := withCases(short+" "+rest, 120)
		want := short
		if !strings.Contains(rest, "https") {
			want += " " + rest
		}
		if got != want {
			t.Errorf("%q: %q, want %q", rest, got, want)
		}
	}
}
