package client

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

// EventKind is what changed.
type EventKind string

// The kinds of events.
const (
	StateChanged     EventKind = "state"     // [Registry.Servers] says how it is now
	ToolsChanged     EventKind = "tools"     // [Registry.Tools] has them
	ResourcesChanged EventKind = "resources" // [Registry.Resources] asks for them
)

// Watch calls f for the state of each server as it is, and then for each change
// until ctx ends; it returns the cause of that. A change that comes while the same
// one is still waiting for f is not told twice: f looks at the registry as it is.
func (r *Registry) Watch(ctx context.Context, f func(Event)) error {
	w := r.events.watch()
	defer r.events.leave(w)
	for _, u := range r.upstreams {
		w.add(Event{StateChanged, u.server.Name})
	}
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

// events hands events to watchers.
type events struct {
	mu       sync.Mutex
	watchers map[*watcher]bool
}

type watcher struct {
	mu      sync.Mutex
	waiting []Event
	wake    chan struct{} // room for one
}

func newEvents() *events { return &events{watchers: map[*watcher]bool{}} }

func (e *events) watch() *watcher {
	w := &watcher{wake: make(chan struct{}, 1)}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watchers[w] = true
	return w
}

func (e *events) leave(w *watcher) {
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

func (w *watcher) add(event Event) {
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

func (w *watcher) take() []Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.waiting
	w.waiting = nil
	return taken
}
