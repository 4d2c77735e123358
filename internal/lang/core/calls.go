package core

import (
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Receiver returns the text of n, the expression before a called name, clipped to
// [srctext.MaxReceiver].
func Receiver(n syntax.Node) string {
	for size := 2 * srctext.MaxReceiver; ; size *= 4 {
		text := n.Tail(size)
		whole := len(text) == n.End()-n.Start()
		if text = srctext.OneLine(text); whole || len(text) > srctext.MaxReceiver+utf8.UTFMax {
			return srctext.ClipReceiver(text)
		}
	}
}
