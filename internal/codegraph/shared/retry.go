package shared

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// The first and the longest wait between attempts; each is twice the one before, more or less.
const (
	firstWait = 250 * time.Millisecond
	maxWait   = 10 * time.Second
)

// Retry calls f until it succeeds, fails for good, or would have to wait beyond a limit from the first failure. Retrying is called before
// each wait; nil for nothing.
func Retry(ctx context.Context, limit time.Duration, retrying func(why error, wait time.Duration), f func() error) error {
	var end time.Time
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		err := f()
		if err == nil || !passes(err) || ctx.Err() != nil {
			return err
		}
		if end.IsZero() {
			end = time.Now().Add(limit)
		}
		pause := wait/2 + rand.N(wait) // so that those who failed together do not come back together
		if time.Now().Add(pause).After(end) {
			return err
		}
		if retrying != nil {
			retrying(err, pause)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// passes reports whether an error is one that may not come again: the server was away, or the connection that held a lock was lost.
func passes(err error) bool {
	temporary, ok := errors.AsType[interface {
		error
		Temporary() bool
	}](err)
	return ok && temporary.Temporary() || errors.Is(err, store.ErrNotLocked)
}
