package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// lockFile keeps two runs from one project, in the output folder.
const lockFile = ".reverse-spec-batch.lock"

// RunningError is returned while another batch is running on the project.
type RunningError struct {
	PID   int       // 0 when not known
	Since time.Time // zero when not known
}

func (e *RunningError) Error() string {
	who := ""
	if e.PID != 0 {
		who = fmt.Sprintf(": pid %d since %s", e.PID, stamp(e.Since))
	}
	return "另一个 batch 正在运行 (another batch is running" + who + ")"
}

// Hint says what can be done.
func (e *RunningError) Hint() string {
	return "wait for it, or end it: what it has done is kept, and the next batch goes on from there"
}

// holder is what a lock file tells of the run that holds it.
type holder struct {
	PID       int       `json:"pid"`
	StartedAt time.Time `json:"startedAt"`
}

// lock is a lock held. The system lets go of it when the process dies, however
// it dies; what then still stands in the file only tells of that.
type lock struct {
	file *os.File
	root *os.Root
	name string
	made bool // the output folder was not there before
}

// maxLockTries bounds how often a lock is tried that others keep removing.
const maxLockTries = 100

// lock takes the project's lock. The error is a [*RunningError] when another run
// holds it.
func (b *run) lock() (*lock, error) {
	dir := filepath.FromSlash(b.opts.OutputDir)
	_, err := b.root.Stat(dir)
	l := &lock{root: b.root, name: filepath.FromSlash(path.Join(b.opts.OutputDir, lockFile)), made: errors.Is(err, fs.ErrNotExist)}
	if err := b.root.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("lock %s: %w", b.opts.OutputDir, err)
	}
	for range maxLockTries {
		held, err := l.try()
		running := (*RunningError)(nil)
		if errors.As(err, &running) {
			return nil, running
		}
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", b.opts.OutputDir, err)
		}
		if !held {
			continue
		}
		if old, ok := l.holder(); ok {
			b.warn(fmt.Sprintf("上一个 batch 未正常结束，已接管 (the batch of pid %d since %s did not end properly; its lock was taken over)",
				old.PID, stamp(old.StartedAt)))
		}
		if err := l.sign(holder{PID: os.Getpid(), StartedAt: b.begin.UTC()}); err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", b.opts.OutputDir, err), l.release())
		}
		return l, nil
	}
	return nil, &RunningError{}
}

// try takes the lock on the file that has the lock's name. It is false when the
// file was removed meanwhile: its holder was just done.
func (l *lock) try() (held bool, err error) {
	l.file, err = l.root.OpenFile(l.name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return false, err
	}
	switch err := lockExclusive(l.file); {
	case errors.Is(err, errHeld):
		old, _ := l.holder()
		return false, errors.Join(&RunningError{PID: old.PID, Since: old.StartedAt}, l.file.Close())
	case errors.Is(err, errors.ErrUnsupported): // some network file systems have no locks
	case err != nil:
		return false, errors.Join(err, l.file.Close())
	}
	mine, err := l.file.Stat()
	if err != nil {
		return false, errors.Join(err, l.file.Close())
	}
	now, err := l.root.Stat(l.name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(mine, now) {
		return false, l.file.Close()
	}
	if err != nil {
		return false, errors.Join(err, l.file.Close())
	}
	return true, nil
}

// holder reads who holds the lock, or held it.
func (l *lock) holder() (h holder, ok bool) {
	text, err := io.ReadAll(io.NewSectionReader(l.file, 0, 1<<12))
	if err != nil || json.Unmarshal(text, &h) != nil {
		return holder{}, false
	}
	return h, h.PID != 0
}

// sign writes who holds the lock.
func (l *lock) sign(h holder) error {
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

// release gives the lock up, and takes away the output folder that it made if
// nothing came to stand there.
func (l *lock) release() error {
	var err error
	if removableOpen { // before it is let go of: then it may be another's
		err = errors.Join(l.root.Remove(l.name), l.file.Close())
	} else if err = l.file.Close(); err == nil {
		_ = l.root.Remove(l.name) // where the next run has it open, it stays
	}
	if l.made {
		_ = l.root.Remove(filepath.Dir(l.name))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("unlock: %w", err)
	}
	return nil
}
