package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// transport carries messages to a server. What comes back it hands to its peer's
// receive; a request that could not be delivered to Fail, and the end of the
// connection to lose.
type transport interface {
	// request sends a request. It does not block. When ctx ends, nobody waits for
	// the response any more.
	request(ctx context.Context, id jsonrpc.ID, text []byte)
	// notify sends a message that has no response, and returns when it is on its way.
	notify(ctx context.Context, text []byte) error
	// negotiated sets the version of the protocol, once, after initialize.
	negotiated(version string)
	// listen opens what the server needs to send messages by itself.
	listen()
	// close ends the connection and its processes, and returns when they have ended.
	close()
}

// peer handles the messages of one server: responses to the requests in flight,
// notifications, and the server's own requests.
type peer struct {
	*jsonrpc.Peer
	server   string
	log      *slog.Logger
	notified func(method string) // called for notifications of change; must not block

	received atomic.Int64 // messages
}

func newPeer(server string, logger *slog.Logger) *peer {
	return &peer{Peer: jsonrpc.NewPeer(jsonrpc.NumberID), server: server, log: logger.With("server", server)}
}

// call sends a request and waits for the response. When ctx ends first, the server
// is told and the cause of ctx is returned; when the connection is lost, why.
func (p *peer) call(ctx context.Context, t transport, c jsonrpc.Call) (json.RawMessage, error) {
	if c.Method != "initialize" { // the protocol forbids cancelling it
		c.Cancelled = func(id jsonrpc.ID) { p.cancel(ctx, t, id) }
	}
	return p.Call(ctx, c, func(id jsonrpc.ID, text []byte) { t.request(ctx, id, text) })
}

// cancel notifies the server that nobody waits for a response any more. It does not
// wait for delivery: a server that is stuck would block the caller.
func (p *peer) cancel(ctx context.Context, t transport, id jsonrpc.ID) {
	const timeout = 5 * time.Second
	text, err := jsonrpc.Encode(jsonrpc.Request{
		Method: jsonrpc.MethodCancelled, Params: jsonrpc.Cancelled{RequestID: id, Reason: context.Cause(ctx).Error()},
	})
	if err != nil {
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	go func() {
		defer done()
		if err := t.notify(ctx, text); err != nil {
			p.log.DebugContext(ctx, "the server could not be told of a cancelled request", "error", err)
		}
	}()
}

// receive handles one message from the server and returns the response to send, nil
// for none. Servers are read leniently: what can be routed is taken, anything else is
// logged and skipped.
func (p *peer) receive(text []byte) (response []byte) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil
	}
	var m jsonrpc.Message
	if err := json.Unmarshal(text, &m); err != nil {
		p.log.Debug("not a message", "text", jsonrpc.Clip(string(text)))
		return nil
	}
	p.received.Add(1)
	switch {
	case m.Method != "" && m.ID != "":
		return p.serve(m)
	case m.Method != "":
		p.note(m)
	case m.ID == "":
		p.log.Debug("a message without an id and a method", "text", jsonrpc.Clip(string(text)))
	case !p.Respond(m):
		p.log.Debug("a response that nobody waits for", "id", jsonrpc.Clip(string(m.ID)))
	}
	return nil
}

// note handles a notification.
func (p *peer) note(m jsonrpc.Message) {
	switch m.Method {
	case jsonrpc.MethodProgress:
		p.Progress(m.Params)
	case "notifications/message":
		p.log.Debug("the server logs", "message", jsonrpc.Clip(string(m.Params)))
	default:
		if p.notified != nil {
			p.notified(m.Method)
		}
	}
}

// serve responds to a request of the server. Ping is the only one: no capability was
// offered to it.
func (p *peer) serve(m jsonrpc.Message) []byte {
	response := jsonrpc.Response{ID: m.ID}
	if m.Method == "ping" {
		response.Result = struct{}{}
	} else {
		response.Error = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not know " + jsonrpc.Clip(m.Method)}
	}
	text, err := jsonrpc.Encode(response)
	if err != nil {
		return nil
	}
	return text
}

// lose ends all requests because the connection is lost, and returns why: the first
// reason counts.
func (p *peer) lose(err error) error { return p.Close(&LostError{p.server, err}) }

// errTooLong is the error of a message above maxMessage.
var errTooLong = message.Errorf("a message of more than %d MiB", maxMessage>>20)
