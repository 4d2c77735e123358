package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Limits of requests.
const (
	batchTexts  = 64       // texts per request
	maxText     = 8 << 10  // bytes per text; the rest is cut off
	maxResponse = 64 << 20 // maximum size of a response, in bytes
	patience    = 60 * time.Second
	tries       = 4
	firstPause  = 500 * time.Millisecond // before the first retry; doubled for each further one
	longPause   = 30 * time.Second       // the maximum, also for what the service requests
)

// remote is an [Embedder] that uses an HTTP service.
type remote struct {
	service
	name, at, model, key string
	dimensions           atomic.Int64
	wait                 func(ctx context.Context, d time.Duration) error
}

var _ Embedder = (*remote)(nil)

// wait waits for d, or returns the error of the context.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Name returns the service and the model: "ollama:nomic-embed-text".
func (r *remote) Name() string { return r.name + ":" + r.model }

// Dimensions returns 0 before the first response.
func (r *remote) Dimensions() int { return int(r.dimensions.Load()) }

// Embed requests vectors in batches.
func (r *remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), batchTexts)
		some, err := r.batch(ctx, texts[:n])
		if err != nil {
			return nil, message.Errorf("embed by %s: %w", r.Name(), err)
		}
		vectors, texts = append(vectors, some...), texts[n:]
	}
	return vectors, nil
}

// batch requests some vectors, and retries if the service is busy or unreachable.
func (r *remote) batch(ctx context.Context, texts []string) ([][]float32, error) {
	for try := 1; ; try++ {
		a, err := r.post(ctx, texts)
		if err == nil {
			return r.checked(r.vectors(a), len(texts))
		}
		busy := (*busyError)(nil)
		if try == tries || !errors.As(err, &busy) || ctx.Err() != nil {
			return nil, err
		}
		if err := r.wait(ctx, max(firstPause<<(try-1), min(busy.pause, longPause))); err != nil {
			return nil, err
		}
	}
}

// checked verifies that there is one vector per text, all of the expected length.
func (r *remote) checked(vectors [][]float32, texts int) ([][]float32, error) {
	if len(vectors) != texts {
		return nil, message.Errorf("%d vectors for %d texts", len(vectors), texts)
	}
	for _, v := range vectors {
		r.dimensions.CompareAndSwap(0, int64(len(v)))
		if want := r.Dimensions(); len(v) == 0 || len(v) != want {
			return nil, &DimensionsError{Got: len(v), Want: want}
		}
	}
	return vectors, nil
}

// DimensionsError says that a vector has an unexpected length.
type DimensionsError struct{ Got, Want int }

func (e *DimensionsError) text() message.Text {
	return message.New("a vector of %d dimensions among those of %d", e.Got, e.Want)
}

func (e *DimensionsError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *DimensionsError) In(lang message.Lang) string { return e.text().In(lang) }

// busyError is a temporary error.
type busyError struct {
	reason error
	pause  time.Duration // requested by the service; 0 if not
}

func (e *busyError) Error() string { return e.reason.Error() }
func (e *busyError) Unwrap() error { return e.reason }

// In implements [message.Localizer].
func (e *busyError) In(lang message.Lang) string { return message.Render(lang, e.reason) }

// post sends one request.
func (r *remote) post(ctx context.Context, texts []string) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	input := make([]string, len(texts))
	for i, t := range texts {
		input[i] = strings.ToValidUTF8(t[:min(len(t), maxText)], "")
	}
	body, err := json.Marshal(map[string]any{"model": r.model, "input": input})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.at, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, &busyError{reason: withoutURL(err)}
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, r.refusal(res)
	}
	var a answer
	if err := json.NewDecoder(io.LimitReader(res.Body, maxResponse)).Decode(&a); err != nil {
		return nil, &busyError{reason: message.Errorf("its answer cannot be read: %w", err)}
	}
	return &a, nil
}

// withoutURL removes the URL from an error: it may contain a password.
func withoutURL(err error) error {
	if named := (*url.Error)(nil); errors.As(err, &named) {
		return named.Err
	}
	return err
}

// refusal returns the error for a response with an error status.
func (r *remote) refusal(res *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(res.Body, 300)) // as much as can be read
	said := strings.TrimSpace(strings.ToValidUTF8(string(text), ""))
	if r.key != "" {
		said = strings.ReplaceAll(said, r.key, "…")
	}
	err := message.Errorf("it answered %s: %s", res.Status, said)
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode < 500 {
		return err
	}
	seconds, _ := strconv.Atoi(res.Header.Get("Retry-After")) // 0 if absent or invalid
	return &busyError{reason: err, pause: time.Duration(max(0, seconds)) * time.Second}
}
