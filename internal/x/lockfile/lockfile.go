// Package lockfile implements locks between processes with files.
//
// The operating system releases such a lock when its process ends, for whatever reason. The content of a file that
// is left over is information only.
package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Holder identifies the process that holds a lock.
type Holder struct {
	PID   int       `json:"pid"`       // 0 if unknown
	Since time.Time `json:"startedAt"` // zero if unknown
}

// HeldError is returned if another process holds the lock.
type HeldError struct{ Holder }

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "locked by another process"
	}
	return fmt.Sprintf("locked by process %d since %s", e.PID, e.Since.Format(time.RFC3339))
}

// Lock is a held lock.
type Lock struct {
	file   *os.File
	root   *os.Root
	name   string
	before Holder
}

// maxTries bounds the attempts to take a lock whose file others keep removing.
const maxTries = 100

// TryLock takes the lock called name in a folder without waiting, and records this process and the start time since in
// its file. The error is a [*HeldError] if the lock is held, also by this process. On file systems without locks it
// always succeeds. The caller keeps root open until Release.
func TryLock(root *os.Root, name string, since time.Time) (*Lock, error) {
	l, err := tryLock(root, name, exclusive)
	for end := time.Now().Add(killGrace); err != nil && orphaned(err) && time.Now().Before(end); {
		time.Sleep(killGrace / 100)
		l, err = tryLock(root, name, exclusive)
	}
	if err != nil {
		return nil, err
	}
	l.before = readHolder(l.file)
	if err := l.writeHolder(Holder{PID: os.Getpid(), Since: since}); err != nil {
		return nil, errors.Join(message.Errorf("lock %s: %w", name, err), l.Release())
	}
	return l, nil
}

// killGrace is how long to wait for the lock of a killed process: a child that was just forked holds it, too, until
// it calls exec.
const killGrace = time.Second

// orphaned reports whether err is for a lock whose holder has ended.
func orphaned(err error) bool {
	held, ok := errors.AsType[*HeldError](err)
	return ok && held.PID != 0 && hasExited(held.PID)
}

// tryLock locks the file called name.
func tryLock(root *os.Root, name string, m mode) (*Lock, error) {
	for range maxTries {
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|openfile.NonBlock, 0o644)
		if err != nil {
			return nil, message.Errorf("lock %s: %w", name, err)
		}
		if err := checkOwn(f); err != nil {
			return nil, errors.Join(message.Errorf("lock %s: %w", filepath.Join(root.Name(), name), err), f.Close())
		}
		switch same, err := try(root, name, f, m); {
		case err != nil:
			_ = f.Close()
			if held := (*HeldError)(nil); errors.As(err, &held) {
				return nil, held
			}
			return nil, message.Errorf("lock %s: %w", name, err)
		case same:
			return &Lock{file: f, root: root, name: name}, nil
		}
		_ = f.Close() // removed meanwhile: its holder just released it
	}
	return nil, &HeldError{}
}

// ErrForeign is returned if the lock's file exists with other content. The file is not changed.
var ErrForeign = message.Errorf("a file that is not a lock of reverse-spec has this name; move it away")

// checkOwn returns [ErrForeign] for a file that is neither empty nor names a holder.
func checkOwn(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return ErrForeign
	}
	if text, ok := readStart(f); !ok || len(text) > 0 && !bytes.HasPrefix(text, []byte(`{"pid"`)) {
		return ErrForeign
	}
	return nil
}

// readStart reads the start of a lock's file; false if it cannot be read.
func readStart(f *os.File) ([]byte, bool) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<12))
	return text, err == nil
}

// try locks an open file and reports whether it is still the file called name.
func try(root *os.Root, name string, f *os.File, m mode) (same bool, err error) {
	switch err := lock(f, m); {
	case errors.Is(err, errHeld):
		return false, &HeldError{readHolder(f)}
	case err != nil && !errors.Is(err, errors.ErrUnsupported): // some network file systems have no locks
		return false, err
	}
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	now, err := root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, now), err
}

// Before returns the previous holder of the lock if it ended without a Release.
func (l *Lock) Before() (h Holder, ok bool) { return l.before, l.before.PID != 0 }

// readHolder reads the holder from a lock's file; the zero Holder if it cannot be read.
func readHolder(f *os.File) (h Holder) {
	text, ok := readStart(f)
	if !ok || json.Unmarshal(text, &h) != nil {
		return Holder{}
	}
	return h
}

// writeHolder writes the holder to the lock's file.
func (l *Lock) writeHolder(h Holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(text, '\n'), 0)
	return err
}

// Release releases the lock and removes its file.
func (l *Lock) Release() error {
	var err error
	if removableOpen { // before the lock is released: afterwards the file may be another process's
		err = errors.Join(l.root.Remove(l.name), l.file.Close())
	} else if err = l.file.Close(); err == nil {
		_ = l.root.Remove(l.name) // fails if the next holder has it open; then it stays
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return message.Errorf("unlock %s: %w", l.name, err)
	}
	return nil
}
