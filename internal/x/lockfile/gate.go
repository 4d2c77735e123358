package lockfile

import (
	"context"
	"errors"
	"os"
	"time"
)

// mode is how a file is locked.
type mode bool

const (
	shared    mode = false
	exclusive mode = true
)

// longestPause is how long at most one waits between two tries at a gate.
const longestPause = 20 * time.Millisecond

// Pass waits until a gate is not closed, and keeps it from being closed until
// leave is called. Many may be in it at once.
func Pass(ctx context.Context, root *os.Root, name string) (leave func() error, err error) {
	return enter(ctx, root, name, shared)
}

// Shut waits until nobody is in a gate, and keeps everybody out until open is
// called. The gate's file stays.
func Shut(ctx context.Context, root *os.Root, name string) (open func() error, err error) {
	return enter(ctx, root, name, exclusive)
}

func enter(ctx context.Context, root *os.Root, name string, m mode) (func() error, error) {
	pause := time.Millisecond / 4
	for {
		l, err := take(root, name, m)
		if err == nil {
			return l.file.Close, nil
		}
		if held := (*HeldError)(nil); !errors.As(err, &held) {
			return nil, err
		}
		pause = min(2*pause, longestPause)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}
