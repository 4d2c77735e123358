// Package progress is how long work tells where it stands: one event type and
// a function that takes it.
package progress

import "context"

// Event says that Done of Total items are done and what is being done now.
type Event struct {
	Stage string // "parse", "generate": a short verb
	Item  string // the file or module at hand; may be empty
	Done  int
	Total int // 0 when not known yet
}

// Func takes an event. It may be called from several goroutines and must return
// quickly.
type Func func(Event)

type key struct{}

// With returns a context whose work reports to f.
func With(ctx context.Context, f Func) context.Context {
	return context.WithValue(ctx, key{}, f)
}

// Report sends e to the context's function, if it has one.
func Report(ctx context.Context, e Event) {
	if f, ok := ctx.Value(key{}).(Func); ok {
		f(e)
	}
}
