package markdown

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// CutFrontMatter splits a document into the YAML between its first two "---" lines and the
// text after them. ok is false if it does not begin with such a block.
func CutFrontMatter(src string) (front, body string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(src, "\ufeff"), "---\n")
	if !ok {
		return "", "", false
	}
	if body, empty := strings.CutPrefix(rest, "---\n"); empty {
		return "", body, true
	}
	front, body, ok = strings.Cut(rest, "\n---\n")
	return front, body, ok
}

// ParseFrontMatter decodes the YAML of a front matter into a struct. Errors are those of
// [decode.YAML].
func ParseFrontMatter(front string, into any) error { return decode.YAML([]byte(front), into) }
