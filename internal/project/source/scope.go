package source

import (
	"path"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Scope selects the files below a target.
type Scope string

// The scopes. Auto is Folder for a folder with files of a language in which a folder is a module (a Go or Java
// package), else Everything.
const (
	Auto       Scope = ""
	File       Scope = "file"
	Folder     Scope = "folder" // the folder's own files
	Everything Scope = "tree"   // all files below it
	// Module is the scope of specs written by batch: Folder for a folder with source files of its own in any
	// language, else Everything.
	Module Scope = "module"
)

// scoped returns the files in a scope, and the scope that Auto stands for.
func scoped(l *project.Listing, scope Scope) ([]project.Entry, Scope) {
	own := func(e project.Entry) bool { return path.Dir(e.Path) == l.Target }
	switch {
	case l.File:
		return l.Files, File
	case scope == Auto && slices.ContainsFunc(l.Files, func(e project.Entry) bool { return own(e) && folderIsModule(e.Path) }):
		scope = Folder
	case scope == Module && slices.ContainsFunc(l.Files, func(e project.Entry) bool { return own(e) && isSource(e.Path) }):
		scope = Folder
	}
	if scope != Folder {
		return l.Files, Everything
	}
	return slices.DeleteFunc(slices.Clone(l.Files), func(e project.Entry) bool { return !own(e) }), Folder
}

func isSource(file string) bool {
	_, ok := lang.ByPath(file)
	return ok
}

func folderIsModule(file string) bool {
	l, ok := lang.ByPath(file)
	return ok && l.FolderIsModule
}
