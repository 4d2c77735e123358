package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// PlainValue is [ShortValue] of what can stand on one line: no comments in it,
// no strings of several lines.
func PlainValue(n syntax.Node) string {
	for c := range n.Within() {
		if IsComment(c.Kind()) || strings.Contains(c.Kind(), "string") && strings.Contains(c.Text(), "\n") {
			return ""
		}
	}
	return ShortValue(n)
}
