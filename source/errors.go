package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/lang"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// UnknownTypeError is returned for a target that is a file no language reads.
// It is a [lang.ErrUnknown].
type UnknownTypeError struct {
	Path string // as given
}

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("不支持的文件类型: %s (no language reads %s; supported: %s)", e.Path, fileType(e.Path), supported())
}

// Unwrap returns [lang.ErrUnknown].
func (e *UnknownTypeError) Unwrap() error { return lang.ErrUnknown }

// EmptyError is returned for a target that is a folder without source files.
type EmptyError struct {
	Target  string // as given
	Scope   Scope
	Skipped workspace.Skipped // what is there
}

func (e *EmptyError) Error() string {
	found := "the folder is empty or all in it is ignored"
	switch {
	case e.Skipped.Total() > 0:
		found = "skipped: " + e.Skipped.String()
	case e.Scope == Folder:
		found = "the folder itself holds no files; those in its folders were not asked for"
	}
	return fmt.Sprintf("没有可读取的源文件: %s (no source files there; %s; supported: %s)", e.Target, found, supported())
}

// supported returns the extensions of all languages.
func supported() string {
	var extensions []string
	for _, l := range lang.Languages() {
		extensions = append(extensions, l.Extensions...)
	}
	slices.Sort(extensions)
	return strings.Join(slices.Compact(extensions), " ")
}
