package mcp

import (
	"context"
	"errors"
	"io"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

const (
	// grace is how long calls may go on after the end of the input. A client in
	// a pipe (printf … | reverse-spec mcp-server) waits for its answers, and a
	// batch takes minutes; one that died shows at the next write.
	grace = 10 * time.Minute
	// lastWords is how long calls that were cancelled have to end. One that is
	// deaf to its context must not hold the exit.
	lastWords = 2 * time.Second
)

// loop serves one client.
type loop struct {
	server   *Server
	session  *session
	calls    *calls
	news     news
	requests *requests
	projects *projects
}

// Serve answers the messages on in, one a line, on out, until in ends and all
// calls are answered; then it returns nil. Nothing but JSON-RPC is written, one
// object a line, each in one Write.
//
// Tool calls run side by side, four at once; everything else is answered in
// order of arrival. When in ends, calls have ten minutes more. When ctx ends,
// calls are cancelled, have two seconds to answer, and Serve returns the cause;
// a read of in that blocks goes on in the background. When a write fails, Serve
// cancels the calls and returns the error. A message that cannot be read is
// answered with a JSON-RPC error and changes nothing else; one longer than 16
// MiB is skipped and answered so.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx = message.With(ctx, message.Choice{Lang: s.lang, Explicit: message.Explicit(ctx)})
	session := newSession(out)
	requests := newRequests(session)
	l := &loop{server: s, session: session, calls: newCalls(), requests: requests, projects: newProjects(s, requests)}
	done := make(chan error, 1)
	go func() { done <- l.run(ctx, in) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(lastWords): // it hangs in a write that nobody reads
		return context.Cause(ctx)
	}
}

// run reads messages until the input or the context ends or the output breaks,
// and then ends the calls.
func (l *loop) run(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	watching, watch := make(chan struct{}), l.server.proxy.watch(l)
	go func() {
		defer close(watching)
		watch(ctx)
	}()
	defer func() {
		cancel()
		select {
		case <-watching:
		case <-time.After(lastWords): // it hangs in a write that nobody reads
		}
	}()
	err := l.read(ctx, readLines(ctx, in))
	l.requests.end()
	done := l.calls.done()
	select {
	case <-done:
	case <-time.After(grace):
		l.server.log.WarnContext(ctx, "calls still running long after the end of the input are cancelled")
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-l.session.broken:
	}
	cancel()
	select {
	case <-done:
		err = errors.Join(err, l.projects.close())
	case <-time.After(lastWords): // and they still use what is open
	}
	if broken := l.session.failed(); err == nil && broken != nil {
		return message.Errorf("write to the client: %w", broken)
	}
	return err
}

// read handles lines until there are no more.
func (l *loop) read(ctx context.Context, lines <-chan line) error {
	ctx = l.server.mcp.WithContext(ctx, l.session)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-l.session.broken:
			return nil
		case x := <-lines:
			switch {
			case errors.Is(x.err, errLine):
				l.session.send(refuse(nil, mcpgo.INVALID_REQUEST, message.Render(l.server.lang, x.err)))
			case errors.Is(x.err, io.EOF):
				return nil
			case x.err != nil:
				return message.Errorf("read from the client: %w", x.err)
			case len(x.text) > 0:
				l.handle(ctx, x.text)
			}
		}
	}
}

// handle takes one message. It does not wait for calls.
func (l *loop) handle(ctx context.Context, text []byte) {
	f, fault := parse(text)
	switch {
	case fault != nil:
		l.session.send(refuse(fault.id, fault.code, fault.text.In(l.server.lang)))
	case f.method == "notifications/cancelled":
		l.calls.cancel(string(f.member("requestId")))
	case f.method == "":
		l.requests.answered(f)
	case f.id == nil: // a notification is never answered
		l.projects.note(ctx, f)
	case f.method == string(mcpgo.MethodToolsCall):
		l.call(ctx, f)
	default:
		answer := l.server.answer(ctx, f)
		l.session.flush()
		l.session.send(answer)
		if f.method == string(mcpgo.MethodInitialize) {
			l.projects.note(ctx, f)
			l.news.open(l.session)
		}
	}
}

// call queues a tool call.
func (l *loop) call(ctx context.Context, f frame) {
	called, ok := text(f.member("name"))
	if !ok {
		l.session.send(refuse(f.id, mcpgo.INVALID_PARAMS, message.New("params.name must be the name of a tool").In(l.server.lang)))
		return
	}
	if unknown := l.server.unknownTool(called); !unknown.Empty() {
		l.session.send(refuse(f.id, mcpgo.INVALID_PARAMS, unknown.In(l.server.lang)))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	k := &call{id: string(f.id), cancel: cancel, apart: l.server.proxy.has(called)}
	k.run = func() { l.work(ctx, f, k) }
	if code, refusal := l.calls.add(k); !refusal.Empty() {
		cancel()
		l.session.send(refuse(f.id, code, refusal.In(l.server.lang)))
	}
}

// work runs a tool call and sends its answer, unless the client cancelled it.
func (l *loop) work(ctx context.Context, f frame, k *call) {
	defer k.cancel()
	if k.apart {
		l.relay(ctx, f, k)
		return
	}
	reporter := newReporter(l.session, l.server.lang, f.member("_meta", "progressToken"))
	defer context.AfterFunc(ctx, reporter.close)() // who cancelled wants to hear no more
	answer := l.server.answer(withCaller(progress.With(ctx, reporter.report), caller{l.projects, f}), f)
	reporter.close()
	reporter.keepApart(ctx)
	if l.calls.finish(k) {
		l.session.send(answer)
	}
}
