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

// WriteFile sets the content of a file and makes the folders it needs. The file
// holds either the old content or the new at any time, and keeps its mode; a
// new one gets 0644 less the umask. A symbolic link is written through when it
// stays inside the project. Nothing is written into .git or what else git takes
// for a repository. The error is an [*OutsideError], or [ErrReadOnly] (wrapped)
// at a revision.
func (p *Project) WriteFile(name string, data []byte) error {
	d, n, err := p.writable(name)
	if err != nil {
		return err
	}
	p.edits.RLock()
	defer p.edits.RUnlock()
	if err := d.write(n.path, data, nil); err != nil {
		return message.Errorf("write %s: %w", name, p.refusal(name, d.inner(err)))
	}
	return nil
}

// SaveFile is WriteFile for a path that a person or an agent made up. It makes
// no file whose path holds a backslash or a control character, and writes none
// that [Project.ReadFile] could not read: above [MaxFileSize] the error is a
// [*TooLargeError]. Of the files that programs run it writes those in the places
// given; for others the error is a [*ProtectedError].
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

// How temporary files are called: rand.Text stands between.
const (
	temporaryPrefix = ".reverse-spec-"
	temporarySuffix = ".tmp"
)

// Temporary reports whether a file of this name is one that a write left behind when its
// process was killed, if it is not being written just now.
func Temporary(name string) bool {
	middle, ok := strings.CutPrefix(name, temporaryPrefix)
	middle, ok2 := strings.CutSuffix(middle, temporarySuffix)
	return ok && ok2 && len(middle) == len(rand.Text())
}

// write replaces a file, whose path is real, by way of a temporary file beside
// it. Check is asked last, and its error ends the write; nil for no question.
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

// fill writes the temporary file, gives it the mode of the one it will replace,
// if there is one, and sees it to the disk.
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

// syncFolder makes the new name last. Its failure is no failure of the write:
// the file is whole under its name, and some file systems cannot do this.
func (d *disk) syncFolder(dir string) {
	if runtime.GOOS == "windows" {
		return
	}
	if f, err := d.handle.Open(filepath.FromSlash(dir)); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
