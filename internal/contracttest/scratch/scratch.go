// Package scratch makes folders for temporary files that outlive no process for long: a process that was killed leaves its folder
// behind, and the next one that makes a folder of that kind removes it.
package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
)

// lockName is the file in a folder that the process locks which uses it.
const lockName = "in-use.lock"

// Folder is a folder for temporary files.
type Folder struct {
	Path string
	root *os.Root
	lock *lockfile.Lock
}

// Make makes a folder whose name begins with a prefix, and removes those of the prefix that processes left which have ended.
// The caller must close it.
func Make(prefix string) (f *Folder, err error) {
	sweep(prefix)
	f = &Folder{}
	if f.Path, err = os.MkdirTemp("", prefix); err != nil {
		return nil, err
	}
	if f.root, err = os.OpenRoot(f.Path); err != nil {
		return nil, errors.Join(err, os.Remove(f.Path))
	}
	if f.lock, err = lockfile.TryLock(f.root, lockName, time.Now()); err != nil { // locks may not be known there: it is not swept then
		f.lock = nil
	}
	return f, nil
}

// Close removes the folder.
func (f *Folder) Close() error {
	var err error
	if f.lock != nil {
		err = f.lock.Release()
	}
	return errors.Join(err, f.root.Close(), remove(f.Path))
}

// remove removes a folder with what is in it. Go writes modules and Bazel writes output without the permission to remove them.
func remove(folder string) error {
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}

// sweep removes what processes left behind that have ended. What cannot be removed stays.
func sweep(prefix string) {
	list, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range list {
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) {
			sweepFolder(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}

// sweepFolder removes a folder of this user that has a lock which no process holds.
func sweepFolder(folder string) {
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() || !isOurs(info) {
		return
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	if _, err := root.Lstat(lockName); err != nil {
		return // it is being made, or is of an older version
	}
	l, err := lockfile.TryLock(root, lockName, time.Now())
	if err != nil {
		return
	}
	defer func() { _ = l.Release() }()               // it fails where the file is gone
	if h, left := l.Before(); left && !runs(h.PID) { // on file systems without locks, that it was taken says nothing
		_ = remove(folder)
	}
}
