package core

import (
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// MaxReceiver is the maximum length of the text kept of a receiver, in bytes: call chains can
// be pages long.
const MaxReceiver = 120

// Receiver returns the text of n, the expression before a called name, clipped to
// [MaxReceiver].
func Receiver(n syntax.Node) string {
	for size := 2 * MaxReceiver; ; size *= 4 {
		text := n.Tail(size)
		whole := len(text) == n.End()-n.Start()
		if text = OneLine(text); whole || len(text) > MaxReceiver+utf8.UTFMax {
			return ClipReceiver(text)
		}
	}
}

// LongReceiver is how much text before a called name is examined, in bytes. The receiver of
// each call in a chain is the whole chain before it, so that more would be quadratic.
const LongReceiver = 8 * MaxReceiver

// ClipReceiver returns the last [MaxReceiver] bytes of a receiver's text.
func ClipReceiver(text string) string {
	if len(text) > MaxReceiver {
		return "…" + strings.ToValidUTF8(text[len(text)-MaxReceiver:], "")
	}
	return text
}

// longRow is the maximum length of an unnamed test case's text, in bytes.
const longRow = 60

// ClipRow truncates the text of an unnamed test case.
func ClipRow(text string) string {
	if len(text) > longRow {
		return strings.ToValidUTF8(text[:longRow], "") + "…"
	}
	return text
}
