package openfile

import (
	"errors"
	"io/fs"
	"syscall"
)

// ReadOnly reports whether an error says that a place cannot be written: by whom the
// program runs for, or by anyone.
func ReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
