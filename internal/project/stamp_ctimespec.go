//go:build darwin || freebsd || netbsd

package project

import (
	"io/fs"
	"syscall"
)

// changeOf returns the inode number of a file, and its change time in nanoseconds.
func changeOf(info fs.FileInfo) (inode uint64, changed int64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ino, st.Ctimespec.Nano()
}
