package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// plainValue is [shortValue] of what can stand on one line: no comments in it,
// no strings of several lines.
func plainValue(n syntax.Node) string {
	for c := range n.Within() {
		if isComment(c.Kind()) || strings.Contains(c.Kind(), "string") && strings.Contains(c.Text(), "\n") {
			return ""
		}
	}
	return shortValue(n)
}
