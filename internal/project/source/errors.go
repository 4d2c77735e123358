package source

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// UnknownTypeError is returned for a file in an unsupported language. It wraps [lang.ErrUnknown].
type UnknownTypeError struct {
	Path string // as given
}

func (e *UnknownTypeError) text() message.Text {
	return message.New("unsupported type of file: %s (no language reads %s; supported: %s)", e.Path, fileType(e.Path), supported())
}

func (e *UnknownTypeError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *UnknownTypeError) In(lang message.Lang) string { return e.text().In(lang) }

// Unwrap returns [lang.ErrUnknown].
func (e *UnknownTypeError) Unwrap() error { return lang.ErrUnknown }

// EmptyError is returned for a folder without source files.
type EmptyError struct {
	Target  string // as given
	Scope   Scope
	Skipped project.Skipped // the files in it
}

func (e *EmptyError) text() message.Text {
	found := message.New("the folder is empty or all in it is ignored")
	switch {
	case e.Skipped.Total() > 0:
		found = message.New("skipped: %s", e.Skipped)
	case e.Scope == Folder:
		found = message.New("the folder itself holds no files; those in its folders were not asked for")
	}
	return message.New("no source files: %s (%s; supported: %s)", e.Target, found, supported())
}

func (e *EmptyError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *EmptyError) In(lang message.Lang) string { return e.text().In(lang) }

// supported returns the extensions of all languages.
func supported() string {
	var extensions []string
	for _, l := range lang.Languages() {
		extensions = append(extensions, l.Extensions...)
	}
	slices.Sort(extensions)
	return strings.Join(slices.Compact(extensions), " ")
}
