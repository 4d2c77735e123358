// Package lockfile has locks between processes, as files.
//
// The system lets go of such a lock when its process ends, however it ends. What
// then still stands in the file only tells of that.
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

// Holder is who holds a lock.
type Holder struct {
	PID   int       `json:"pid"`       // 0 when not known
	Since time.Time `json:"startedAt"` // zero when not known
}

// HeldError says that another holds a lock.
type HeldError struct{ Holder }

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "locked by another process"
	}
	return fmt.Sprintf("locked by process %d since %s", e.PID, e.Since.Format(time.RFC3339))
}

// Lock is a lock held.
type Lock struct {
	file   *os.File
	root   *os.Root
	name   string
	before Holder
}

// maxTries bounds how often a lock is tried that others keep removing.
const maxTries = 100

// Take takes the lock of a name in a folder, without waiting, and writes into its
// file that this process holds it since the time given. The error is a
// [*HeldError] when another holds it, be it in this process. On file systems
// without locks everyone gets it. The caller keeps root open until Release.
func Take(root *os.Root, name string, since time.Time) (*Lock, error) {
	l, err := take(root, name, exclusive)
	for end := time.Now().Add(lingers); err != nil && orphaned(err) && time.Now().Before(end); {
		time.Sleep(lingers / 100)
		l, err = take(root, name, exclusive)
	}
	if err != nil {
		return nil, err
	}
	l.before = readHolder(l.file)
	if err := l.sign(Holder{PID: os.Getpid(), Since: since}); err != nil {
		return nil, errors.Join(message.Errorf("lock %s: %w", name, err), l.Release())
	}
	return l, nil
}

// lingers is how long the lock of a killed process is waited for: one that it had
// just begun to start holds it, too, until it becomes another program.
const lingers = time.Second

// orphaned tells a lock whose holder is no more.
func orphaned(err error) bool {
	held, ok := errors.AsType[*HeldError](err)
	return ok && held.PID != 0 && gone(held.PID)
}

// take takes a lock on the file that has the name.
func take(root *os.Root, name string, m mode) (*Lock, error) {
	for range maxTries {
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|openfile.NonBlock, 0o644)
		if err != nil {
			return nil, message.Errorf("lock %s: %w", name, err)
		}
		if err := ours(f); err != nil {
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
		_ = f.Close() // it was removed meanwhile: its holder was just done
	}
	return nil, &HeldError{}
}

// ErrForeign is the error for a file that has the name of a lock and holds something
// else. It is left as it is.
var ErrForeign = message.Errorf("a file that is not a lock of reverse-spec has this name; move it away")

// ours returns [ErrForeign] for what is neither empty nor says who holds it.
func ours(f *os.File) error {
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

// readStart reads what a lock's file holds; false where that cannot be read.
func readStart(f *os.File) ([]byte, bool) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<12))
	return text, err == nil
}

// try locks an open file, and reports whether it is still the one of the name.
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

// Before returns who held the lock before and ended without a Release.
func (l *Lock) Before() (h Holder, ok bool) { return l.before, l.before.PID != 0 }

// readHolder reads who holds a lock, or held it; the zero Holder when that cannot
// be read.
func readHolder(f *os.File) (h Holder) {
	text, ok := readStart(f)
	if !ok || json.Unmarshal(text, &h) != nil {
		return Holder{}
	}
	return h
}

// sign writes who holds the lock.
func (l *Lock) sign(h Holder) error {
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

// Release gives the lock up and removes its file.
func (l *Lock) Release() error {
	var err error
	if removableOpen { // before it is let go of: then it may be another's
		err = errors.Join(l.root.Remove(l.name), l.file.Close())
	} else if err = l.file.Close(); err == nil {
		_ = l.root.Remove(l.name) // where the next one has it open, it stays
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return message.Errorf("unlock %s: %w", l.name, err)
	}
	return nil
}
