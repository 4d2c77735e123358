package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
)

// write replaces a file, whose path is real, by way of a temporary file beside it.
func (d *disk) write(rel string, data []byte) (err error) {
	dir := path.Dir(rel)
	if err := d.handle.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
		return err
	}
	temp := filepath.FromSlash(path.Join(dir, ".reverse-spec-"+rand.Text()+".tmp"))
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
	case err == nil:
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
