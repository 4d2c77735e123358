package core

import (
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// MaxReceiver bounds the text kept of a receiver: chains can be pages long.
const MaxReceiver = 120

// Receiver returns the text before the called name.
func Receiver(n syntax.Node) string {
	for size := 2 * MaxReceiver; ; size *= 4 {
		text := n.Tail(size)
		whole := len(text) == n.End()-n.Start()
		if text = OneLine(text); whole || len(text) > MaxReceiver+utf8.UTFMax {
			return ClipReceiver(text)
		}
	}
}

// LongReceiver is how much text before a called name is looked at, where only its end
// is: more than what is shown of it. Each link of a chain has all before it for its receiver.
const LongReceiver = 8 * MaxReceiver

// ClipReceiver returns the text of a receiver, only its end where it is longer than [MaxReceiver].
func ClipReceiver(text string) string {
	if len(text) > MaxReceiver {
		return "…" + strings.ToValidUTF8(text[len(text)-MaxReceiver:], "")
	}
	return text
}

// longRow bounds what is kept of a row without a name, in bytes.
const longRow = 60

// ClipRow cuts the text of a row to what is kept of it.
func ClipRow(text string) string {
	if len(text) > longRow {
		return strings.ToValidUTF8(text[:longRow], "") + "…"
	}
	return text
}
