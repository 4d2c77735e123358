//go:build conformance

package main

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"sync"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/mcp"
)

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	maxBody       = 17 << 20 // more than the longest line that our server takes
)

// bridge is streamable HTTP before a server for lines. Each session of a client, and
// each request of one that keeps none, is a run of the server's loop.
type bridge struct {
	start func() *session

	mu       sync.Mutex
	sessions map[string]*session
	wg       sync.WaitGroup
}

// newBridge returns a bridge to s. Its sessions end with ctx.
func newBridge(ctx context.Context, s *mcp.Server) *bridge {
	b := &bridge{sessions: map[string]*session{}}
	b.start = func() *session {
		ctx, stop := context.WithCancel(ctx)
		in, lines := io.Pipe()
		one := &session{in: lines, stop: stop, ended: make(chan struct{}), level: mcpgo.LoggingLevelDebug}
		b.wg.Go(func() {
			defer stop()
			_ = s.Serve(ctx, in, one) // errors show in what the suite receives
			_ = in.Close()
			close(one.ended)
		})
		return one
	}
	return b
}

// wait waits until all sessions have ended.
func (b *bridge) wait() { b.wg.Wait() }

// ServeHTTP receives messages (POST), streams messages that are not responses (GET), and ends
// sessions (DELETE).
func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/mcp" {
		http.NotFound(w, r)
		return
	}
	switch r.Method {
	case http.MethodPost:
		b.post(w, r)
	case http.MethodGet:
		if s := b.session(w, r); s != nil {
			s.listen(w, r)
		}
	case http.MethodDelete:
		if s := b.session(w, r); s != nil {
			b.forget(r.Header.Get(sessionHeader))
			s.stop()
		}
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// post forwards a message, and responds with what comes back.
func (b *bridge) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m := read(body)
	switch {
	case isStateless(r, m):
		if e := misfit(r, m); e != nil {
			refuse(w, m, *e)
			return
		}
		s := b.start()
		defer s.stop()
		s.take(w, r, m)
	case m.method() == "initialize":
		id := rand.Text()
		w.Header().Set(sessionHeader, id)
		b.add(id).take(w, r, m)
	default:
		if s := b.session(w, r); s != nil {
			s.take(w, r, m)
		}
	}
}

// add starts a session that requests can name.
func (b *bridge) add(id string) *session {
	s := b.start()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions[id] = s
	return s
}

// session is the session that a request names. With none it answers and returns nil.
func (b *bridge) session(w http.ResponseWriter, r *http.Request) *session {
	id := r.Header.Get(sessionHeader)
	b.mu.Lock()
	s := b.sessions[id]
	b.mu.Unlock()
	switch {
	case id == "":
		http.Error(w, "no "+sessionHeader, http.StatusBadRequest)
	case s == nil:
		http.Error(w, "no such session", http.StatusNotFound)
	}
	return s
}

// forget makes a session unknown.
func (b *bridge) forget(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.sessions, id)
}
