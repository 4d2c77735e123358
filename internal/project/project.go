// Package project lists, reads and writes the files of one project.
//
// A [Project] is a folder, or that folder in a git revision ([Project.At]). It checks every path: nothing outside
// the root is read or written, whether by "..", an absolute path or a symbolic link. Files are opened through
// [os.Root], so that a link made after the check has no effect either.
//
// Returned paths are relative to the root, with "/"; the root itself is ".".
package project

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// MaxFileSize is the maximum size of a file for [Project.ReadFile], in bytes.
const MaxFileSize = 4 << 20

// Project is a project's files. It is safe for concurrent use.
type Project struct {
	root     string // absolute, with links resolved
	revision string // full commit id; "" for the work tree
	tree     tree
	selected selection
	edits    sync.RWMutex // write lock held while a file is read and rewritten
}

// Open opens the project in a folder. The error is a [*MissingError] if the folder does not exist. The caller
// closes the project.
func Open(dir string) (*Project, error) {
	if dir == "" {
		return nil, errEmpty
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, message.Errorf("open project %s: %w", dir, err)
	}
	root, err := filepath.EvalSymlinks(abs)
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(root); err == nil && !info.IsDir() {
			return nil, &NotFolderError{Path: dir}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingError{Path: dir}
	}
	if err != nil {
		return nil, message.Errorf("open project %s: %w", dir, err)
	}
	handle, err := os.OpenRoot(root)
	if err != nil {
		return nil, message.Errorf("open project %s: %w", dir, err)
	}
	return &Project{root: root, tree: &disk{root: root, handle: handle}}, nil
}

// Close closes the project. Projects returned by [Project.At] stay open.
func (p *Project) Close() error { return p.tree.Close() }

// Root returns the project's folder, absolute and with symbolic links resolved.
func (p *Project) Root() string { return p.root }

// Revision returns the full id of the project's commit, or "" for the work tree.
func (p *Project) Revision() string { return p.revision }

// ShortRevision returns the first 12 digits of [Project.Revision].
func (p *Project) ShortRevision() string { return p.revision[:min(12, len(p.revision))] }

// Rel returns a path in the project's form. An absolute path must be inside the root, or inside a link to it; any
// other path is relative to the root. It need not exist. Symbolic links inside the project are not resolved. The
// error is an [*OutsideError] for a path outside the project.
func (p *Project) Rel(name string) (string, error) {
	rel, err := p.clean(name)
	if err != nil {
		return "", err
	}
	if _, err := p.find(name, rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return rel, nil
}

// clean is like Rel, but does not examine links.
func (p *Project) clean(name string) (string, error) {
	switch {
	case name == "":
		return "", errEmpty
	case len(name) > maxPath:
		return "", tooLong(name)
	case strings.ContainsRune(name, 0):
		return "", message.Errorf("the path %q has a NUL byte", name)
	case strings.Count(path.Clean(filepath.ToSlash(name)), "/") > maxLevels:
		return "", message.Errorf("the path %.40q… is more than %d folders deep", name, maxLevels)
	case filepath.IsAbs(name):
		if rel, ok := inside(p.root, filepath.Clean(name)); ok {
			return rel, nil
		}
		return "", &OutsideError{Path: name, Root: p.root}
	}
	rel := path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return "", &OutsideError{Path: name, Root: p.root}
	}
	return rel, nil
}

// find resolves rel, given by the caller as name. If it does not exist, the error is fs.ErrNotExist and the node
// says where it would be.
func (p *Project) find(name, rel string) (node, error) {
	n, err := follow(p.tree, p.root, rel)
	if errors.Is(err, errLeadsOut) {
		return node{}, &OutsideError{Path: name, Root: p.root}
	}
	return n, err
}

// List returns the files of the project below target, a folder or file, as git lists them: tracked files, and
// untracked ones that are not ignored, without those that [Project.Selection] leaves out. If the target itself is ignored,
// only the ignore rules in it apply. The error is an [*OutsideError], a [*MissingError], or that of the context.
func (p *Project) List(ctx context.Context, target string) (*Listing, error) {
	rel, err := p.clean(target)
	if err != nil {
		return nil, err
	}
	n, err := p.find(target, rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, p.missing(ctx, target, rel)
	case err != nil:
		return nil, message.Errorf("list %s: %w", target, err)
	}
	switch n.kind {
	case folder:
	case file:
		return &Listing{Target: n.path, File: true, Files: []Entry{{Path: n.path, Size: n.size}}}, nil
	case submodule:
		return &Listing{Target: n.path, Files: []Entry{}, Skipped: Skipped{Submodules: 1}}, nil
	default:
		return nil, notFile(target)
	}
	l, err := p.tree.list(ctx, n.path)
	if err != nil {
		return nil, message.Errorf("list %s: %w", target, err)
	}
	l.Target = n.path
	return p.selected.apply(p.root, l), nil
}

// At returns the project at a git revision: a commit id, a branch, a tag, HEAD~3. It is read-only and independent
// of p; the caller closes it. The context applies to opening only. The error is a [*RevisionError].
func (p *Project) At(ctx context.Context, rev string) (*Project, error) {
	t, err := openRevision(ctx, p.root, rev)
	if err != nil {
		return nil, err
	}
	return &Project{root: p.root, revision: t.commit, tree: t, selected: p.selected}, nil
}
