package mcpclient

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// sse is the transport of protocol version 2024-11-05: one stream of events from the
// server, the first of which is the endpoint to which messages are posted.
type sse struct {
	*web
	target string
}

// openSSE opens the stream and waits for the endpoint until ctx ends.
func openSSE(ctx context.Context, s Server, p *peer) (*sse, error) {
	w := &sse{web: newWeb(s, p)}
	found := make(chan error, 1) // room for the first result, which counts
	w.run(func() {
		life, done := w.until(context.WithoutCancel(ctx))
		defer done()
		err := w.hear(life, found)
		select {
		case found <- err: // it ended before it began
		default:
		}
		_ = p.lose(message.Errorf("the server's stream ended: %w", err))
	})
	var err error
	select {
	case err = <-found:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		w.end()
		return nil, err
	}
	return w, nil
}

// hear reads the stream until it ends, and returns why it did. When it has the endpoint it
// sends to found.
func (w *sse) hear(ctx context.Context, found chan<- error) error {
	resp, err := w.do(ctx, http.MethodGet, w.url, typeEvents, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if err := status(resp); err != nil {
		return otherTransport(err)
	}
	if kind := mediaType(resp); kind != typeEvents {
		return otherTransport(message.Errorf("the server answered with %q instead of a stream of events", jsonrpc.Clip(kind)))
	}
	named := false
	err = readEvents(resp.Body, func(e event) {
		switch {
		case e.name == "endpoint" && !named:
			named = true
			target, err := endpoint(resp.Request.URL, string(e.data))
			w.target = target
			found <- err
		case e.name == "" || e.name == "message":
			w.receive(ctx, e.data)
		}
	}, w.tooLong)
	if !named && errors.Is(err, io.EOF) {
		return otherTransport(message.Errorf("the stream of events names no endpoint"))
	}
	return err
}

// endpoint is the URL for messages. It must be on the host of the configured
// URL.
func endpoint(base *url.URL, written string) (string, error) {
	target, err := base.Parse(written)
	if err != nil {
		return "", message.Errorf("the server names an unreadable endpoint")
	}
	if target.Scheme != base.Scheme || target.Host != base.Host {
		return "", message.Errorf("the server names an endpoint on another host, %s: not followed", target.Host)
	}
	return target.String(), nil
}

func (w *sse) receive(ctx context.Context, text []byte) {
	if reply := w.peer.receive(text); reply != nil {
		w.run(func() {
			_ = w.post(ctx, reply) // when it is lost, so is the connection
		})
	}
}

func (w *sse) request(ctx context.Context, id jsonrpc.ID, text []byte) {
	started := w.run(func() {
		if err := w.post(ctx, text); err != nil {
			w.peer.Fail(id, err)
		}
	})
	if !started {
		w.peer.Fail(id, ErrClosed)
	}
}

func (w *sse) notify(ctx context.Context, text []byte) error {
	return w.post(ctx, text)
}

// post sends a message. The response may come on the stream before the POST returns, and ctx
// end with it: so the POST has a timeout of its own instead.
func (w *sse) post(ctx context.Context, text []byte) error {
	const patience = 30 * time.Second
	ctx, ended := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer ended()
	ctx, done := w.until(ctx)
	defer done()
	resp, err := w.do(ctx, http.MethodPost, w.target, typeJSON, text)
	if err != nil {
		if broken(ctx, err) {
			return w.peer.lose(err)
		}
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	return status(resp)
}

// listen has nothing to do: the stream is open.
func (w *sse) listen() {}

func (w *sse) close() {
	_ = w.peer.lose(ErrClosed)
	w.end()
}
