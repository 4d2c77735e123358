package search

import (
	"context"
	"time"
)

// WithoutWaiting returns an embedder that does not wait before a retry, but reports the time to told.
func WithoutWaiting(e Embedder, told func(d time.Duration)) Embedder {
	e.(*remote).wait = func(ctx context.Context, d time.Duration) error {
		told(d)
		return ctx.Err()
	}
	return e
}
