package live

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// beat waits for the events of all that has happened: it writes to a file of its own that is watched, too. The
// system queues all events of one watcher in their order.
type beat struct {
	name string
	file *os.File // has no name any more

	mu      sync.Mutex
	stopped bool
	under   *round // the file was written
	next    *round // to be written when that one is over
}

// round is one write and those who wait for it.
type round struct{ over chan struct{} }

func newRound() *round { return &round{make(chan struct{})} }

func newBeat(w *fsnotify.Watcher) (*beat, error) {
	f, err := os.CreateTemp("", "reverse-spec-live-")
	if err != nil {
		return nil, err
	}
	err = w.Add(f.Name())
	if err = errors.Join(err, os.Remove(f.Name())); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &beat{name: f.Name(), file: f}, nil
}

// is reports whether an event is of the beat.
func (b *beat) is(e fsnotify.Event) bool { return e.Name == b.name && e.Has(fsnotify.Write) }

// errStopped is returned when the watch has ended.
var errStopped = errors.New("the watch has ended")

// wait waits until the events of all that happened before have been handled.
func (b *beat) wait(ctx context.Context) error {
	b.mu.Lock()
	if b.stopped {
		b.mu.Unlock()
		return errStopped
	}
	var mine *round
	switch {
	case b.under == nil:
		mine = newRound()
		b.under = mine
		if err := b.write(); err != nil {
			b.under = nil
			b.mu.Unlock()
			return err
		}
	case b.next == nil: // the write under way may have been before what this caller saw
		b.next = newRound()
		mine = b.next
	default:
		mine = b.next
	}
	b.mu.Unlock()
	select {
	case <-mine.over:
	case <-ctx.Done():
		return ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return errStopped
	}
	return nil
}

func (b *beat) write() error {
	_, err := b.file.WriteAt([]byte{1}, 0)
	return err
}

// felt handles the event of the write.
func (b *beat) felt() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.under == nil {
		return
	}
	close(b.under.over)
	b.under, b.next = b.next, nil
	if b.under != nil && b.write() != nil {
		b.end()
	}
}

// stop ends all waiting: no more events come.
func (b *beat) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
}

func (b *beat) end() {
	b.stopped = true
	for _, r := range []*round{b.under, b.next} {
		if r != nil {
			close(r.over)
		}
	}
	b.under, b.next = nil, nil
}

func (b *beat) close() error { return b.file.Close() }
