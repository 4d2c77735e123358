// Package project is the files of one project: which there are, what they
// hold, and writing them.
//
// A [Project] is a folder, or that folder as it is in a git revision
// ([Project.At]). Every path it takes is checked: nothing outside the project's
// root is read or written, neither by "..", nor by an absolute path, nor by a
// symbolic link. The project's files and folders are opened through [os.Root],
// so that a link put in place after the check leads nowhere either.
//
// Paths handed out are relative to the root, with "/"; the root itself is ".".
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

// MaxFileSize is the largest file [Project.ReadFile] reads, in bytes.
const MaxFileSize = 4 << 20

// Project is the files of one project. It is safe for concurrent use.
type Project struct {
	root     string // absolute, links resolved
	revision string // full commit id; "" for the work tree
	tree     tree
	edits    sync.RWMutex // held alone by who reads a file to write it again
}

// Open opens the project in a folder. The error is a [*MissingError] when there
// is no such folder. The caller closes the project.
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

// Close releases what the project holds open. Projects made from it by
// [Project.At] live on.
func (p *Project) Close() error { return p.tree.Close() }

// Root returns the project's folder, absolute and with symbolic links resolved.
func (p *Project) Root() string { return p.root }

// Revision returns the full id of the commit the project is at, or "" for the
// work tree.
func (p *Project) Revision() string { return p.revision }

// ShortRevision returns the first 12 digits of [Project.Revision].
func (p *Project) ShortRevision() string { return p.revision[:min(12, len(p.revision))] }

// Rel returns a path as the project knows it. An absolute path must lie in the
// project, by the root's true name or by a link to it; any other is relative to
// the root. Nothing need exist there. Symbolic links inside the project are
// kept as written. The error is an [*OutsideError] for a path that leads out.
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

// clean is Rel without a look at what stands there.
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

// find follows rel, which the caller gave as name, to what stands there. When
// nothing does, the error is fs.ErrNotExist and the node tells where it would be.
func (p *Project) find(name, rel string) (node, error) {
	n, err := follow(p.tree, p.root, rel)
	if errors.Is(err, errLeadsOut) {
		return node{}, &OutsideError{Path: name, Root: p.root}
	}
	return n, err
}

// List returns the files of the project below target, a folder or a file, as
// git would list them: tracked, and untracked but not ignored. A target that is
// itself ignored is listed by its own rules: who names it wants it. The errors
// are an [*OutsideError], a [*MissingError], and the context's.
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
	return l, nil
}

// At returns the project as it is in a git revision: a commit id, a branch, a
// tag, HEAD~3. It is read-only and has its own life; the caller closes it. The
// context bounds the opening. The error is a [*RevisionError].
func (p *Project) At(ctx context.Context, rev string) (*Project, error) {
	t, err := openRevision(ctx, p.root, rev)
	if err != nil {
		return nil, err
	}
	return &Project{root: p.root, revision: t.commit, tree: t}, nil
}
