package index

import (
	"context"
	"errors"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// DefaultWait is how long a run requested by a user waits for a run of another process.
const DefaultWait = 10 * time.Minute

// lockPoll is the interval between attempts to take the lock.
const lockPoll = 100 * time.Millisecond

// Lock makes the caller the only writer of the project in a folder, as [store.Store.Lock] does, and waits up to
// limit if the lock is held. Waiting is reported as the stage "wait", in seconds. After limit the error is a
// [*store.LockedError].
func Lock(ctx context.Context, s store.Store, root string, limit time.Duration) (release func() error, err error) {
	begin := time.Now()
	for {
		release, err = s.Lock(ctx, root)
		locked := (*store.LockedError)(nil)
		waited := time.Since(begin)
		if !errors.As(err, &locked) || limit <= 0 {
			return release, err
		}
		if waited >= limit {
			locked.Waited = limit
			return nil, locked
		}
		progress.Report(ctx, progress.Event{
			Stage: "wait", Item: message.Render(message.From(ctx), locked),
			Done: int(waited.Seconds()), Total: max(1, int(limit.Seconds())),
		})
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(lockPoll, limit-waited)):
		}
	}
}
