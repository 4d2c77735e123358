//go:build conformance

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// session is one run of the server's loop: the lines that lead to it, and the HTTP
// responses that wait for lines of it. It is the [io.Writer] that the loop writes to, and
// the [mcp.Levels] of its client.
type session struct {
	in    *io.PipeWriter
	stop  context.CancelFunc
	ended chan struct{} // closed when the loop is done

	mu    sync.Mutex
	calls []*stream // of requests without an answer, the oldest first
	aside *stream   // for messages that belong to no request; nil for none
	level mcpgo.LoggingLevel
}

// SetLogLevel is [mcp.Levels].
func (s *session) SetLogLevel(level mcpgo.LoggingLevel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

// GetLogLevel is [mcp.Levels].
func (s *session) GetLogLevel() mcpgo.LoggingLevel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

// stream is one HTTP response that waits for lines.
type stream struct {
	id    string // of the request that it answers; "" for none
	token string // of that request's progress; "" for none
	lines chan message
	gone  chan struct{} // closed when lines are no longer read
}

func newStream() *stream {
	const room = 64 // lines that need not wait for the network
	return &stream{lines: make(chan message, room), gone: make(chan struct{})}
}

// take passes a message to the server, and responds to the HTTP request with what comes back.
func (s *session) take(w http.ResponseWriter, r *http.Request, m message) {
	var to *stream
	if m.wantsAnswer() {
		to = newStream()
		to.id, to.token = m.id(), m.token()
		s.mu.Lock()
		s.calls = append(s.calls, to)
		s.mu.Unlock()
		defer s.drop(to)
	}
	if _, err := s.in.Write(append(m.line, '\n')); err != nil {
		http.Error(w, "the session has ended", http.StatusNotFound)
		return
	}
	if to == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.copy(w, r, to)
}

// listen streams messages that belong to no request.
func (s *session) listen(w http.ResponseWriter, r *http.Request) {
	to := newStream()
	s.mu.Lock()
	taken := s.aside != nil
	if !taken {
		s.aside = to
	}
	s.mu.Unlock()
	if taken {
		http.Error(w, "there is such a stream already", http.StatusConflict)
		return
	}
	defer s.drop(to)
	openEvents(w)
	s.copy(w, r, to)
}

// drop forgets a stream.
func (s *session) drop(to *stream) {
	close(to.gone)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = slices.DeleteFunc(s.calls, func(c *stream) bool { return c == to })
	if s.aside == to {
		s.aside = nil
	}
}

// Write takes one line from the server and sends it to the response that it belongs to;
// without one it is dropped.
func (s *session) Write(line []byte) (int, error) {
	m := read(line)
	if to := s.streamOf(m); to != nil {
		select {
		case to.lines <- m:
		case <-to.gone:
		}
	}
	return len(line), nil
}

// streamOf is the stream of a message: for a response its request, for progress the request with
// its token, and for a message without either (log messages, requests to the client)
// the oldest open request, or without one the stream of listen. It returns nil if there is
// none.
func (s *session) streamOf(m message) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	token := m.token()
	for _, c := range s.calls {
		if m.isAnswer() && c.id == m.id() || !m.isAnswer() && (token == "" || c.token == token) {
			return c
		}
	}
	if m.isAnswer() {
		return nil
	}
	return s.aside
}

// copy writes the messages of a stream until the response, or until the client disconnects or
// the session ends: as JSON if the response comes first, else as events.
func (s *session) copy(w http.ResponseWriter, r *http.Request, from *stream) {
	for {
		select {
		case m := <-from.lines:
			if m.isAnswer() && w.Header().Get("Content-Type") == "" {
				w.Header().Set("Content-Type", "application/json")
				if isStateless(r, m) {
					w.WriteHeader(status(m.code()))
				}
				_, _ = w.Write(m.line) // a client that is gone misses nothing
				return
			}
			sendEvent(w, m)
			if m.isAnswer() {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.ended:
			return
		}
	}
}

// openEvents begins a stream of events.
func openEvents(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	_ = http.NewResponseController(w).Flush()
}

func sendEvent(w http.ResponseWriter, m message) {
	if w.Header().Get("Content-Type") == "" {
		openEvents(w)
	}
	fmt.Fprintf(w, "event: message\ndata: %s\n\n", m.line)
	_ = http.NewResponseController(w).Flush()
}
