package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/reverse-spec/reverse-spec/spelling"
)

// ErrReadOnly is returned by [Project.WriteFile] at a revision.
var ErrReadOnly = errors.New("项目为只读版本 (the project at a git revision is read-only)")

// errNotRegular is the reason against what is no file any more when it is opened.
var errNotRegular = errors.New("not a regular file")

var errEmpty = errors.New("路径为空 (path is empty)")

// OutsideError is returned for a path that is not in the project.
type OutsideError struct {
	Path string // as given
	Root string
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("路径在项目之外: %s (path is outside the project %s)", spelling.Quote(e.Path), e.Root)
}

// Hint names the way out.
func (e *OutsideError) Hint() string {
	return fmt.Sprintf("use --project to name the folder that holds %s, or give a path inside %s", spelling.Quote(e.Path), e.Root)
}

// MissingError is returned for a path where nothing is. It is an [fs.ErrNotExist].
type MissingError struct {
	Path     string   // as given
	Revision string   // where it was looked for, shortened; "" for the work tree
	Near     []string // what may have been meant, the likeliest first, at most 3
}

func (e *MissingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "目标路径不存在: %s (target path does not exist", spelling.Quote(e.Path))
	if e.Revision != "" {
		fmt.Fprintf(&b, " in revision %s", e.Revision)
	}
	if n := len(e.Near); n > 0 {
		b.WriteString("; did you mean ")
		if n > 1 {
			b.WriteString(strings.Join(e.Near[:n-1], ", ") + " or ")
		}
		b.WriteString(e.Near[n-1] + "?")
	}
	b.WriteString(")")
	return b.String()
}

// Is reports whether the target is [fs.ErrNotExist].
func (e *MissingError) Is(target error) bool { return target == fs.ErrNotExist }

// TooLargeError is returned for a file above the limit.
type TooLargeError struct {
	Path  string // as given
	Size  int64  // bytes
	Limit int64  // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("文件过大: %s (file of %.1f MiB is above the limit of %.0f MiB)",
		spelling.Quote(e.Path), float64(e.Size)/(1<<20), float64(e.Limit)/(1<<20))
}

// BinaryError is returned for a file that is no text, where text is wanted.
type BinaryError struct {
	Path string // as given
}

func (e *BinaryError) Error() string {
	return fmt.Sprintf("二进制文件: %s (binary file)", spelling.Quote(e.Path))
}

// NotFolderError is returned for a path where something else than a folder is.
type NotFolderError struct {
	Path string // as given
}

func (e *NotFolderError) Error() string {
	return fmt.Sprintf("不是文件夹: %s (not a folder)", spelling.Quote(e.Path))
}

// RevisionError is returned by [Project.At] for a revision that cannot be had.
type RevisionError struct {
	Revision string // as given
	Root     string
	Reason   string // in git's words where it has any
	advice   string
}

func (e *RevisionError) Error() string {
	return fmt.Sprintf("无法读取 Git 版本: %s (cannot read this git revision of %s: %s)", spelling.Quote(e.Revision), e.Root, e.Reason)
}

// Hint says what can be done.
func (e *RevisionError) Hint() string {
	if e.advice != "" {
		return e.advice
	}
	return "name a commit, branch or tag; `git log --oneline` shows the commits, " +
		"and `git fetch --unshallow` brings the old ones of a shallow clone"
}

// notFile is the error for a folder or a device where a file is needed.
func notFile(name string) error {
	return fmt.Errorf("不是普通文件: %s (not a regular file)", spelling.Quote(name))
}
