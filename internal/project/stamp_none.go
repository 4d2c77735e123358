//go:build !linux && !openbsd && !dragonfly && !solaris && !illumos && !aix && !darwin && !freebsd && !netbsd

package project

import "io/fs"

// changeOf returns zeros: the system does not provide them.
func changeOf(fs.FileInfo) (inode uint64, changed int64) { return 0, 0 }
