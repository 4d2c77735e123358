package project

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// disk is the work tree.
type disk struct {
	root   string
	handle *os.Root
}

func (d *disk) Close() error { return d.handle.Close() }

// abs returns the path for the system: for git, and for the rules of a walk.
// What the file tools see and open goes through the handle.
func (d *disk) abs(rel string) string { return filepath.Join(d.root, filepath.FromSlash(rel)) }

// look goes through the handle, too: a link that takes the place of a folder
// just now does not even tell whether a file outside exists.
func (d *disk) look(rel string) (node, error) {
	return settled(func() (node, error) {
		name := filepath.FromSlash(rel)
		info, err := d.handle.Lstat(name)
		if err != nil {
			return node{}, d.seen(err)
		}
		n := node{path: rel, kind: kindOf(info.Mode()), time: info.ModTime()}
		switch n.kind {
		case file:
			n.size = info.Size()
		case link:
			n.link, err = d.handle.Readlink(name)
		default:
		}
		return n, d.seen(err)
	})
}

// opened opens what is at a path to read it. A pipe waits for nobody.
func (d *disk) opened(rel string) (*os.File, error) {
	return settled(func() (*os.File, error) {
		f, err := d.handle.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|openfile.NonBlock, 0)
		return f, d.seen(err)
	})
}

// settled does again what failed because a link became something else before it
// was read.
func settled[T any](do func() (T, error)) (found T, err error) {
	for range 10 {
		if found, err = do(); !errors.Is(err, syscall.EINVAL) {
			break
		}
	}
	return found, err
}

// seen is inner for what was only looked for: below what is no folder, there is
// nothing.
func (d *disk) seen(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	return d.inner(err)
}

// inner returns an error of the handle; where that refused to leave the project
// it is errLeadsOut. The package os has no name for that error, but it is always
// the same, and ".." provokes it.
func (d *disk) inner(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, out := d.handle.Lstat("..")
	if leaves := errors.Unwrap(out); leaves != nil && errors.Is(err, leaves) {
		return errLeadsOut
	}
	return err
}

func kindOf(mode fs.FileMode) kind {
	switch {
	case mode.IsRegular():
		return file
	case mode.IsDir():
		return folder
	case mode&fs.ModeSymlink != 0:
		return link
	}
	return other
}

// children keeps no more than twice as many names as are wanted, however large
// the folder is.
func (d *disk) children(dir string, most int) (names []string, total int, err error) {
	names = []string{}
	f, err := d.opened(dir)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	for {
		const some = 1024
		more, err := f.Readdirnames(some)
		names, total = append(names, more...), total+len(more)
		if last := err != nil; last || len(names) > 2*most {
			slices.Sort(names)
			names = names[:min(most, len(names))]
			if last && !errors.Is(err, io.EOF) {
				return nil, 0, err
			}
			if last {
				return names, total, nil
			}
		}
	}
}

// open opens a file to read. What has become a pipe or a device since it was
// looked at is refused.
func (d *disk) open(n node) (io.ReadCloser, error) {
	f, err := d.opened(n.path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (d *disk) read(n node, limit int64) ([]byte, error) {
	f, err := d.open(n)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, 0, n.size+1) // room to see the end without growing
	return readAll(io.LimitReader(f, limit+1), data)
}

// readAll appends what r holds to data.
func readAll(r io.Reader, data []byte) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// list asks git where there is one, and else walks.
func (d *disk) list(ctx context.Context, dir string) (*Listing, error) {
	top := repository(d.abs(dir))
	if top == "" {
		return d.walk(ctx, dir, d.root, false)
	}
	l, err := d.gitList(ctx, dir, top == d.abs(dir))
	switch {
	case err == nil && l == nil:
		return d.walkIgnored(ctx, dir)
	case err == nil:
		return l, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	l, walkErr := d.walk(ctx, dir, top, true)
	if walkErr != nil {
		return nil, walkErr
	}
	l.Warnings = append(l.Warnings, fallback(message.From(ctx), err))
	return l, nil
}

// fallback words why the listing does not come from git.
func fallback(lang message.Lang, err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		return message.New("git is not installed; files were listed by the ignore rules").In(lang)
	}
	text := message.New("git did not list the files: %v; they were listed by the ignore rules", err)
	if refused, ok := errors.AsType[*gitError](err); ok && !refused.advice.Empty() {
		text = message.New("%s; %s", text, refused.advice)
	}
	return text.In(lang)
}

// repository returns the nearest folder at or above dir that holds a .git, or "".
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
