package ckb

import (
	"context"
	"encoding/json"
	"regexp"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// live is a CKB process that was healthy when it was last checked. It runs one call at a time,
// in order of arrival, and does not stop a call that is cancelled.
type live struct {
	session Session
	index   index
	stale   bool      // its index is older than the code
	checked time.Time // when it was last healthy
	turn    chan struct{}

	mu  sync.Mutex
	ids map[Anchor]string // of symbols, "" for unknown ones; valid for this process only
}

func newLive(s Session, i index) *live {
	return &live{session: s, index: i, turn: make(chan struct{}, 1), ids: map[Anchor]string{}}
}

// missError is a response that something does not exist.
type missError struct{ code, message string }

func (e *missError) Error() string { return e.message }

// misses are the codes of such responses; all others are failures of CKB.
var misses = map[string]bool{
	"SYMBOL_NOT_FOUND":   true,
	"RESOURCE_NOT_FOUND": true,
	"INVALID_PARAMETER":  true,
	"SCOPE_INVALID":      true,
	"BUDGET_EXCEEDED":    true,
}

// code matches the code in the text of an error; the innermost is the last one.
var code = regexp.MustCompile(`\[([A-Z][A-Z_]+)\]`)

// envelope wraps every result of CKB.
type envelope struct {
	Version string          `json:"schemaVersion"`
	Data    json.RawMessage `json:"data"`
	Error   string          `json:"error"`
	Meta    struct {
		Confidence struct {
			Tier    string   `json:"tier"`
			Reasons []string `json:"reasons"`
		} `json:"confidence"`
	} `json:"meta"`
}

// errBusy is the error of a call that waited too long for other calls.
var errBusy = message.Errorf("CKB is busy with other questions")

// call calls a tool and decodes its result into data. The errors: a
// [*missError], errBusy, a [*RefusedError], the cause of ctx; after any other error the
// server must not be used.
func (l *live) call(ctx context.Context, tool string, arguments map[string]any, data any) error {
	if !l.wait(ctx) {
		return errBusy
	}
	defer func() { <-l.turn }()
	text, err := l.session.Call(ctx, tool, arguments)
	if err != nil {
		return message.Errorf("%s: %w", tool, err)
	}
	if err := decodeEnvelope(text, data); err != nil {
		return message.Errorf("%s: %w", tool, err)
	}
	return nil
}

// wait waits for a turn, for half of the time that is left: a call that is cut off because it
// started late would look like one that hangs.
func (l *live) wait(ctx context.Context) bool {
	if end, ok := ctx.Deadline(); ok {
		var done func()
		ctx, done = context.WithTimeout(ctx, time.Until(end)/2)
		defer done()
	}
	select {
	case l.turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// decodeEnvelope decodes a result, which may lack the envelope.
func decodeEnvelope(text string, data any) error {
	var e envelope
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return message.Errorf("the answer is not a JSON object: %.80q", text)
	}
	if e.Error != "" {
		codes := code.FindAllStringSubmatch(e.Error, -1)
		if len(codes) > 0 && misses[codes[len(codes)-1][1]] {
			return &missError{codes[len(codes)-1][1], e.Error}
		}
		return &RefusedError{Message: e.Error}
	}
	switch {
	case len(e.Data) == 0 && e.Version == "":
		e.Data = json.RawMessage(text)
	case len(e.Data) == 0 || string(e.Data) == "null":
		return message.Errorf("the answer has no data")
	}
	if err := json.Unmarshal(e.Data, data); err != nil {
		return message.Errorf("the answer is not in the form of CKB: %w", err)
	}
	return nil
}

// id returns the id of a symbol that was looked up before.
func (l *live) id(a Anchor) (id string, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id, known = l.ids[a]
	return id, known
}

// keep keeps the id of a symbol.
func (l *live) keep(a Anchor, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids[a] = id
}
