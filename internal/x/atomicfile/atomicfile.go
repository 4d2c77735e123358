// Package atomicfile writes files that somebody else may be reading: the settings of
// other programs, which are whole at every moment.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File writes a text beside a file and puts it in its place. A file that is a link
// stays one. After an error the file is as it was.
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
