package project

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// tree is where a project's files are: in the work tree or in a revision. Paths
// are clean and relative to the root; what is called real holds no symbolic link.
type tree interface {
	// look returns what stands at a path whose folder is real: fs.ErrNotExist
	// when nothing does.
	look(rel string) (node, error)
	// children returns the first names in a real folder, in order, at most as
	// many as asked for, and how many there are.
	children(dir string, most int) (names []string, total int, err error)
	// list returns the files below a real folder.
	list(ctx context.Context, dir string) (*Listing, error)
	// open opens a file to read; errNotRegular when it has become something else.
	open(n node) (io.ReadCloser, error)
	// read returns a file's content, at most one byte more than limit.
	read(n node, limit int64) ([]byte, error)
	Close() error
}

// node is what stands at a path.
type node struct {
	path string // real
	kind kind
	size int64     // of a file, in bytes
	link string    // where a link points, as written
	id   string    // of the object, in a revision
	time time.Time // when it was last written; zero in a revision
}

type kind int

const (
	other kind = iota // a device, a socket
	file
	folder
	link
	submodule // a commit of another repository
)

// maxLinks is how many symbolic links one path may lead through, as in Linux.
const maxLinks = 40

var errLeadsOut = message.Errorf("the path leads out of the project")

// follow walks a clean relative path through the symbolic links on it. When
// nothing stands at its end, the error is fs.ErrNotExist and the node's path is
// where it would be. The error is errLeadsOut when a link leads out.
func follow(t tree, root, rel string) (node, error) {
	at := node{path: ".", kind: folder}
	rest := elements(rel)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." { // of a link's text; the path so far is real
			if at.path == "." {
				return node{}, errLeadsOut
			}
			at = node{path: path.Dir(at.path), kind: folder}
			continue
		}
		n, err := node{}, fs.ErrNotExist
		if at.kind == folder {
			n, err = t.look(path.Join(at.path, name))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return absent(at.path, name, rest)
		}
		if err != nil {
			return node{}, err
		}
		if n.kind != link {
			at = n
			continue
		}
		if links++; links > maxLinks {
			return node{}, message.Errorf("too many symbolic links at %s", n.path)
		}
		target := n.link
		if filepath.IsAbs(target) {
			inner, ok := inside(root, filepath.Clean(target))
			if !ok {
				return node{}, errLeadsOut
			}
			at, target = node{path: ".", kind: folder}, inner
		}
		rest = append(elements(filepath.ToSlash(target)), rest...)
	}
	return at, nil
}

// absent is the result of follow where name is not in dir and rest was still to come.
func absent(dir, name string, rest []string) (node, error) {
	end := path.Join(dir, name, path.Join(rest...))
	if !filepath.IsLocal(filepath.FromSlash(end)) {
		return node{}, errLeadsOut
	}
	return node{path: end}, fs.ErrNotExist
}

// elements returns the parts of a path with "/", without the empty ones and ".".
func elements(p string) []string {
	var parts []string
	for part := range strings.SplitSeq(p, "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}

// inside returns a clean absolute path relative to root, with "/". It sees
// through another spelling of the root (a link to it, on some systems another
// case), and through links above the path.
func inside(root, abs string) (string, bool) {
	if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel), true
	}
	self, err := os.Stat(root)
	if err != nil {
		return "", false
	}
	deepest := "" // the deepest folder on the way that exists, its links resolved, and what is below it
	for dir, below := abs, "."; ; dir, below = filepath.Dir(dir), filepath.Join(filepath.Base(dir), below) {
		info, err := os.Stat(dir)
		if err == nil && os.SameFile(info, self) {
			return filepath.ToSlash(below), true
		}
		if err == nil && deepest == "" {
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				deepest = filepath.Join(real, below)
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	rel, err := filepath.Rel(root, deepest)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}
