package batch

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
)

// lockFile is the lock in the output folder that prevents two runs on one project.
const lockFile = ".reverse-spec-batch.lock"

// RunningError is returned if another batch is running on the project.
type RunningError struct {
	PID   int       // 0 if unknown
	Since time.Time // zero if unknown
}

func (e *RunningError) Error() string {
	return e.In(message.English)
}

// In implements [message.Localizer].
func (e *RunningError) In(lang message.Lang) string {
	if e.PID == 0 {
		return message.New("another batch is running").In(lang)
	}
	return message.New("another batch is running: pid %d since %s", e.PID, stamp(e.Since)).In(lang)
}

// Hint says what the user can do.
func (e *RunningError) Hint() message.Text {
	return message.New("wait for it, or end it: what it has done is kept, and the next batch continues from there")
}

// lock is the project's lock while it is held.
type lock struct {
	*lockfile.Lock
	removeDir func() // removes the output folder if the run created it and it is empty
}

// lock acquires the project's lock. The error is a [*RunningError] if another run holds it.
func (b *run) lock() (*lock, error) {
	dir := filepath.FromSlash(b.opts.OutputDir)
	_, err := b.root.Stat(dir)
	made := errors.Is(err, fs.ErrNotExist)
	if err := b.root.MkdirAll(dir, 0o755); err != nil {
		return nil, message.Errorf("lock %s: %w", b.opts.OutputDir, err)
	}
	l, err := lockfile.TryLock(b.root, filepath.FromSlash(path.Join(b.opts.OutputDir, lockFile)), b.begin.UTC())
	if held := (*lockfile.HeldError)(nil); errors.As(err, &held) {
		return nil, &RunningError{PID: held.PID, Since: held.Since}
	}
	if err != nil {
		return nil, err
	}
	if old, ok := l.Before(); ok {
		b.warn(message.New("the batch of pid %d since %s did not end properly; its lock was taken over",
			old.PID, stamp(old.Since)).In(b.lang))
		if err := b.sweep(); err != nil {
			return nil, errors.Join(err, l.Release())
		}
	}
	return &lock{Lock: l, removeDir: func() {
		if made {
			_ = b.root.Remove(dir)
		}
	}}, nil
}

// sweep removes temporary files of a killed run. Files newer than this run belong to someone
// else.
func (b *run) sweep() error {
	err := fs.WalkDir(b.root.FS(), b.opts.OutputDir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !project.IsTemporary(e.Name()) {
			return err
		}
		info, err := e.Info()
		if err == nil && info.ModTime().Before(b.begin) {
			err = b.root.Remove(filepath.FromSlash(file))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return message.Errorf("remove what a killed batch left: %w", err)
	}
	return nil
}

// release releases the lock and removes the output folder if the run created it and it is
// empty.
func (l *lock) release() error {
	err := l.Release()
	l.removeDir()
	return err
}
