package contract

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/counted"
)

// shown is how each outcome is shown.
//
//nolint:gochecknoglobals // a table
var shown = map[Outcome]string{Passed: "PASS", Failed: "FAIL", TimedOut: "TIME", Skipped: "SKIP", "": "TEST"}

// Text writes the report for people: a line a test, below it what a failed one
// wrote, and a line with the sums.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for _, s := range r.Specs {
		fmt.Fprintf(&b, "%s\n", s.Path)
		for _, t := range s.Tests {
			t.text(&b)
		}
		if len(s.Uncovered) > 0 {
			fmt.Fprintf(&b, "  no test covers %s\n", strings.Join(s.Uncovered, ", "))
		}
		if s.Updated {
			fmt.Fprintf(&b, "  health: %s\n", s.Health)
		}
		if s.Note != "" {
			fmt.Fprintf(&b, "  note: %s\n", s.Note)
		}
	}
	fmt.Fprintf(&b, "%s\n", r.summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// summary is the report in one line.
func (r *Report) summary() string {
	text := counted.Of(r.Total, "contract test") + " in " + counted.Of(len(r.Specs), "spec")
	if r.Passed+r.Failed+r.Skipped == 0 {
		return text
	}
	return text + fmt.Sprintf(": %d passed, %d failed, %d skipped", r.Passed, r.Failed, r.Skipped)
}

func (t *Test) text(b *strings.Builder) {
	fmt.Fprintf(b, "  %s %s: %s", shown[t.Outcome], t.ID, t.Title)
	switch {
	case t.Outcome == "":
		fmt.Fprintf(b, " [%s] %s", t.Type, strings.Join(t.Covers, ", "))
	case t.Reason != "":
		fmt.Fprintf(b, " (%s)", t.Reason)
	default:
		fmt.Fprintf(b, " (%s)", time.Duration(t.Millis)*time.Millisecond)
	}
	b.WriteString("\n")
	if t.Output == "" || !t.Outcome.Fails() {
		return
	}
	for line := range strings.SplitSeq(t.Output, "\n") {
		fmt.Fprintf(b, "       %s\n", line)
	}
}
