// Package workspace is the files of one project: which there are, what they
// hold, and writing them.
//
// A [Project] is a folder, or that folder as it is in a git revision
// ([Project.At]). Every path it takes is checked: nothing outside the project's
// root is read or written, neither by "..", nor by an absolute path, nor by a
// symbolic link. The project's files and folders are opened through [os.Root],
// so that a link put in place after the check leads nowhere either.
//
// Paths handed out are relative to the root, with "/"; the root itself is ".".
package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// MaxFileSize is the largest file [Project.ReadFile] reads, in bytes.
const MaxFileSize = 4 << 20

// Project is the files of one project. It is safe for concurrent use.
type Project struct {
	root     string // absolute, links resolved
	revision string // full commit id; "" for the work tree
	tree     tree
}

// Open opens the project in a folder. The error is a [*MissingError] when there
// is no such folder. The caller closes the project.
func Open(dir string) (*Project, error) {
	if dir == "" {
		return nil, errEmpty
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", dir, err)
	}
	root, err := filepath.EvalSymlinks(abs)
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(root); err == nil && !info.IsDir() {
			return nil, fmt.Errorf("不是文件夹: %s (not a folder)", dir)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingError{Path: dir}
	}
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", dir, err)
	}
	handle, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", dir, err)
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
	case strings.ContainsRune(name, 0):
		return "", fmt.Errorf("路径无效: %q (path holds a NUL byte)", name)
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
		return nil, fmt.Errorf("list %s: %w", target, err)
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
		return nil, fmt.Errorf("list %s: %w", target, err)
	}
	l.Target = n.path
	return l, nil
}

// ReadFile returns the content of a file. The errors are an [*OutsideError], a
// [*MissingError], and a [*TooLargeError] above [MaxFileSize].
func (p *Project) ReadFile(name string) ([]byte, error) { return p.ReadUpTo(name, MaxFileSize) }

// ReadUpTo is ReadFile with another limit, in bytes.
func (p *Project) ReadUpTo(name string, limit int64) ([]byte, error) {
	rel, err := p.clean(name)
	if err != nil {
		return nil, err
	}
	n, err := p.find(name, rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &MissingError{Path: name, Revision: p.ShortRevision()}
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case n.kind != file:
		return nil, notFile(name)
	case n.size > limit:
		return nil, &TooLargeError{Path: name, Size: n.size, Limit: limit}
	}
	data, err := p.tree.read(n)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if int64(len(data)) > limit { // it grew since
		return nil, &TooLargeError{Path: name, Size: int64(len(data)), Limit: limit}
	}
	return data, nil
}

// WriteFile sets the content of a file and makes the folders it needs. The file
// holds either the old content or the new at any time, and keeps its mode; a
// new one gets 0644 less the umask. A symbolic link is written through when it
// stays inside the project. The error is an [*OutsideError], or [ErrReadOnly]
// (wrapped) at a revision.
func (p *Project) WriteFile(name string, data []byte) error {
	d, ok := p.tree.(*disk)
	if !ok {
		return fmt.Errorf("write %s: %w", name, ErrReadOnly)
	}
	rel, err := p.clean(name)
	if err != nil {
		return err
	}
	n, err := p.find(name, rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("write %s: %w", name, err)
	case n.kind != file:
		return notFile(name)
	}
	if err := d.write(n.path, data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
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
