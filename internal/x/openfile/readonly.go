package openfile

import (
	"errors"
	"io/fs"
	"syscall"
)

// ReadOnly reports whether err says that a place cannot be written, by this user or at all.
func ReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
