package source

import (
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// UnparsedError is returned for a target of which nothing was read: each of its files
// fails to parse, and none has a symbol.
type UnparsedError struct {
	File    string // the first that failed, relative to the project
	Line    int    // of its first error
	Message string // the parser's
	Files   int    // how many failed
}

func (e *UnparsedError) text() message.Text {
	at := message.New("%s:%d: %s", e.File, e.Line, e.Message)
	if e.Files > 1 {
		at = message.New("%s (%d files, none with a symbol)", at, e.Files)
	}
	return message.New("%s: %s", e.Words(), at)
}

// Words are the error without the place: in Chinese, the contract's words.
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

// In is the message in a language.
func (e *UnparsedError) In(lang message.Lang) string {
	inLang := *e
	inLang.Message = message.Translate(lang, e.Message)
	return inLang.text().In(lang)
}

// Unparsed returns an [*UnparsedError] when nothing of the tree was read, nil otherwise. A
// script that has an error, and statements that were read, is not such a tree.
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

// Failed reports whether nothing of a file was read but, by accident, some calls.
func Failed(f *code.File) bool {
	return len(f.ParseErrors) > 0 && len(f.Symbols) == 0 && len(f.Imports) == 0 && len(f.Tests) == 0 &&
		len(f.Entries) == 0 && len(f.Calls) <= len(f.ParseErrors)
}

// Unread returns why a file was not read at all, or "": nothing of it is known but its
// text.
func Unread(f *code.File) string {
	if f.Parser != unreadParser || len(f.ParseErrors) == 0 {
		return ""
	}
	return f.ParseErrors[0].Message
}

// asUnparsed makes the reason against a binary file, as a target, one of the contract's.
func asUnparsed(file string, err error) error {
	if errors.Is(err, errBinary) {
		return &UnparsedError{File: file, Line: 1, Message: "binary file", Files: 1}
	}
	return err
}
