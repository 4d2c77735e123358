//go:build unix

package snapshot

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// load maps a file into memory. The mapping stays valid if the file is removed or replaced.
func load(path string) (data []byte, info os.FileInfo, unmap func() error, err error) {
	f, err := openfile.Open(path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err = f.Stat()
	if err != nil {
		return nil, nil, nil, err
	}
	if info.Size() == 0 || int64(int(info.Size())) != info.Size() || !info.Mode().IsRegular() {
		return []byte{}, info, func() error { return nil }, nil
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("map %s: %w", path, err)
	}
	return data, info, func() error { return unix.Munmap(data) }, nil
}
