// Package progress lets long operations report their progress to a function in the context. [Event] is one report,
// [Func] receives it.
package progress

import "context"

// Event says that Done of Total items are done and which one is in progress.
type Event struct {
	Stage string // a short verb: "parse", "generate"
	Item  string // the current file or module; may be empty
	Done  int
	Total int // 0 if not known yet
}

// Func receives an event. It may be called concurrently and must return quickly.
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
