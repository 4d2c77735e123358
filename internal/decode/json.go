package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"

	"github.com/tailscale/hujson"
)

// MaxDepth is how deep objects and arrays of JSON may be nested.
const MaxDepth = 1000

// bom is what some editors put before a text.
var bom = []byte("\xef\xbb\xbf")

// JSON reads JSON as people write it into settings and manifests: with comments and
// trailing commas. The error is an [*Error].
func JSON(text []byte, into any) error {
	plain, err := PlainJSON(text)
	if err != nil {
		return err
	}
	err = json.Unmarshal(plain, into)
	if err == nil {
		return nil
	}
	e := &Error{Format: "JSON", Kind: true}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return e.at(plain, int(kind.Offset))
	}
	return e
}

// PlainJSON returns JSON with comments as plain JSON of the same length, without a byte
// order mark. The text stays as it is. The error is an [*Error].
func PlainJSON(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, bom)
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	return plain, fault(err)
}

// TreeJSON returns JSON with comments as a tree that can be changed and written back. The
// error is an [*Error].
func TreeJSON(text []byte) (hujson.Value, error) {
	if err := checkDepth(text); err != nil {
		return hujson.Value{}, err
	}
	tree, err := hujson.Parse(bytes.Clone(text))
	return tree, fault(err)
}

// fault keeps the line and the column of an error of hujson.
func fault(err error) error {
	if err == nil {
		return nil
	}
	e := &Error{Format: "JSON"}
	if m := regexp.MustCompile(`line (\d+), column (\d+)`).FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Column, _ = strconv.Atoi(m[2])
	}
	return e
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
				return (&Error{Format: "JSON", Deep: true}).at(text, i)
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
