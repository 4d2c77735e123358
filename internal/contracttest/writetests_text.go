package contracttest

import (
	"fmt"
	"io"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Text writes for people, in lang, which tests were kept, and why others were not.
func (t *WrittenTests) Text(w io.Writer, lang message.Lang) error {
	var b strings.Builder
	say := func(text message.Text) { fmt.Fprintln(&b, text.In(lang)) }
	for _, f := range t.Files {
		say(message.New("%s  (written)", f))
	}
	say(message.New("%d tests kept, %d not kept", len(t.Kept), len(t.Refused)))
	for _, k := range t.Kept {
		fmt.Fprintf(&b, "  %s %s", k.Place, k.Test)
		if k.By != "" {
			b.WriteString(message.New(", written by %s", k.By).In(lang))
		}
		b.WriteString("\n")
	}
	for _, r := range t.Refused {
		say(message.New("  not kept: %s %s: %s", r.Place, r.Symbol, r.Reason))
	}
	for _, n := range t.Notes {
		say(message.New("  note: %s", n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
