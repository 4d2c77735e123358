package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// streamable is the transport of the protocol since 2025-03-26: each message is a POST,
// whose response is a message or a stream of messages.
type streamable struct{ *web }

func openStreamable(s Server, p *peer) *streamable { return &streamable{newWeb(s, p)} }

func (w *streamable) request(ctx context.Context, id jsonrpc.ID, text []byte) {
	started := w.run(func() {
		if err := w.post(ctx, id, text); err != nil {
			w.peer.Fail(id, err)
		}
	})
	if !started {
		w.peer.Fail(id, ErrClosed)
	}
}

func (w *streamable) notify(ctx context.Context, text []byte) error {
	return w.post(ctx, "", text)
}

// errCut is the error for a stream that ended before its answer.
var errCut = message.Errorf("the server ended the stream before it answered")

// post sends a message and receives what comes back. With an id a response is
// expected.
func (w *streamable) post(ctx context.Context, id jsonrpc.ID, text []byte) error {
	ctx, done := w.until(ctx)
	defer done()
	resp, err := w.do(ctx, http.MethodPost, w.url, typeJSON+", "+typeEvents, text)
	if err == nil {
		defer func() { _ = resp.Body.Close() }()
		if err = status(resp); err == nil {
			return w.take(ctx, id, resp, done)
		}
	}
	session, version := w.state()
	var failed *statusError
	switch {
	case version == "":
		if errors.As(err, &failed) {
			return otherTransport(err)
		}
	case broken(ctx, err):
		return w.peer.lose(err)
	case session != "" && errors.As(err, &failed) && (failed.code == http.StatusNotFound || failed.code == http.StatusBadRequest):
		return w.peer.lose(message.Errorf("the server does not know the session any more: %w", err))
	}
	return err
}

// linger is how long a stream may stay open after its response. It is not cut at
// once: cutting a connection that the next request reuses would fail that request.
const linger = 5 * time.Second

// take reads the response to a POST, which done ends.
func (w *streamable) take(ctx context.Context, id jsonrpc.ID, resp *http.Response, done func()) error {
	if id == "" || resp.StatusCode == http.StatusAccepted {
		return nil
	}
	if given := resp.Header.Get("Mcp-Session-Id"); given != "" {
		w.mu.Lock()
		w.session = given
		w.mu.Unlock()
	}
	switch kind := mediaType(resp); kind {
	case typeJSON:
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxMessage+1))
		if err == nil && len(body) > maxMessage {
			err = errTooLong
		}
		if err != nil {
			return err
		}
		w.receive(ctx, body)
	case typeEvents:
		end := sync.OnceFunc(func() { time.AfterFunc(linger, done) })
		err := readEvents(resp.Body, func(e event) {
			if w.receive(ctx, e.data); !w.peer.Awaits(id) {
				end()
			}
		}, w.tooLong)
		if !errors.Is(err, io.EOF) {
			return message.Errorf("%w: %w", errCut, err)
		}
	default:
		return otherTransport(message.Errorf("the server answered with %q instead of a message", jsonrpc.Clip(kind)))
	}
	return errCut // without effect if the response has come
}

// receive handles one message, or a batch as in protocol version 2025-03-26.
// A request of the server is answered by a POST of its own.
func (w *streamable) receive(ctx context.Context, text []byte) {
	messages := []json.RawMessage{text}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		messages = nil
		_ = json.Unmarshal(text, &messages) // an invalid list has no messages
	}
	for _, m := range messages {
		if reply := w.peer.receive(m); reply != nil {
			w.run(func() {
				_ = w.post(context.WithoutCancel(ctx), "", reply) // when it is lost, so is the connection
			})
		}
	}
}

// listen keeps a stream open for messages that are not responses. Some servers do not have
// one.
func (w *streamable) listen() {
	w.run(func() {
		ctx, done := w.until(context.Background())
		defer done()
		pause := backoff{least: time.Second, most: time.Minute}
		for ctx.Err() == nil && w.peer.Err() == nil {
			began := time.Now()
			if !w.hear(ctx) {
				return
			}
			if time.Since(began) > pause.most {
				pause.reset()
			}
			select {
			case <-ctx.Done():
			case <-w.peer.Closed():
			case <-time.After(pause.next()):
			}
		}
	})
}

// hear reads the stream until it ends, and reports whether to open another.
func (w *streamable) hear(ctx context.Context) bool {
	resp, err := w.do(ctx, http.MethodGet, w.url, typeEvents, nil)
	if err != nil {
		return true // the pings find out whether the server is gone
	}
	defer func() { _ = resp.Body.Close() }()
	if status(resp) != nil || mediaType(resp) != typeEvents {
		return resp.StatusCode >= 500
	}
	err = readEvents(resp.Body, func(e event) { w.receive(ctx, e.data) }, w.tooLong)
	w.peer.log.DebugContext(ctx, "the server's stream ended", "error", err)
	return true
}

// close deletes the session, if the connection is not lost.
func (w *streamable) close() {
	const patience = 2 * time.Second
	gone := w.peer.Err() != nil
	_ = w.peer.lose(ErrClosed)
	if session, _ := w.state(); session != "" && !gone {
		ctx, done := context.WithTimeout(context.Background(), patience)
		if resp, err := w.do(ctx, http.MethodDelete, w.url, typeJSON, nil); err == nil {
			_ = resp.Body.Close()
		}
		done()
	}
	w.end()
}
