package project

import (
	"io/fs"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// ErrReadOnly is returned by [Project.WriteFile] at a revision.
var ErrReadOnly = message.Errorf("the project at a git revision is read-only")

// errNotRegular is returned if a file is no longer regular when it is opened.
var errNotRegular = message.Errorf("not a regular file")

var errEmpty = message.Errorf("the path is empty")

// OutsideError is returned for a path outside the project.
type OutsideError struct {
	Path string // as given
	Root string
}

func (e *OutsideError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *OutsideError) In(lang message.Lang) string {
	return message.New("%s is outside the project %s", suggest.Quote(e.Path), e.Root).In(lang)
}

// Hint says how to reach the path.
func (e *OutsideError) Hint() message.Text {
	return message.New("use --project to name the folder that holds %s, or give a path inside %s", suggest.Quote(e.Path), e.Root)
}

// MissingError is returned for a path that does not exist. It matches [fs.ErrNotExist].
type MissingError struct {
	Path     string   // as given
	Revision string   // where it was looked up, abbreviated; "" for the work tree
	Near     []string // similar paths, most similar first, at most 3
}

func (e *MissingError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *MissingError) In(lang message.Lang) string {
	text := message.New("no such file or folder: %s", suggest.Quote(e.Path))
	if e.Revision != "" {
		text = message.New("no such file or folder in revision %s: %s", e.Revision, suggest.Quote(e.Path))
	}
	if len(e.Near) > 0 {
		text = message.New("%s; did you mean %s?", text, strings.Join(e.Near, ", "))
	}
	return text.In(lang)
}

// Is reports whether the target is [fs.ErrNotExist].
func (e *MissingError) Is(target error) bool { return target == fs.ErrNotExist }

// TooLargeError is returned for a file above a size limit.
type TooLargeError struct {
	Path  string // as given
	Size  int64  // bytes
	Limit int64  // bytes
}

func (e *TooLargeError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *TooLargeError) In(lang message.Lang) string {
	return message.New("%s is too large: %.1f MiB, above the limit of %.0f MiB",
		suggest.Quote(e.Path), float64(e.Size)/(1<<20), float64(e.Limit)/(1<<20)).In(lang)
}

// BinaryError is returned for a file that is not text.
type BinaryError struct {
	Path string // as given
}

func (e *BinaryError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *BinaryError) In(lang message.Lang) string {
	return message.New("%s is a binary file", suggest.Quote(e.Path)).In(lang)
}

// NotFolderError is returned for a path that is not a folder.
type NotFolderError struct {
	Path string // as given
}

func (e *NotFolderError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *NotFolderError) In(lang message.Lang) string {
	return message.New("%s is not a folder", suggest.Quote(e.Path)).In(lang)
}

// RevisionError is returned by [Project.At] for a revision that cannot be opened.
type RevisionError struct {
	Revision string // as given
	Root     string
	Err      error  // git's message, if there is one
	near     string // the branch or tag that was probably meant
	advice   message.Text
}

func (e *RevisionError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *RevisionError) In(lang message.Lang) string {
	text := message.New("cannot read the git revision %s of %s: %v", suggest.Quote(e.Revision), e.Root, e.Err)
	if e.near != "" {
		text = message.New("%s; did you mean %s?", text, e.near)
	}
	return text.In(lang)
}

func (e *RevisionError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *RevisionError) Hint() message.Text {
	if !e.advice.Empty() {
		return e.advice
	}
	return message.New("name a commit, branch or tag; `git log --oneline` shows the commits, " +
		"and `git fetch --unshallow` brings the old ones of a shallow clone")
}

// notFile returns the error for a folder or a device instead of a file.
func notFile(name string) error {
	return message.Errorf("%s is not a regular file", suggest.Quote(name))
}
