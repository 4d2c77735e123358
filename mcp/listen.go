package mcp

import (
	"context"
	"net/http"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// acknowledged has mcp-go send the acknowledgement of subscriptions/listen before the response, as the protocol wants.
// mcp-go 1.2.1 hands it to a goroutine, which drops it where the response overtakes it. There is nothing here to
// subscribe to, so that the response always follows at once: it waits until something was written.
type acknowledged struct{}

// hooks returns what holds responses back.
func (acknowledged) hooks() *server.Hooks {
	const patience = 5 * time.Second // the write is to a buffer; this ends a wait for what never comes
	hooks := &server.Hooks{}
	hooks.AddAfterSubscriptionsListen(func(ctx context.Context, _ any, _ *mcpgo.SubscriptionsListenRequest, _ *mcpgo.SubscriptionsListenResult) {
		w, ok := ctx.Value(acknowledged{}).(*noticedWriter)
		if !ok {
			return
		}
		select {
		case <-w.flushed:
		case <-ctx.Done():
		case <-time.After(patience):
		}
	})
	return hooks
}

// handler wraps the handler of requests, so that the hooks see what was written.
func (acknowledged) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		flusher, ok := w.(http.Flusher)
		if !ok { // then nothing is sent before the response
			next.ServeHTTP(w, r)
			return
		}
		noticed := &noticedWriter{ResponseWriter: w, flusher: flusher, flushed: make(chan struct{})}
		next.ServeHTTP(noticed, r.WithContext(context.WithValue(r.Context(), acknowledged{}, noticed)))
	})
}

// noticedWriter is a response whose first flush is noticed.
type noticedWriter struct {
	http.ResponseWriter
	flusher http.Flusher
	once    sync.Once
	flushed chan struct{}
}

// Flush implements [http.Flusher].
func (w *noticedWriter) Flush() {
	w.flusher.Flush()
	w.once.Do(func() { close(w.flushed) })
}

// Unwrap serves [http.ResponseController].
func (w *noticedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
