package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// The grammar's scanner keeps the names of the heredocs it is in within 1,024
// bytes and their lengths in one byte each; a longer name makes it give up, and
// the process with it (assert in deserialize, tree-sitter-ruby's scanner.c).
// People's are short.
const (
	maxHeredocName = 100 // bytes
	maxHeredocRow  = 600 // bytes of names in a row, with what is kept of each
	heredocExtra   = 4
)

// TruncateHeredocNames returns a text in which << does not begin a heredoc of a name beyond
// these bounds: the second < is not shown. Nor is it shown def !=(x), which the
// grammar takes for the endless method ! that is (x), without an error.
func TruncateHeredocNames(src []byte) []byte {
	out := bytes.ReplaceAll(src, []byte("def !=("), []byte("def ==("))
	sum := 0 // of the names in the row
	for at := 0; ; {
		next := bytes.Index(src[at:], []byte("<<"))
		if next < 0 {
			return out
		}
		if bytes.IndexByte(src[at:at+next], '\n') >= 0 {
			sum = 0
		}
		at += next + len("<<")
		size, ok := heredocName(src[at:])
		if sum += size + heredocExtra; ok && size <= maxHeredocName && sum <= maxHeredocRow {
			continue
		}
		out[at-1] = ' '
	}
}

// heredocName returns the length of the name that follows <<; ok is false for one
// whose quote is not closed within bounds.
func heredocName(text []byte) (size int, ok bool) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '~') {
		text = text[1:]
	}
	text = text[:min(len(text), maxHeredocName+2)]
	if len(text) > 0 && strings.IndexByte("\"'`", text[0]) >= 0 {
		size = bytes.IndexByte(text[1:], text[0])
		return max(size, 0), size >= 0
	}
	for size < len(text) && core.NameByte(text[size]) {
		size++
	}
	return size, true
}
