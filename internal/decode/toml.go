package decode

import (
	"bytes"
	"errors"

	"github.com/BurntSushi/toml"
)

// TOML parses a document into a value. The error is an [*Error].
func TOML(text []byte, into any) error {
	if err := checkTOML(text); err != nil {
		return err
	}
	err := toml.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	e := &Error{Format: "TOML", Kind: true}
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		e.Kind, e.Line, e.Column = false, p.Position.Line, p.Position.Col
	}
	return e
}

// checkTOML bounds the brackets outside strings and comments, and the parts of a dotted key: the time of the parser
// grows with the square of both. It may accept invalid TOML, which the parser then rejects.
func checkTOML(text []byte) error {
	depth, dots := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = endOfTOMLString(text, i)
		case '#':
			i = lineEnd(text, i)
			dots = 0
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '.':
			dots++
		case '\n', '=', ',':
			dots = 0
		}
		if depth > MaxDepth || dots > MaxDepth {
			return (&Error{Format: "TOML", Deep: true}).at(text, i)
		}
	}
	return nil
}

// endOfTOMLString returns the last byte of the string that begins at i: its closing quote or quotes, the end of the
// line for an unterminated short string, or the end of the text.
func endOfTOMLString(text []byte, i int) int {
	quote := text[i : i+1]
	long := bytes.HasPrefix(text[i:], bytes.Repeat(quote, 3))
	if long {
		quote = bytes.Repeat(quote, 3)
	}
	for i += len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote[0] == '"':
			i++
		case text[i] == '\n' && !long:
			return i
		case bytes.HasPrefix(text[i:], quote):
			return i + len(quote) - 1
		}
	}
	return len(text)
}

// lineEnd returns the end of the line that contains i.
func lineEnd(text []byte, i int) int {
	if end := bytes.IndexByte(text[i:], '\n'); end >= 0 {
		return i + end
	}
	return len(text)
}
