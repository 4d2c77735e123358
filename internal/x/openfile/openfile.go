// Package openfile opens the files that the program reads outside of projects: settings, lists of servers, indexes,
// its own caches.
//
// The path may be a FIFO without a writer, an endless device, or a folder. Files are opened without waiting, must
// be regular, and are read up to a limit. [ReadIn] reads a file in a project's folder and follows no link out of
// it; the sources of a project are read by package project, which makes the same checks.
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

// Size limits in bytes.
const (
	MaxConfig = 1 << 20  // for settings
	MaxData   = 64 << 20 // for data written by programs
)

// Error says why an existing file cannot be read.
type Error struct {
	Path string
	Is   message.Text // what the file is: "a FIFO, not a regular file"
}

func (e *Error) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *Error) In(lang message.Lang) string { return message.New("%s is %s", e.Path, e.Is).In(lang) }

// Kind describes a file that is not regular: "a FIFO".
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

// Open opens a regular file for reading without blocking. The error is an [*Error] if the file is not regular, else
// an error of the operating system. The caller closes the file.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|NonBlock, 0)
	return regular(f, path, err)
}

// OpenIn is like Open for a file in a folder; links out of the folder are not followed and give an [*Error].
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

// regular returns the file if it is regular; else it closes it and returns an error.
func regular(f *os.File, path string, err error) (*os.File, error) {
	if errors.Is(err, syscall.ENXIO) { // a socket, or a device that does not exist
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

// Read returns the content of a regular file of at most limit bytes. The error is an [*Error] if it is larger or
// [Open] refuses it, and wraps fs.ErrNotExist if it does not exist.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return read(f, path, limit)
}

// ReadIn is like Read for a file in a folder; links out of the folder are not followed.
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
