package lockfile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
)

func folder(t *testing.T) *os.Root {
	t.Helper()
	dir, err := os.OpenRoot(t.TempDir())
	check(t, err)
	t.Cleanup(func() { check(t, dir.Close()) })
	return dir
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLockIsExclusive(t *testing.T) {
	dir, since := folder(t), time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC)
	l, err := lockfile.TryLock(dir, "lock", since)
	check(t, err)
	if h, ok := l.Before(); ok {
		t.Errorf("held before by %+v", h)
	}
	_, err = lockfile.TryLock(dir, "lock", since)
	held := (*lockfile.HeldError)(nil)
	if !errors.As(err, &held) || !cmp.Equal(held.Holder, lockfile.Holder{PID: os.Getpid(), Since: since}) {
		t.Errorf("error %v", err)
	}
	check(t, l.Release())
	if _, err := dir.Stat("lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	l, err = lockfile.TryLock(dir, "lock", since)
	check(t, err)
	check(t, l.Release())
}

func TestBeforeNamesKilledHolder(t *testing.T) {
	dir, since := folder(t), time.Date(2026, 2, 14, 11, 0, 0, 0, time.UTC)
	check(t, os.WriteFile(filepath.Join(dir.Name(), "lock"), []byte(`{"pid": 4242, "startedAt": "2026-02-14T11:00:00Z"}`), 0o600))
	l, err := lockfile.TryLock(dir, "lock", since.Add(time.Hour))
	check(t, err)
	h, ok := l.Before()
	if want := (lockfile.Holder{PID: 4242, Since: since}); !ok || !cmp.Equal(h, want) {
		t.Errorf("before: %+v", h)
	}
	check(t, l.Release())
}

// TestSharedAndExclusiveGate removes the file of the gate at the same time.
func TestSharedAndExclusiveGate(t *testing.T) {
	dir := folder(t)
	var in, shut atomic.Int32
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			for range 50 {
				if i == 0 {
					open, err := lockfile.LockExclusive(t.Context(), dir, "gate")
					if err != nil {
						t.Error(err)
						return
					}
					if shut.Add(1) != 1 || in.Load() != 0 {
						t.Error("it is not shut")
					}
					shut.Add(-1)
					_ = dir.Remove("gate") // the next process finds no gate, and creates another
					_ = open()
					continue
				}
				leave, err := lockfile.LockShared(t.Context(), dir, "gate")
				if err != nil {
					t.Error(err)
					return
				}
				in.Add(1)
				if shut.Load() != 0 {
					t.Error("it is shut")
				}
				in.Add(-1)
				_ = leave()
			}
		})
	}
	wg.Wait()
}

func TestWaitingAtAGateEndsWithTheContext(t *testing.T) {
	dir := folder(t)
	leave, err := lockfile.LockShared(t.Context(), dir, "gate")
	check(t, err)
	also, err := lockfile.LockShared(t.Context(), dir, "gate")
	check(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := lockfile.LockExclusive(ctx, dir, "gate"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	check(t, errors.Join(leave(), also()))
}

// The file has the name of a lock and other content.
func TestForeignFileIsLeftAlone(t *testing.T) {
	dir := folder(t)
	path := filepath.Join(dir.Name(), "lock")
	check(t, os.WriteFile(path, []byte("my notes"), 0o600))
	if _, err := lockfile.TryLock(dir, "lock", time.Now()); !errors.Is(err, lockfile.ErrForeign) {
		t.Errorf("error %v", err)
	}
	if _, err := lockfile.LockExclusive(t.Context(), dir, "lock"); !errors.Is(err, lockfile.ErrForeign) {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "my notes" {
		t.Errorf("%q, %v", text, err)
	}
}
