// Package decode reads the data formats of files that may be anybody's: JSON with
// comments, YAML, TOML, XML.
//
// A parser's own error may quote what it reads, and the file may be one that nobody meant
// to show; so an [*Error] names the line, and the column where the parser knows it, and
// never text. Nesting is bounded, since a stack that Go cannot grow any further ends the
// process, and nothing can recover from it.
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

// Error says where a text is not what its format demands.
type Error struct {
	Format string // "JSON", "YAML", "TOML", "XML"
	Line   int    // from 1; 0 where it is not known
	Column int    // from 1, in bytes; 0 where it is not known
	Kind   bool   // the text is valid, but a value in it is of another kind than expected
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

// at sets the line and the column of an offset in the text.
func (e *Error) at(text []byte, offset int) *Error {
	before := text[:max(0, min(offset, len(text)))]
	e.Line = 1 + strings.Count(string(before), "\n")
	e.Column = len(before) - strings.LastIndexByte(string(before), '\n')
	return e
}

// YAML reads a document. The error is an [*Error].
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

// XML reads a document. The error is an [*Error].
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
