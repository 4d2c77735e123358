package shared

import (
	"context"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// joined is a store whose list of projects is read for one caller at a time: those that come while it is read wait, and share the next reading.
// So what was pushed before a call is in its result.
type joined struct {
	store.Shared
	mu      sync.Mutex
	running bool
	next    *reading // nil if no caller waits for one that has not begun
}

// reading is one reading of the list.
type reading struct {
	done     chan struct{}
	projects []store.SharedProject // not to be changed
	err      error
}

// longestReading bounds a reading, which goes on when its callers have left.
const longestReading = time.Minute

func (j *joined) Origins(ctx context.Context) ([]store.SharedProject, error) {
	j.mu.Lock()
	r := j.next
	if r == nil {
		r = &reading{done: make(chan struct{})}
		j.next = r
		if !j.running {
			j.running = true
			go j.read(context.WithoutCancel(ctx))
		}
	}
	j.mu.Unlock()
	select {
	case <-r.done:
		return r.projects, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// read reads the list for as long as callers wait for it.
func (j *joined) read(ctx context.Context) {
	for {
		j.mu.Lock()
		r := j.next
		j.next, j.running = nil, r != nil
		j.mu.Unlock()
		if r == nil {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, longestReading)
		r.projects, r.err = j.Shared.Origins(ctx)
		cancel()
		close(r.done)
	}
}
