package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// The grammar's scanner stores the names of open heredocs in 1,024 bytes and each
// length in one byte. A longer name aborts the process (assert in deserialize in
// tree-sitter-ruby's scanner.c). These bounds are far above real names.
const (
	maxHeredocName = 100 // bytes
	maxHeredocRow  = 600 // bytes of names in a line, including heredocExtra each
	heredocExtra   = 4
)

// TruncateHeredocNames returns a text without heredocs that exceed these bounds: it
// replaces the second < of <<. It also rewrites def !=(x), which the grammar parses
// without an error as the endless method "!".
func TruncateHeredocNames(src []byte) []byte {
	out := bytes.ReplaceAll(src, []byte("def !=("), []byte("def ==("))
	sum := 0 // total size of the names in the line
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

// heredocName returns the length of the name after <<. ok is false if its closing quote
// is beyond the bounds.
func heredocName(text []byte) (size int, ok bool) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '~') {
		text = text[1:]
	}
	text = text[:min(len(text), maxHeredocName+2)]
	if len(text) > 0 && strings.IndexByte("\"'`", text[0]) >= 0 {
		size = bytes.IndexByte(text[1:], text[0])
		return max(size, 0), size >= 0
	}
	for size < len(text) && srctext.NameByte(text[size]) {
		size++
	}
	return size, true
}
