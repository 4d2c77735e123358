package project

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// WriteFile writes a file and creates missing folders. The write is atomic, and keeps the file's mode; a new file
// gets 0644 less the umask. A symbolic link inside the project is followed. Nothing is written into .git or another
// repository folder. The error is an [*OutsideError], or wraps [ErrReadOnly] at a revision.
func (p *Project) WriteFile(name string, data []byte) error {
	d, n, err := p.writable(name)
	if err != nil {
		return err
	}
	p.edits.RLock()
	defer p.edits.RUnlock()
	if err := d.write(n.path, data, nil); err != nil {
		return message.Errorf("write %s: %w", name, p.replacedError(name, d.rootError(err)))
	}
	return nil
}

// SaveFile is like WriteFile for a path given by a person or an agent. It rejects new paths with a backslash or
// control character, and contents above [MaxFileSize] with a [*TooLargeError]. A protected file must be in one of
// the places of may, else the error is a [*ProtectedError].
func (p *Project) SaveFile(ctx context.Context, name string, data []byte, may Places) error {
	_, n, err := p.editable(ctx, name, may)
	if err != nil {
		return err
	}
	if size := int64(len(data)); size > MaxFileSize {
		return &TooLargeError{Path: name, Size: size, Limit: MaxFileSize}
	}
	if n.kind != file {
		if err := plain(n.path); err != nil {
			return err
		}
	}
	return p.WriteFile(name, data)
}

// Names of temporary files; rand.Text is in between.
const (
	temporaryPrefix = ".reverse-spec-"
	temporarySuffix = ".tmp"
)

// IsTemporary reports whether a file name is that of a temporary file, left by a killed process or being written.
func IsTemporary(name string) bool {
	middle, ok := strings.CutPrefix(name, temporaryPrefix)
	middle, ok2 := strings.CutSuffix(middle, temporarySuffix)
	return ok && ok2 && len(middle) == len(rand.Text())
}

// write replaces a file with a real path, by renaming a temporary file. Check, if not nil, is called last, and its
// error aborts the write.
func (d *disk) write(rel string, data []byte, check func() error) (err error) {
	dir := path.Dir(rel)
	if err := d.handle.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
		return err
	}
	temp := filepath.FromSlash(path.Join(dir, temporaryPrefix+rand.Text()+temporarySuffix))
	f, err := d.handle.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.handle.Remove(temp))
		}
	}()
	name := filepath.FromSlash(rel)
	if err := errors.Join(d.fill(f, name, data), f.Close()); err != nil {
		return err
	}
	if check != nil {
		if err := check(); err != nil {
			return err
		}
	}
	if err := d.handle.Rename(temp, name); err != nil {
		return err
	}
	d.syncFolder(dir)
	return nil
}

// fill writes and syncs the temporary file, and gives it the mode of the file that it replaces.
func (d *disk) fill(f *os.File, name string, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	old, err := d.handle.Lstat(name)
	switch {
	case err == nil && old.Mode().IsRegular():
		err = f.Chmod(old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return err
	}
	return f.Sync()
}

// syncFolder makes the rename durable. Errors are ignored: the file is complete, and some file systems do not
// support it.
func (d *disk) syncFolder(dir string) {
	if runtime.GOOS == "windows" {
		return
	}
	if f, err := d.handle.Open(filepath.FromSlash(dir)); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
