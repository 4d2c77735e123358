package contracttest

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// shown maps outcomes to their label in a report.
var shown = map[Outcome]string{Passed: "PASS", Failed: "FAIL", TimedOut: "TIME", Blocked: "BLOCK", "": "TEST"}

// Text writes the report for people, in lang: a line per test, the output of failed tests, and
// a summary line.
func (r *Report) Text(w io.Writer, lang message.Lang) error {
	var b strings.Builder
	note := func(t message.Text) { fmt.Fprintf(&b, "  %s\n", t.In(lang)) }
	for _, s := range r.Specs {
		fmt.Fprintf(&b, "%s\n", s.Path)
		for _, t := range s.Tests {
			t.text(&b, lang)
		}
		s.claimsText(&b, lang)
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
	for i := range r.Suites {
		r.Suites[i].text(&b, lang)
	}
	fmt.Fprintf(&b, "%s\n", r.summary().In(lang))
	_, err := io.WriteString(w, b.String())
	return err
}

// summary returns the report in one line.
func (r *Report) summary() message.Text {
	tests := message.Count(r.Total, "%d contract test", "%d contract tests")
	specs := message.Count(len(r.Specs), "%d spec", "%d specs")
	if r.Passed+r.Failed+r.Blocked == 0 {
		return message.New("%v in %v", tests, specs)
	}
	return message.New("%v in %v: %d passed, %d failed, %d blocked", tests, specs, r.Passed, r.Failed, r.Blocked)
}

func (t *Test) text(b *strings.Builder, lang message.Lang) {
	fmt.Fprintf(b, "  %s %s: %s", shown[t.Outcome], t.ID, t.Title)
	switch {
	case t.Outcome == "":
		fmt.Fprintf(b, " [%s] %s", t.Type, strings.Join(t.Covers, ", "))
	case t.Reason != "":
		fmt.Fprintf(b, " (%s)", t.Reason)
	case t.Cached:
		b.WriteString(" (" + message.New("cached").In(lang) + ")")
	default:
		fmt.Fprintf(b, " (%s)", time.Duration(t.Millis)*time.Millisecond)
	}
	b.WriteString("\n")
	if t.Output == "" || !t.Outcome.Unsettled() {
		return
	}
	for line := range strings.SplitSeq(t.Output, "\n") {
		fmt.Fprintf(b, "       %s\n", line)
	}
}

// claimsText writes how tests show the claims that were measured.
func (s *Spec) claimsText(b *strings.Builder, lang message.Lang) {
	if len(s.Claims) == 0 {
		return
	}
	count := map[spec.Shown]int{}
	for _, c := range s.Claims {
		count[c.Shown]++
	}
	fmt.Fprintf(b, "  %s\n", message.New("error exits: %d tested, %d reached, not asserted, %d without a test, %d not measured",
		count[spec.Tested], count[spec.Reached], count[spec.Untested], count[unmeasured]).In(lang))
	for _, c := range s.Claims {
		text := message.New("no test")
		if c.Shown == unmeasured {
			continue
		}
		switch c.Shown {
		default:
		case spec.Tested:
			text = message.New("tested by %s", strings.Join(c.Tests, ", "))
		case spec.Reached:
			text = message.New("reached, not asserted")
		}
		fmt.Fprintf(b, "    %s %s (%s): %s\n", cmp.Or(c.Requirement, "-"), c.Symbol, c.Place, text.In(lang))
	}
}
