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

// tree is the storage of a project's files: the work tree or a revision. Paths are clean and relative to the root;
// a real path contains no symbolic link.
type tree interface {
	// look examines a path whose folder is real; the error is fs.ErrNotExist if nothing is there.
	look(rel string) (node, error)
	// children returns the first names in a real folder, sorted, at most the given number, and the total number.
	children(dir string, most int) (names []string, total int, err error)
	// list returns the files below a real folder.
	list(ctx context.Context, dir string) (*Listing, error)
	// open opens a file for reading; the error is errNotRegular if it is no longer a file.
	open(n node) (io.ReadCloser, error)
	// read returns a file's content, at most limit+1 bytes.
	read(n node, limit int64) ([]byte, error)
	Close() error
}

// node describes what is at a path.
type node struct {
	path string // real
	kind kind
	size int64     // of a file, in bytes
	link string    // target of a link, as written
	id   string    // id of the object, in a revision
	time time.Time // modification time; zero in a revision
}

type kind int

const (
	other kind = iota // a device, a socket
	file
	folder
	link
	submodule // a commit of another repository
)

// maxLinks is the maximum number of symbolic links followed for a path, as in Linux.
const maxLinks = 40

var errLeadsOut = message.Errorf("the path leads out of the project")

// follow resolves the symbolic links on a clean relative path. If nothing is at its end, the error is
// fs.ErrNotExist and the node's path is where it would be. The error is errLeadsOut if a link leads out.
func follow(t tree, root, rel string) (node, error) {
	at := node{path: ".", kind: folder}
	rest := elements(rel)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." { // from a link's target; the path so far is real
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

// absent returns the result of follow if name does not exist in dir and rest is still to be resolved.
func absent(dir, name string, rest []string) (node, error) {
	end := path.Join(dir, name, path.Join(rest...))
	if !filepath.IsLocal(filepath.FromSlash(end)) {
		return node{}, errLeadsOut
	}
	return node{path: end}, fs.ErrNotExist
}

// elements splits a path at "/", without empty elements and ".".
func elements(p string) []string {
	var parts []string
	for part := range strings.SplitSeq(p, "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}

// inside returns a clean absolute path relative to root, with "/". It also recognizes other spellings of the root
// (a link to it, on some systems another case), and links above the path.
func inside(root, abs string) (string, bool) {
	if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel), true
	}
	self, err := os.Stat(root)
	if err != nil {
		return "", false
	}
	deepest := "" // the deepest existing folder on the path, with links resolved, and the rest of the path
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
