package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// maxChildren bounds how many names are compared with a mistyped one.
const maxChildren = 5000

// disk is the work tree.
type disk struct {
	root   string
	handle *os.Root
}

func (d *disk) Close() error { return d.handle.Close() }

// abs returns the path for the system. Only names and sizes are looked up by
// it: what is opened goes through the handle.
func (d *disk) abs(rel string) string { return filepath.Join(d.root, filepath.FromSlash(rel)) }

func (d *disk) look(rel string) (node, error) {
	info, err := os.Lstat(d.abs(rel))
	if err != nil {
		return node{}, err
	}
	n := node{path: rel, kind: kindOf(info.Mode())}
	switch n.kind {
	case file:
		n.size = info.Size()
	case link:
		n.link, err = os.Readlink(d.abs(rel))
	default:
	}
	return n, err
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

func (d *disk) children(dir string) ([]string, error) {
	f, err := d.handle.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(maxChildren)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, err
}

func (d *disk) read(n node) ([]byte, error) {
	f, err := d.handle.Open(filepath.FromSlash(n.path))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, 0, n.size+1) // room to see the end without growing
	return readAll(io.LimitReader(f, MaxFileSize+1), data)
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
	l.Warnings = append(l.Warnings, fallback(err))
	return l, nil
}

// fallback words why the listing does not come from git.
func fallback(err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		return "未找到 git 命令，已按忽略规则遍历文件 (git is not installed; files were listed by the ignore rules)"
	}
	text := fmt.Sprintf("git 无法列出文件，已按忽略规则遍历 (git did not list the files: %v; they were listed by the ignore rules)", err)
	if refused, ok := errors.AsType[*gitError](err); ok && refused.advice != "" {
		text += "; " + refused.advice
	}
	return text
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
