package message

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Errorf returns an error with a message. As in fmt.Errorf, %w wraps an error.
func Errorf(format string, args ...any) error {
	e := &textError{Text{format: format, args: args}}
	switch made := fmt.Errorf(format, args...).(type) { //nolint:errorlint // fmt knows which verb has which argument
	case interface{ Unwrap() error }:
		return &wrapError{e, made.Unwrap()}
	case interface{ Unwrap() []error }:
		return &joinError{e, made.Unwrap()}
	}
	return e
}

// textError is an error without a wrapped error.
type textError struct{ Text }

func (e *textError) Error() string { return e.String() }

// wrapError wraps one error.
type wrapError struct {
	*textError
	err error
}

func (e *wrapError) Unwrap() error { return e.err }

// joinError wraps several errors.
type joinError struct {
	*textError
	errs []error
}

func (e *joinError) Unwrap() []error { return e.errs }

// renderError renders an error that is not a [Localizer], but may wrap one.
func renderError(lang Lang, err error) string {
	switch e := err.(type) { //nolint:errorlint // each layer is rendered for itself
	case *fs.PathError:
		return New("%s %s: %v", Text{format: e.Op}, e.Path, e.Err).In(lang)
	case *os.LinkError:
		return New("%s %s %s: %v", Text{format: e.Op}, e.Old, e.New, e.Err).In(lang)
	case *os.SyscallError:
		return New("%s: %v", e.Syscall, e.Err).In(lang)
	case interface{ Unwrap() []error }:
		return renderJoined(lang, err, e.Unwrap())
	}
	text := err.Error()
	inner := errors.Unwrap(err)
	if inner == nil {
		return Translate(lang, text) // from the operating system: "no such file or directory"
	}
	if outer, ok := strings.CutSuffix(text, inner.Error()); ok {
		return outer + Render(lang, inner)
	}
	return text
}

// renderJoined renders an error made by errors.Join.
func renderJoined(lang Lang, err error, parts []error) string {
	english, local := make([]string, len(parts)), make([]string, len(parts))
	for i, p := range parts {
		english[i], local[i] = p.Error(), Render(lang, p)
	}
	if err.Error() != strings.Join(english, "\n") {
		return err.Error()
	}
	return strings.Join(local, "\n")
}

// Hint returns what a person can do about an error, in a language; "" if the error has no hint.
func Hint(lang Lang, err error) string {
	var hinted interface{ Hint() Text }
	if errors.As(err, &hinted) {
		return hinted.Hint().In(lang)
	}
	return ""
}
