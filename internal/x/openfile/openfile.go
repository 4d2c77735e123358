// Package openfile opens the files that the program reads on its own: settings,
// lists of servers, indexes, what it has written before.
//
// Such a file may be anything: a FIFO that nobody writes to, a device that never
// ends, a folder. It is opened without waiting, must be a regular file, and is read
// up to a limit. Files of a project's folder are read by [ReadIn], which no link
// leads out of it; the sources of a project are read by package workspace, whose
// checks are these.
package openfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Limits in bytes, for files that people and programs write.
const (
	MaxConfig = 1 << 20  // settings
	MaxData   = 64 << 20 // what programs keep
)

// Error says why a file that is there cannot be read.
type Error struct {
	Path string
	Is   message.Text // "a FIFO, not a regular file"
}

func (e *Error) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *Error) In(lang message.Lang) string { return message.New("%s is %s", e.Path, e.Is).In(lang) }

// Kind names what is not a regular file: "a FIFO".
func Kind(mode fs.FileMode) message.Text {
	switch {
	case mode.IsDir():
		return message.New("a folder")
	case mode&fs.ModeNamedPipe != 0:
		return message.New("a FIFO")
	case mode&fs.ModeDevice != 0:
		return message.New("a device")
	case mode&fs.ModeSocket != 0:
		return message.New("a socket")
	case mode&fs.ModeSymlink != 0:
		return message.New("a link")
	}
	return message.New("something else")
}

// Open opens a regular file for reading, without waiting for anybody. The error is
// an [*Error] for a file that is not regular, else that of the system. The caller
// closes the file.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|NonBlock, 0)
	return regular(f, path, err)
}

// OpenIn is Open for a file in a folder, which no link leads out of it. The error
// of one that does is an [*Error].
func OpenIn(folder, name string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	path := filepath.Join(folder, name)
	f, err := root.OpenFile(name, os.O_RDONLY|NonBlock, 0)
	if link, lookErr := root.Lstat(name); err != nil && lookErr == nil && link.Mode()&fs.ModeSymlink != 0 && !errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{path, message.New("a link that leads out of its folder, or to what cannot be opened")}
	}
	return regular(f, path, err)
}

// regular returns an open file if it is a regular one.
func regular(f *os.File, path string, err error) (*os.File, error) {
	if errors.Is(err, syscall.ENXIO) { // a socket, or a device that is not there
		return nil, &Error{path, message.New("a socket or a device, not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &Error{path, message.New("%s, not a regular file", Kind(info.Mode()))}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read returns what a regular file holds, limit bytes at most. The error is an
// [*Error] for a larger one, and for what [Open] refuses; fs.ErrNotExist (wrapped)
// where there is none.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return read(f, path, limit)
}

// ReadIn is Read for a file in a folder, which no link leads out of it.
func ReadIn(folder, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(folder, name)
	if err != nil {
		return nil, err
	}
	return read(f, filepath.Join(folder, name), limit)
}

func read(f *os.File, path string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, message.Errorf("read %s: %w", path, err)
	}
	if int64(len(text)) > limit {
		return nil, &Error{path, message.New("larger than %d KiB, the limit for such a file", limit>>10)}
	}
	return text, nil
}
