// Package jsonc reads JSON with comments and trailing commas, as people write it into
// settings and manifests. The files may be anybody's: nesting is bounded before the
// parser, which recurses, sees a text. (A stack that Go cannot grow any further ends the
// process, and nothing can recover from it.)
package jsonc

import (
	"bytes"

	"github.com/tailscale/hujson"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// MaxDepth is how deep objects and arrays may be nested.
const MaxDepth = 1000

// ErrDepth is returned for a text that is nested deeper than [MaxDepth].
var ErrDepth = message.Errorf("nested deeper than 1000 levels")

// bom is what some editors put before a text.
var bom = []byte("\xef\xbb\xbf")

// Standardize returns a text as plain JSON of the same length, without a byte order mark.
// The text stays as it is. The error is [ErrDepth], or says line and column.
func Standardize(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, bom)
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	return hujson.Standardize(bytes.Clone(text))
}

// Parse returns a text as a tree that can be changed and written back. Errors are those of
// [Standardize].
func Parse(text []byte) (hujson.Value, error) {
	if err := checkDepth(text); err != nil {
		return hujson.Value{}, err
	}
	return hujson.Parse(bytes.Clone(text))
}

// checkDepth counts the brackets outside strings and comments. A text that is not JSON may
// pass; it is then refused by the parser, which stops at the first fault.
func checkDepth(text []byte) error {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '/':
			i = endOfComment(text, i)
		case '[', '{':
			if depth++; depth > MaxDepth {
				return ErrDepth
			}
		case ']', '}':
			depth--
		}
	}
	return nil
}

// endOfString returns where the string that begins at i ends: its closing quote, or the
// end of the text.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// endOfComment returns the last byte of the comment that begins at i, and i where none does.
func endOfComment(text []byte, i int) int {
	rest := text[i:]
	for open, end := range map[string]string{"//": "\n", "/*": "*/"} {
		if !bytes.HasPrefix(rest, []byte(open)) {
			continue
		}
		at := bytes.Index(rest[len(open):], []byte(end))
		if at < 0 {
			return len(text)
		}
		return i + len(open) + at + len(end) - 1
	}
	return i
}
