package mcp

import (
	"io"
	"sync/atomic"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

// session is one client: mcp-go's view of it ([server.ClientSession]) and the
// stream that leads to it.
type session struct {
	*jsonrpc.Writer
	out         io.Writer // under Writer
	initialized atomic.Bool
	pending     chan mcpgo.JSONRPCNotification // sent by mcp-go itself
}

func newSession(out io.Writer) *session {
	const room = 16 // mcp-go sends one at most, in response to subscriptions/listen
	return &session{Writer: jsonrpc.NewWriter(out), out: out, pending: make(chan mcpgo.JSONRPCNotification, room)}
}

// SessionID identifies a session where one mcp-go server keeps several; this
// server registers none.
func (s *session) SessionID() string { return "stdio" }

// Initialize notes that the client may be sent notifications.
func (s *session) Initialize() { s.initialized.Store(true) }

// Initialized reports whether the client may be sent notifications.
func (s *session) Initialized() bool { return s.initialized.Load() }

// NotificationChannel takes what mcp-go sends by itself; see [session.flush].
func (s *session) NotificationChannel() chan<- mcpgo.JSONRPCNotification { return s.pending }

// send writes one message. A failed write ends the connection: see [jsonrpc.Writer.Broken].
func (s *session) send(message []byte) { _ = s.Write(message) }

// notify sends a notification.
func (s *session) notify(method string, params any) {
	if line, err := jsonrpc.Encode(jsonrpc.Request{Method: method, Params: params}); err == nil { // always, of our own types
		s.send(line)
	}
}

// flush writes the notifications that mcp-go has made so far, so that they come
// before the response of the request they belong to.
func (s *session) flush() {
	for {
		select {
		case note := <-s.pending:
			if line, err := jsonrpc.Encode(note); err == nil {
				s.send(line)
			}
		default:
			return
		}
	}
}
