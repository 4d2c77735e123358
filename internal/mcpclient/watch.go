package mcpclient

import (
	"context"
	"slices"
	"sync"
)

// Event is a change in a registry.
type Event struct {
	Kind   EventKind
	Server string
}

// EventKind is the kind of a change.
type EventKind string

// The kinds of events.
const (
	StateChanged     EventKind = "state"     // [Registry.Servers] says how it is now
	ToolsChanged     EventKind = "tools"     // [Registry.Tools] has them
	ResourcesChanged EventKind = "resources" // [Registry.Resources] asks for them
)

// Watch returns a watcher, which receives the current state of each server and
// every change from now on. [Watcher.Each] ends it.
func (r *Registry) Watch() *Watcher {
	w := r.events.watch()
	for _, u := range r.upstreams {
		w.add(Event{StateChanged, u.server.Name})
	}
	return w
}

// Each calls f for each change until ctx ends, and returns its cause; it is called
// once. A change that comes while the same one is still pending is not repeated: f is to
// read the current state of the registry.
func (w *Watcher) Each(ctx context.Context, f func(Event)) error {
	defer w.events.leave(w)
	for {
		for _, e := range w.take() {
			f(e)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.wake:
		}
	}
}

// events sends events to watchers.
type events struct {
	mu       sync.Mutex
	watchers map[*Watcher]bool
}

// Watcher collects the changes of a registry.
type Watcher struct {
	events *events

	mu      sync.Mutex
	waiting []Event
	wake    chan struct{} // room for one
}

func newEvents() *events { return &events{watchers: map[*Watcher]bool{}} }

func (e *events) watch() *Watcher {
	w := &Watcher{events: e, wake: make(chan struct{}, 1)}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watchers[w] = true
	return w
}

func (e *events) leave(w *Watcher) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.watchers, w)
}

func (e *events) add(event Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for w := range e.watchers {
		w.add(event)
	}
}

func (w *Watcher) add(event Event) {
	w.mu.Lock()
	if !slices.Contains(w.waiting, event) {
		w.waiting = append(w.waiting, event)
	}
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *Watcher) take() []Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.waiting
	w.waiting = nil
	return taken
}
