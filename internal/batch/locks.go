package batch

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// removeLocks removes the locks of specs that were removed or moved, and folders that are empty
// then. Files that are not locks are kept, and so are locks that are newer than this run: another
// one may be about to write the spec.
func (b *run) removeLocks() error {
	var folders []string // each after the one that it is in
	err := fs.WalkDir(b.root.FS(), path.Join(b.opts.OutputDir, spec.LockDir), func(file string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir():
			folders = append(folders, file)
			return nil
		}
		return b.removeLock(file, e)
	})
	if err != nil {
		return message.Errorf("remove the locks of specs that are gone: %w", err)
	}
	for _, dir := range slices.Backward(folders) {
		_ = b.root.Remove(filepath.FromSlash(dir)) // fails unless it is empty
	}
	return nil
}

// removeLock removes a file if it is the lock of a spec that does not exist.
func (b *run) removeLock(file string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() || !info.ModTime().Before(b.begin) || !spec.OrphanedLock(b.project, file) {
		return nil //nolint:nilerr // it is gone
	}
	err = b.root.Remove(filepath.FromSlash(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
