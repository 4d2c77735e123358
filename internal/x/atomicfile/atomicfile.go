// Package atomicfile writes files that other programs may read at the same time, such as their settings: a reader
// sees the old or the new content, never a part.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File writes text to a temporary file in the same folder and renames it to file. A symbolic link stays a link. On
// error the file is unchanged.
func File(file string, text []byte, mode fs.FileMode) (err error) {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
			err = fmt.Errorf("write %s: %w", file, err)
		}
	}()
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
