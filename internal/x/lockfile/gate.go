package lockfile

import (
	"context"
	"errors"
	"os"
	"time"
)

// mode is a shared or an exclusive lock.
type mode bool

const (
	shared    mode = false
	exclusive mode = true
)

// maxPause is the longest wait between two attempts to lock a gate.
const maxPause = 20 * time.Millisecond

// LockShared takes the gate as a reader: it waits until no process holds the gate exclusively, and blocks [Shut] until
// leave is called.
func LockShared(ctx context.Context, root *os.Root, name string) (leave func() error, err error) {
	return enter(ctx, root, name, shared)
}

// LockExclusive takes the gate exclusively: it waits until no process holds it, and keeps all others out until open is
// called. The gate's file is not removed.
func LockExclusive(ctx context.Context, root *os.Root, name string) (open func() error, err error) {
	return enter(ctx, root, name, exclusive)
}

func enter(ctx context.Context, root *os.Root, name string, m mode) (func() error, error) {
	pause := time.Millisecond / 4
	for {
		l, err := tryLock(root, name, m)
		if err == nil {
			return l.file.Close, nil
		}
		if held := (*HeldError)(nil); !errors.As(err, &held) {
			return nil, err
		}
		pause = min(2*pause, maxPause)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}
