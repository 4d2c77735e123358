package contracttest

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// shown maps outcomes to their label in a report.
var shown = map[Outcome]string{Passed: "PASS", Failed: "FAIL", TimedOut: "TIME", Skipped: "SKIP", "": "TEST"}

// Text writes the report for people, in lang: a line per test, the output of failed tests, and
// a summary line.
func (r *Report) Text(w io.Writer, lang message.Lang) error {
	var b strings.Builder
	note := func(t message.Text) { fmt.Fprintf(&b, "  %s\n", t.In(lang)) }
	for _, s := range r.Specs {
		fmt.Fprintf(&b, "%s\n", s.Path)
		for _, t := range s.Tests {
			t.text(&b)
		}
		if len(s.Uncovered) > 0 {
			note(message.New("no test covers %s", strings.Join(s.Uncovered, ", ")))
		}
		if s.Updated {
			fmt.Fprintf(&b, "  health: %s\n", s.Health)
		}
		if s.Note != "" {
			note(message.New("note: %s", s.Note))
		}
	}
	fmt.Fprintf(&b, "%s\n", r.summary().In(lang))
	_, err := io.WriteString(w, b.String())
	return err
}

// summary returns the report in one line.
func (r *Report) summary() message.Text {
	tests := message.Count(r.Total, "%d contract test", "%d contract tests")
	specs := message.Count(len(r.Specs), "%d spec", "%d specs")
	if r.Passed+r.Failed+r.Skipped == 0 {
		return message.New("%v in %v", tests, specs)
	}
	return message.New("%v in %v: %d passed, %d failed, %d skipped", tests, specs, r.Passed, r.Failed, r.Skipped)
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
