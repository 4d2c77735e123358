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

// disk is the work tree, as a [tree].
type disk struct {
	root   string
	handle *os.Root
}

func (d *disk) Close() error { return d.handle.Close() }

// abs returns the absolute path, for git and for the ignore rules. The file tools use the handle instead.
func (d *disk) abs(rel string) string { return filepath.Join(d.root, filepath.FromSlash(rel)) }

// look uses the handle, so that a link that has just replaced a folder does not reveal whether a file outside
// exists.
func (d *disk) look(rel string) (node, error) {
	return retryLink(func() (node, error) {
		name := filepath.FromSlash(rel)
		info, err := d.handle.Lstat(name)
		if err != nil {
			return node{}, d.notFoundBelow(err)
		}
		n := node{path: rel, kind: kindOf(info.Mode()), time: info.ModTime()}
		switch n.kind {
		case file:
			n.size = info.Size()
		case link:
			n.link, err = d.handle.Readlink(name)
		default:
		}
		return n, d.notFoundBelow(err)
	})
}

// opened opens a file for reading. Opening a pipe does not block.
func (d *disk) opened(rel string) (*os.File, error) {
	return retryLink(func() (*os.File, error) {
		f, err := d.handle.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|openfile.NonBlock, 0)
		return f, d.notFoundBelow(err)
	})
}

// retryLink repeats an operation that failed because a link was replaced before it was read.
func retryLink[T any](do func() (T, error)) (found T, err error) {
	for range 10 {
		if found, err = do(); !errors.Is(err, syscall.EINVAL) {
			break
		}
	}
	return found, err
}

// notFoundBelow is like inner, but a path below a non-folder does not exist.
func (d *disk) notFoundBelow(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	return d.rootError(err)
}

// rootError converts an error of the handle: to errLeadsOut if it refused to leave the project. Package os does not
// export that error, but its text is constant, and opening ".." returns it.
func (d *disk) rootError(err error) error {
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

// children keeps at most twice the requested number of names in memory, however large the folder is.
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

// open opens a file for reading. It refuses a pipe or device that replaced the file since it was examined.
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
	data := make([]byte, 0, n.size+1) // room to detect the end without growing
	return readAll(io.LimitReader(f, limit+1), data)
}

// readAll appends the content of r to data.
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

// list uses git if it is available, else walks the folders.
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

// fallback explains why git was not used for the listing.
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

// repository returns the nearest folder at or above dir that contains .git, or "".
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
