package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// web is what the two HTTP transports share.
type web struct {
	peer    *peer
	client  *http.Client
	url     string
	headers map[string]string // of the configuration; never logged

	mu      sync.Mutex
	session string // the server's id of the session; "" for none
	version string // of the protocol; "" before it is negotiated

	ended  chan struct{} // closed by end
	closed bool          // under mu: nothing new is run
	wg     sync.WaitGroup
}

func newWeb(s Server, p *peer) *web {
	w := &web{peer: p, url: s.URL, headers: s.Headers, ended: make(chan struct{})}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		MaxIdleConnsPerHost: 8, // calls that run side by side
		ForceAttemptHTTP2:   true,
	}
	w.client = &http.Client{Transport: transport, CheckRedirect: sameHost}
	return w
}

// sameHost allows redirects to the configured host only: the headers may hold
// secrets, and the responses are trusted.
func sameHost(next *http.Request, via []*http.Request) error {
	const most = 5
	first := via[0]
	switch {
	case next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host:
		return message.Errorf("redirected to another host, %s: not followed; if it is meant, write that URL into the configuration", next.URL.Host)
	case next.Method != first.Method:
		return message.Errorf("redirected in a way that turns a message into a question; write the new URL into the configuration")
	case len(via) > most:
		return message.Errorf("redirected too often")
	}
	return nil
}

// run runs f in a goroutine that end waits for. It returns false, and runs nothing, when
// the transport is closed.
func (w *web) run(f func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.wg.Go(f)
	}
	return !w.closed
}

// until returns a context that also ends with the transport.
func (w *web) until(ctx context.Context) (context.Context, func()) {
	ctx, done := context.WithCancel(ctx)
	go func() {
		select {
		case <-w.ended:
			done()
		case <-ctx.Done():
		}
	}()
	return ctx, done
}

// end ends everything that runs on the transport.
func (w *web) end() {
	w.mu.Lock()
	again := w.closed
	w.closed = true
	w.mu.Unlock()
	if !again {
		close(w.ended)
	}
	w.wg.Wait()
	w.client.CloseIdleConnections()
}

func (w *web) negotiated(version string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = version
}

// state returns the id of the session and the version of the protocol.
func (w *web) state() (session, version string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session, w.version
}

// do sends a request. Its errors do not hold the URL: a query may be secret.
func (w *web) do(ctx context.Context, method, target, accept string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return nil, message.Errorf("the URL is unreadable")
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", "reverse-spec")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	session, version := w.state()
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	for name, value := range w.headers {
		r.Header.Set(name, value)
		if strings.EqualFold(name, "Host") {
			r.Host = value
		}
	}
	resp, err := w.client.Do(r)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return nil, failed.Err
	}
	return resp, err
}

// statusError is an HTTP status other than success.
type statusError struct {
	code int
	text string // the body, "" for none
}

func (e *statusError) words() message.Text {
	if e.text != "" {
		return message.New("HTTP status %d %s: %s", e.code, http.StatusText(e.code), e.text)
	}
	return message.New("HTTP status %d %s", e.code, http.StatusText(e.code))
}

func (e *statusError) Error() string { return e.words().String() }

// In is the message in a language.
func (e *statusError) In(lang message.Lang) string { return e.words().In(lang) }

// otherTransportError is an error of a server that may use the other HTTP transport.
type otherTransportError struct{ err error }

func (e *otherTransportError) Error() string               { return e.err.Error() }
func (e *otherTransportError) In(lang message.Lang) string { return message.Render(lang, e.err) }
func (e *otherTransportError) Unwrap() error               { return e.err }

// status returns the error of a response that is not a success.
func status(resp *http.Response) error {
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, jsonrpc.MaxDetail))
	return &statusError{resp.StatusCode, strings.TrimSpace(strings.ToValidUTF8(string(text), ""))}
}

// otherTransport marks an error that the other transport may not have.
func otherTransport(err error) error {
	about := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusRequestTimeout, http.StatusTooManyRequests}
	failed, ok := errors.AsType[*statusError](err)
	if ok && (failed.code >= 500 && failed.code != http.StatusNotImplemented || slices.Contains(about, failed.code)) {
		return err
	}
	return &otherTransportError{err}
}

// mediaType returns the media type of a response, in lower case.
func mediaType(resp *http.Response) string {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return resp.Header.Get("Content-Type")
	}
	return kind
}

// The media types of the protocol.
const (
	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

// broken reports whether err is an error of the connection, not of a response or the end of ctx.
func broken(ctx context.Context, err error) bool {
	_, answered := errors.AsType[*statusError](err)
	return !answered && ctx.Err() == nil && !errors.Is(err, context.Canceled)
}

// tooLong logs that a message was skipped.
func (w *web) tooLong(err error) {
	w.peer.log.Warn("a message was too long and is skipped", "error", err)
}
