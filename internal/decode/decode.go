// Package decode parses untrusted JSON with comments, YAML, TOML and XML.
//
// A parser's own error may quote its input, which may be confidential; so an [*Error] holds the line, and the
// column if the parser reports it, but never text of the input. Nesting is bounded, because a Go program cannot
// recover from a stack overflow.
package decode

import (
	"encoding/xml"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Error says where a text is invalid.
type Error struct {
	Format string // "JSON", "YAML", "TOML", "XML"
	Line   int    // 1-based; 0 if unknown
	Column int    // 1-based, in bytes; 0 if unknown
	Kind   bool   // the text is valid, but a value has another type than expected
	Deep   bool   // the text is nested deeper than [MaxDepth]
}

func (e *Error) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *Error) In(lang message.Lang) string {
	what := message.New("this is not valid %s", e.Format)
	switch {
	case e.Deep:
		what = message.New("nested deeper than %d levels", MaxDepth)
	case e.Kind:
		what = message.New("a value is of another kind than expected")
	}
	switch {
	case e.Line == 0:
		return what.In(lang)
	case e.Column == 0:
		return message.New("line %d: %v", e.Line, what).In(lang)
	}
	return message.New("line %d, column %d: %v", e.Line, e.Column, what).In(lang)
}

// at sets the line and column from a byte offset in text.
func (e *Error) at(text []byte, offset int) *Error {
	before := text[:max(0, min(offset, len(text)))]
	e.Line = 1 + strings.Count(string(before), "\n")
	e.Column = len(before) - strings.LastIndexByte(string(before), '\n')
	return e
}

// YAML parses a document into a value. The error is an [*Error].
func YAML(text []byte, into any) error {
	err := yaml.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	e := &Error{Format: "YAML"}
	_, e.Kind = errors.AsType[*yaml.TypeError](err)
	if m := regexp.MustCompile(`line (\d+)`).FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
	}
	return e
}

// XML parses a document into a value. The error is an [*Error].
func XML(text []byte, into any) error {
	err := xml.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	e := &Error{Format: "XML", Kind: true}
	if s, ok := errors.AsType[*xml.SyntaxError](err); ok {
		e.Kind, e.Line = false, s.Line
	}
	return e
}

// Member returns the value of a key of a mapping of YAML; nil if there is none.
func Member(n *yaml.Node, key string) *yaml.Node {
	var found *yaml.Node
	Members(n, func(k, value *yaml.Node) {
		if k.Value == key && found == nil {
			found = value
		}
	})
	return found
}

// Members calls see for each key and value of a mapping of YAML.
func Members(n *yaml.Node, see func(key, value *yaml.Node)) {
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		see(n.Content[i], n.Content[i+1])
	}
}
