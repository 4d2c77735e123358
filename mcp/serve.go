package mcp

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync/atomic"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

const (
	// maxMessage is the longest message in bytes. Arguments are paths and switches; a
	// client that sends more is broken.
	maxMessage = 16 << 20
	// drainTimeout is how long calls may go on after the end of the input. A client in
	// a pipe (printf … | reverse-spec mcp-server) waits for its responses, and a
	// batch takes minutes; a client that died is noticed at the next write.
	drainTimeout = 10 * time.Minute
	// shutdownTimeout is how long calls that were cancelled have to end. One that
	// ignores its context must not block the exit.
	shutdownTimeout = 2 * time.Second
)

// connection serves one client.
type connection struct {
	server        *Server
	session       *session
	queue         *queue
	peer          *peer
	notifications notifications
	projects      *projects
	sampling      atomic.Bool // the client lends its model
}

// Serve answers the messages on in, one a line, on out, until in ends and all
// calls are answered; then it returns nil. Nothing but JSON-RPC is written, one
// object a line, each in one Write.
//
// Tool calls run concurrently, four at once; everything else is answered in
// order of arrival. When in ends, calls have ten minutes more. When ctx ends,
// calls are cancelled, have two seconds to answer, and Serve returns the cause;
// a blocked read of in goes on in the background. When a write fails, Serve
// cancels the calls and returns the error. A message that cannot be read is
// answered with a JSON-RPC error and changes nothing else; so is one longer than 16
// MiB, which is skipped.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx = message.With(ctx, message.Choice{Lang: s.lang, Explicit: message.Explicit(ctx)})
	session := newSession(out)
	peer := newPeer(session)
	c := &connection{server: s, session: session, queue: newQueue(), peer: peer, projects: newProjects(s, peer)}
	done := make(chan error, 1)
	go func() { done <- c.run(ctx, in) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(shutdownTimeout): // blocked in a write that nobody reads
		return context.Cause(ctx)
	}
}

// run reads messages until the input or the context ends or the output breaks,
// and then ends the calls.
func (c *connection) run(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	watching, watch := make(chan struct{}), c.server.proxy.watch(c)
	go func() {
		defer close(watching)
		watch(ctx)
	}()
	defer func() {
		cancel()
		select {
		case <-watching:
		case <-time.After(shutdownTimeout): // blocked in a write that nobody reads
		}
	}()
	err := c.read(ctx, lines(ctx, in))
	_ = c.peer.Close(errClientClosed)
	done := c.queue.done()
	select {
	case <-done:
	case <-time.After(drainTimeout):
		c.server.log.WarnContext(ctx, "calls still running long after the end of the input are cancelled")
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-c.session.Broken():
	}
	cancel()
	select {
	case <-done:
		err = errors.Join(err, c.projects.close())
	case <-time.After(shutdownTimeout): // the calls still use the projects
	}
	if broken := c.session.Err(); err == nil && broken != nil {
		return message.Errorf("write to the client: %w", broken)
	}
	return err
}

// line is what was read: text, or an error.
type line struct {
	text []byte
	err  error
}

// lines reads lines in a goroutine of its own, because a blocked read cannot
// be interrupted: when ctx ends during one, the goroutine stays until in is
// closed or returns something.
func lines(ctx context.Context, in io.Reader) <-chan line {
	all := make(chan line)
	go func() {
		r := jsonrpc.NewReader(in, maxMessage)
		for {
			text, err := r.Read()
			select {
			case all <- line{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, jsonrpc.ErrTooLong) {
				return
			}
		}
	}()
	return all
}

// read handles lines until there are no more.
func (c *connection) read(ctx context.Context, lines <-chan line) error {
	ctx = c.server.mcp.WithContext(ctx, c.session)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-c.session.Broken():
			return nil
		case x := <-lines:
			switch {
			case errors.Is(x.err, jsonrpc.ErrTooLong):
				c.send(errorResponse("", jsonrpc.CodeInvalidRequest, message.New("message longer than 16 MiB").In(c.server.lang)))
			case errors.Is(x.err, io.EOF):
				return nil
			case x.err != nil:
				return message.Errorf("read from the client: %w", x.err)
			case len(x.text) > 0:
				c.handle(ctx, x.text)
			}
		}
	}
}

// handle decodes one message and routes it. It does not wait for calls.
func (c *connection) handle(ctx context.Context, text []byte) {
	m, err := jsonrpc.Parse(text)
	if invalid, ok := errors.AsType[*jsonrpc.InvalidError](err); ok {
		c.send(errorResponse(invalid.ID, invalid.Code, invalid.In(c.server.lang)))
		return
	}
	switch {
	case m.Method == jsonrpc.MethodCancelled:
		c.queue.cancel(decodeCancelled(m.Params))
	case m.Method == "":
		c.peer.Respond(m)
	case m.ID == "": // a notification is never answered
		c.projects.note(ctx, m.Method)
	case m.Method == string(mcpgo.MethodToolsCall):
		c.enqueue(ctx, m)
	default:
		response := c.server.answer(ctx, m)
		c.session.flush()
		c.send(response)
		if m.Method == string(mcpgo.MethodInitialize) {
			offered := decodeInitialize(m.Params)
			c.projects.offer(offered.roots)
			c.sampling.Store(offered.sampling)
			c.notifications.enable(c.session)
		}
	}
}

// send encodes and writes a response.
func (c *connection) send(r jsonrpc.Response) { c.session.send(c.server.encode(r)) }

// errClientClosed is the error of requests to a client that can answer no more.
var errClientClosed = errors.New("the client has closed its end")

// peer is the requests that the server makes of its client.
type peer struct {
	*jsonrpc.Peer
	session *session
}

func newPeer(s *session) *peer {
	id := func(n int64) jsonrpc.ID { return jsonrpc.StringID(serverName + "-" + strconv.FormatInt(n, 10)) }
	return &peer{jsonrpc.NewPeer(id), s}
}

// ask sends a request and waits for its result. The error is that of the client's response, errClientClosed, or the cause of the
// context.
func (p *peer) ask(ctx context.Context, r jsonrpc.Call) ([]byte, error) {
	return p.Call(ctx, r, func(_ jsonrpc.ID, text []byte) { p.session.send(text) })
}
