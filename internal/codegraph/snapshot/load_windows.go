package snapshot

import (
	"errors"
	"io"
	"os"

	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// load reads a file: a mapped file could not be replaced.
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
	words := make([]uint64, (info.Size()+7)/8) // so that the arrays in it are aligned
	data = raw(words)[:info.Size()]
	_, err = io.ReadFull(f, data)
	return data, info, func() error { return nil }, err
}
