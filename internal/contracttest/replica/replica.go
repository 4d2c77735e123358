// Package replica copies a project into a temporary folder, so that its tests can run on changed code and the project stays
// as it is. [Make] copies what the tests may need, links packages that are installed, and leaves out what tools build anew.
package replica

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/scratch"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// The limits of what is copied.
const (
	MaxBytes = 1 << 30
	MaxFiles = 200_000
)

// ErrLarge is returned (wrapped) for a project that is larger than the limits.
var ErrLarge = message.Errorf("the project is too large to copy: more than 1 GiB or 200,000 files without installed packages")

// A Replica is the copy of a project.
type Replica struct {
	Root   string // of the copy
	folder *scratch.Folder
	from   string
	size   int64
	more   int
}

// Make copies the project in a folder, and removes copies that processes left which were killed. The caller must close it.
func Make(ctx context.Context, from string) (r *Replica, err error) {
	folder, err := scratch.Make("reverse-spec-copy-")
	if err != nil {
		return nil, message.Errorf("make a folder for the copy: %w", err)
	}
	r = &Replica{folder: folder}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
			r = nil
		}
	}()
	if r.from, err = filepath.EvalSymlinks(from); err != nil {
		return r, message.Errorf("copy the project: %w", err)
	}
	home, err := filepath.EvalSymlinks(folder.Path)
	if err != nil {
		return r, message.Errorf("copy the project: %w", err)
	}
	r.Root = filepath.Join(home, filepath.Base(r.from)) // tests may print or use the name of the folder
	if err := r.copyFolder(ctx, ""); err != nil {
		return r, message.Errorf("copy the project: %w", err)
	}
	return r, nil
}

// Close removes the copy.
func (r *Replica) Close() error { return r.folder.Close() }

// built are folders that tools make from the rest, with a file beside them that says so; "" if the name alone does.
var built = map[string][]string{
	".git": {""}, ".hg": {""}, ".svn": {""}, "__pycache__": {""}, ".pytest_cache": {""}, ".mypy_cache": {""}, ".ruff_cache": {""},
	".tox": {""}, ".nox": {""}, ".gradle": {""}, ".turbo": {""}, ".next": {""}, ".nyc_output": {""},
	"target":   {"Cargo.toml", "pom.xml"},
	"build":    {"build.gradle", "build.gradle.kts"},
	"coverage": {"package.json"},
}

// leaves reports whether a folder is left out.
func (r *Replica) leaves(dir, name string) bool {
	return slices.ContainsFunc(built[name], func(beside string) bool {
		return beside == "" || exists(filepath.Join(r.from, dir, beside))
	})
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// copyFolder copies a folder, given by its path in the project.
func (r *Replica) copyFolder(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.Root, dir), 0o700); err != nil {
		return err
	}
	list, err := os.ReadDir(filepath.Join(r.from, dir))
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := r.entry(ctx, dir, e); err != nil {
			return err
		}
	}
	return nil
}

// entry copies a file, a link or a folder.
func (r *Replica) entry(ctx context.Context, dir string, e fs.DirEntry) error {
	rel := filepath.Join(dir, e.Name())
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		return r.link(rel)
	case e.IsDir() && r.leaves(dir, e.Name()):
		return nil
	case e.IsDir() && e.Name() == "node_modules":
		return r.packages(rel)
	case e.IsDir() && exists(filepath.Join(r.from, rel, "pyvenv.cfg")): // programs in it name its path
		return os.Symlink(filepath.Join(r.from, rel), filepath.Join(r.Root, rel))
	case e.IsDir():
		return r.copyFolder(ctx, rel)
	case e.Type().IsRegular():
		return r.file(rel)
	}
	return nil // a socket or a device
}

// packages links what is installed in a folder of packages. Links to packages of the project itself lead into the copy. What
// tools write there by themselves begins with a dot and is left out, so that they write into the copy.
func (r *Replica) packages(dir string) error {
	if err := os.MkdirAll(filepath.Join(r.Root, dir), 0o700); err != nil {
		return err
	}
	list, err := os.ReadDir(filepath.Join(r.from, dir))
	if err != nil {
		return err
	}
	for _, e := range list {
		name := e.Name()
		rel := filepath.Join(dir, name)
		switch {
		case strings.HasPrefix(name, ".") && !slices.Contains([]string{".bin", ".pnpm", ".package-lock.json", ".yarn-state.yml", ".modules.yaml"}, name):
			continue
		case e.IsDir() && strings.HasPrefix(name, "@"):
			err = r.packages(rel)
		case e.Type()&fs.ModeSymlink != 0:
			err = r.link(rel)
		default:
			err = os.Symlink(filepath.Join(r.from, rel), filepath.Join(r.Root, rel))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// link makes a link to the same place: in the copy if it is a part of the project that is copied.
func (r *Replica) link(rel string) error {
	text, err := os.Readlink(filepath.Join(r.from, rel))
	if err != nil {
		return err
	}
	to := text
	if !filepath.IsAbs(to) {
		to = filepath.Join(r.from, filepath.Dir(rel), text)
	}
	inside, err := filepath.Rel(r.from, to)
	if err == nil && filepath.IsLocal(inside) && !strings.Contains("/"+filepath.ToSlash(inside)+"/", "/node_modules/") {
		to = filepath.Join(r.Root, inside)
	}
	return os.Symlink(to, filepath.Join(r.Root, rel))
}

// file copies a file with its permissions.
func (r *Replica) file(rel string) error {
	from, to := filepath.Join(r.from, rel), filepath.Join(r.Root, rel)
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	r.size, r.more = r.size+info.Size(), r.more+1
	if r.size > MaxBytes || r.more > MaxFiles {
		return ErrLarge
	}
	text, err := openfile.Read(from, MaxBytes)
	if errors.Is(err, fs.ErrPermission) {
		return nil // tests that need it fail, and that is said
	}
	const owner = 0o600
	if err == nil {
		err = os.WriteFile(to, text, info.Mode().Perm()|owner)
	}
	if err == nil { // what tools built is newer than what it was built from
		err = os.Chtimes(to, info.ModTime(), info.ModTime())
	}
	return err
}
