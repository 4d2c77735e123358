package mcp

import (
	"io"
	"sync"
	"sync/atomic"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// session is one client: mcp-go's view of it ([server.ClientSession]) and the
// stream that leads to it.
type session struct {
	initialized atomic.Bool
	notes       chan mcpgo.JSONRPCNotification // what mcp-go itself sends

	mu     sync.Mutex
	out    io.Writer
	err    error
	broken chan struct{} // closed when a write failed; err says why
}

func newSession(out io.Writer) *session {
	const room = 16 // mcp-go sends one at most, in answer to subscriptions/listen
	return &session{notes: make(chan mcpgo.JSONRPCNotification, room), out: out, broken: make(chan struct{})}
}

// SessionID tells sessions apart where one mcp-go server keeps several; this
// server registers none.
func (s *session) SessionID() string { return "stdio" }

// Initialize notes that the client may be sent notifications.
func (s *session) Initialize() { s.initialized.Store(true) }

// Initialized says whether the client may be sent notifications.
func (s *session) Initialized() bool { return s.initialized.Load() }

// NotificationChannel takes what mcp-go sends by itself; see [session.flush].
func (s *session) NotificationChannel() chan<- mcpgo.JSONRPCNotification { return s.notes }

// send writes one message, its line end included, in one piece. After a write
// that failed nothing is written any more.
func (s *session) send(message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if _, err := s.out.Write(append(message, '\n')); err != nil {
		s.err = err
		close(s.broken)
	}
}

// flush writes the notifications that mcp-go made so far, so that they stand
// before the answer of the request they belong to.
func (s *session) flush() {
	for {
		select {
		case note := <-s.notes:
			if b, err := encode(note); err == nil {
				s.send(b)
			}
		default:
			return
		}
	}
}

// failed returns why the stream broke, nil while it holds.
func (s *session) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}
