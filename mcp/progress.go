package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// interval is how long an event is kept before it is told: there are at most ten
// progress notifications a second, and none of a call that is done sooner.
const interval = 100 * time.Millisecond

// apart is how long an answer keeps behind the last notification of its call.
const apart = 20 * time.Millisecond

// reporter tells the client how far a call is. What it writes is in order, in
// the stream before the call's answer, and ever growing, as the protocol asks:
// the number is the sum of the highest count of each stage, so that stages may
// follow one another, alternate, and start again.
//
// What is kept when the call ends is not told: the answer says that it is done.
// Clients that read a notification and the answer in one go forget the call at
// the answer, and take the notification for an error of the server; Claude Code
// calls the connection dropped. So an answer keeps a bit behind, too.
type reporter struct {
	session *session
	lang    message.Lang
	token   json.RawMessage

	mu      sync.Mutex
	stages  map[string]count
	told    int // the last number sent or pending
	pending *reported
	timer   *time.Timer // writes what is pending; nil when nothing is
	last    time.Time   // when something was told
	closed  bool
}

// count is how far a stage is.
type count struct{ done, total int }

// reported is the params of a progress notification.
type reported struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress int             `json:"progress"`
	Total    int             `json:"total,omitempty"`
	Message  string          `json:"message,omitempty"`
}

// newReporter returns a reporter for a call with the given progress token: a
// string or a number. Without one it reports nothing.
func newReporter(s *session, lang message.Lang, token json.RawMessage) *reporter {
	id, ok := identity(token)
	return &reporter{session: s, lang: lang, token: token, stages: map[string]count{}, told: -1, closed: !ok || id == nil}
}

// report takes an event. It is written after the interval, or a later one in its
// place.
func (r *reporter) report(e progress.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	s := r.stages[e.Stage]
	r.stages[e.Stage] = count{max(s.done, e.Done), max(s.total, e.Total)}
	done, total := r.sum()
	if done <= r.told {
		return
	}
	r.told = done
	r.pending = &reported{r.token, done, total, strings.TrimSpace(message.Translate(r.lang, e.Stage) + " " + e.Item)}
	if r.timer == nil {
		r.timer = time.AfterFunc(interval, r.write)
	}
}

// sum adds up the stages. The total is 0, for not known, when that of one stage
// is not known.
func (r *reporter) sum() (done, total int) {
	known := true
	for _, s := range r.stages {
		done += s.done
		total += s.total
		known = known && s.total > 0
	}
	if !known {
		return done, 0
	}
	return done, total
}

// write sends the pending event.
func (r *reporter) write() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	b, err := encode(struct {
		JSONRPC string    `json:"jsonrpc"`
		Method  string    `json:"method"`
		Params  *reported `json:"params"`
	}{mcpgo.JSONRPC_VERSION, "notifications/progress", r.pending})
	if err == nil {
		r.session.send(b)
		r.last = time.Now()
	}
	r.pending, r.timer = nil, nil
}

// close ends the reports. After it nothing is written.
func (r *reporter) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

// keepApart waits until the answer may follow what was told, or ctx ends.
func (r *reporter) keepApart(ctx context.Context) {
	r.mu.Lock()
	left := apart - time.Since(r.last)
	r.mu.Unlock()
	if left <= 0 {
		return
	}
	select {
	case <-time.After(left):
	case <-ctx.Done():
	}
}
