package source

import (
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// UnparsedError is returned for a target whose files all fail to parse without yielding a symbol.
type UnparsedError struct {
	File    string // the first failed file, relative to the project
	Line    int    // of its first error
	Message string // the parser's message
	Files   int    // number of failed files
}

func (e *UnparsedError) text() message.Text {
	at := message.New("%s:%d: %s", e.File, e.Line, e.Message)
	if e.Files > 1 {
		at = message.New("%s (%d files, none with a symbol)", at, e.Files)
	}
	return message.New("%s: %s", e.Words(), at)
}

// Words returns the error without its location; in Chinese, with the contract's words.
func (e *UnparsedError) Words() message.Text {
	return message.New("the code cannot be parsed, deep mode gives its text")
}

// Details are what there is to say beyond the words: the place, and of how many files it is true.
func (e *UnparsedError) Details() []message.Text {
	details := []message.Text{message.New("%s:%d: %s", e.File, e.Line, e.Message)}
	if e.Files > 1 {
		details = append(details, message.Count(e.Files, "%d file, without a symbol", "%d files, none with a symbol"))
	}
	return details
}

func (e *UnparsedError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *UnparsedError) In(lang message.Lang) string {
	inLang := *e
	inLang.Message = message.Translate(lang, e.Message)
	return inLang.text().In(lang)
}

// Unparsed returns an [*UnparsedError] if nothing in the tree could be parsed, else nil. A script with an error but
// with parsed statements counts as parsed.
func (t *Tree) Unparsed() error {
	for _, f := range t.Files {
		if !Failed(f) {
			return nil
		}
	}
	if len(t.Files) == 0 {
		return nil
	}
	first := t.Files[0]
	e := first.ParseErrors[0]
	return &UnparsedError{File: first.Path, Line: e.Line, Message: e.Message, Files: len(t.Files)}
}

// Failed reports whether parsing a file failed and yielded at most some accidental calls.
func Failed(f *code.File) bool {
	return len(f.ParseErrors) > 0 && len(f.Symbols) == 0 && len(f.Imports) == 0 && len(f.Tests) == 0 &&
		len(f.Entries) == 0 && len(f.Calls) <= len(f.ParseErrors)
}

// Unread returns why a file was not parsed at all, or "".
func Unread(f *code.File) string {
	if f.Parser != unreadParser || len(f.ParseErrors) == 0 {
		return ""
	}
	return f.ParseErrors[0].Message
}

// asUnparsed converts the error for a binary target to the contract's.
func asUnparsed(file string, err error) error {
	if errors.Is(err, errBinary) {
		return &UnparsedError{File: file, Line: 1, Message: "binary file", Files: 1}
	}
	return err
}
