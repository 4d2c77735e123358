package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"

	"github.com/tailscale/hujson"
)

// MaxDepth is the maximum nesting of JSON objects and arrays.
const MaxDepth = 1000

// bom is the byte order mark, which some editors write.
var bom = []byte("\xef\xbb\xbf")

// JSON parses JSON with comments and trailing commas, as in settings and manifests, into a value. The error is an
// [*Error].
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

// PlainJSON returns JSON with comments as plain JSON of the same length, without a byte order mark. It does not
// change text. The error is an [*Error].
func PlainJSON(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, bom)
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	return plain, fault(err)
}

// TreeJSON parses JSON with comments into a tree that can be edited and written back. The error is an [*Error].
func TreeJSON(text []byte) (hujson.Value, error) {
	if err := checkDepth(text); err != nil {
		return hujson.Value{}, err
	}
	tree, err := hujson.Parse(bytes.Clone(text))
	return tree, fault(err)
}

// fault converts an error of hujson, keeping only its line and column.
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

// checkDepth counts the brackets outside strings and comments. It may accept invalid JSON, which the parser then
// rejects at the first error.
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

// endOfString returns the end of the string that begins at i: its closing quote, or the end of the text.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// endOfComment returns the last byte of the comment that begins at i, or i if there is none.
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
