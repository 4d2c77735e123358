package search

import (
	"context"
	"time"
)

// WithoutWaiting lets an embedder not wait before it asks again, and tells how long it
// would have.
func WithoutWaiting(e Embedder, told func(d time.Duration)) Embedder {
	e.(*remote).wait = func(ctx context.Context, d time.Duration) error {
		told(d)
		return ctx.Err()
	}
	return e
}
