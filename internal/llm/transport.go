package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// transport has the HTTP handling that both APIs share: errors in one form, no redirects,
// which would send the key elsewhere, and a timeout for streams that stall.
type transport struct {
	now     func() time.Time
	silence time.Duration // longest pause within a stream; 0 for no limit
}

// client returns the client for requests with a key.
func (t transport) client() *http.Client { return &http.Client{Transport: t} }

// RoundTrip returns successful responses; all others are an [*Error].
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	resp, err := http.DefaultTransport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		err := t.failure(resp)
		_ = resp.Body.Close()
		cancel(nil)
		return nil, err
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/html" {
		_ = resp.Body.Close()
		cancel(nil)
		return nil, &Error{Kind: KindUnreadable, note: message.New("a web page came; is the base URL that of the API?"), final: true}
	}
	resp.Body = &body{ReadCloser: resp.Body, end: cancel, cause: func() error { return context.Cause(ctx) }, silence: t.silence}
	return resp, nil
}

// mostOfAnError limits the bytes read of an error's body.
const mostOfAnError = 64 << 10

// failure converts an error response.
func (t transport) failure(resp *http.Response) *Error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, mostOfAnError)) // what was received
	e := said(text)
	e.Kind, e.Status = KindStatus, resp.StatusCode
	e.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), t.now())
	if to := resp.Header.Get("Location"); resp.StatusCode < 400 && to != "" {
		e.note, e.hint = message.New("it leads elsewhere, where a key is not taken"), message.New("set the base URL to where the API is")
	}
	return e
}

// retryAfter parses a Retry-After header: seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if s, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
		const day = 24 * 60 * 60
		return time.Duration(max(0, min(s, day)) * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// said extracts the error message from a body. The forms are Anthropic's and OpenAI's
// {"error": {"type", "message", "code"}}, {"error": "text"} (LM Studio), {"message": "text"}
// (vLLM), {"detail": "text"} (FastAPI), and plain text.
func said(body []byte) *Error {
	var form struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  any             `json:"detail"`
	}
	if json.Unmarshal(body, &form) != nil {
		return &Error{Message: plain(body)}
	}
	var inner struct {
		Type    string `json:"type"`
		Message string `json:"message"`
		Code    any    `json:"code"`
	}
	e := &Error{Message: form.Message}
	switch {
	case json.Unmarshal(form.Error, &inner) == nil && inner.Message != "":
		e.Message = inner.Message
	case json.Unmarshal(form.Error, &e.Message) == nil && e.Message != "":
	case form.Detail != nil:
		e.Message = fmt.Sprint(form.Detail)
	}
	e.Status = statusOf[inner.Type]
	if inner.Code == "insufficient_quota" || inner.Type == "insufficient_quota" {
		e.final, e.hint = true, message.New("the account has nothing left to pay with; waiting does not help")
	}
	return e
}

// plain returns a body that is not JSON as text, or "" for a web page.
func plain(body []byte) string {
	if text := strings.TrimSpace(string(body)); !strings.HasPrefix(text, "<") {
		return text
	}
	return ""
}

// statusOf maps Anthropic's error types, which also occur within a stream that began with 200,
// to statuses.
var statusOf = map[string]int{
	"invalid_request_error": http.StatusBadRequest,
	"authentication_error":  http.StatusUnauthorized,
	"billing_error":         http.StatusPaymentRequired,
	"permission_error":      http.StatusForbidden,
	"not_found_error":       http.StatusNotFound,
	"request_too_large":     http.StatusRequestEntityTooLarge,
	"rate_limit_error":      http.StatusTooManyRequests,
	"api_error":             http.StatusInternalServerError,
	"server_error":          http.StatusInternalServerError,
	"timeout_error":         http.StatusGatewayTimeout,
	"overloaded_error":      statusOverloaded,
}

// inStream parses an error within a stream.
func inStream(body []byte) *Error {
	e := said(body)
	if e.Kind = KindStatus; e.Status == 0 {
		e.Status = http.StatusInternalServerError
	}
	return e
}

// body is a response body that fails if it stalls.
type body struct {
	io.ReadCloser
	end     context.CancelCauseFunc
	cause   func() error // why it was closed
	silence time.Duration
	watch   *time.Timer // nil before the first byte
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		if quiet, ok := errors.AsType[*Error](b.cause()); ok {
			return n, quiet
		}
		return n, &Error{Kind: KindCut, Message: err.Error(), Err: err}
	}
	switch {
	case b.silence == 0:
	case b.watch == nil:
		b.watch = time.AfterFunc(b.silence, func() {
			b.end(&Error{Kind: KindCut, note: message.New("nothing came for %v", b.silence)})
		})
	default:
		b.watch.Reset(b.silence)
	}
	return n, err
}

func (b *body) Close() error {
	if b.watch != nil {
		b.watch.Stop()
	}
	err := b.ReadCloser.Close()
	b.end(nil)
	return err
}
