package search

import (
	"context"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// WithoutWaiting returns an embedder that does not wait before a retry, but reports the time to told.
func WithoutWaiting(e Embedder, told func(d time.Duration)) Embedder {
	e.(*remote).wait = func(ctx context.Context, d time.Duration) error {
		told(d)
		return ctx.Err()
	}
	return e
}

// SignalNames are the names of the signals, in their order.
var SignalNames = [signals]string{"signalWords", "signalFile", "signalName", "signalHas", "signalAlike", "signalExported", "signalShort"}

// Signals returns the symbols that are found for a query, and the signals of each.
func Signals(ctx context.Context, src Source, query string) (nodes []codegraph.Node, list [][signals]float64, err error) {
	m, err := matching(ctx, src, query, minDepth, nil)
	if m == nil || err != nil {
		return nil, nil, err
	}
	asked, whole := newAsked(query), m.wholeFiles()
	for i := range m.symbols {
		list = append(list, m.signals(i, asked, whole))
	}
	return m.symbols, list, nil
}
