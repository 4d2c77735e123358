package contracttest

import (
	"fmt"
	"io"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Text writes the result for people, in lang: the mistakes that no test notices, those that violate claims first.
func (m *Mutation) Text(w io.Writer, lang message.Lang) error {
	var b strings.Builder
	for i := range m.Specs {
		m.Specs[i].text(&b, lang)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *MutatedSpec) text(b *strings.Builder, lang message.Lang) {
	fmt.Fprintf(b, "%s\n", s.Path)
	if !s.Failed {
		fmt.Fprintf(b, "  %s\n", message.New("%d mistakes put in, of %d possible: %d noticed (%d by a timeout), %d not noticed, %d that could not be built or run",
			s.Tried+s.Invalid, s.Possible, s.Noticed, s.TimedOut, s.Tried-s.Noticed, s.Invalid).In(lang))
	}
	if s.Elsewhere > 0 {
		fmt.Fprintf(b, "  %s\n", message.Count(s.Elsewhere, "%d of them only by a test that is not of the spec", "%d of them only by tests that are not of the spec").In(lang))
	}
	if s.Note != "" {
		fmt.Fprintf(b, "  %s\n", message.New("note: %s", s.Note).In(lang))
	}
	for _, stated := range []bool{true, false} {
		for _, x := range s.Mutants {
			if x.Outcome == Unnoticed && stated == (len(x.Claims) > 0) {
				at := strings.TrimSpace(fmt.Sprintf("%s:%d %s", x.File, x.Line, x.Symbol))
				fmt.Fprintf(b, "  %s: %s\n", at, strings.Join(append([]string{x.change(lang)}, x.Requirements...), "  "))
			}
		}
	}
}

// change says what became of what.
func (x *Mutated) change(lang message.Lang) string {
	was := strings.Join(strings.Fields(x.Was), " ")
	if now := strings.Join(strings.Fields(x.Now), " "); strings.Trim(now, "; ") != "" {
		return was + " → " + now
	}
	return message.New("%s removed", was).In(lang)
}
