package mcp

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// interval is how long an event is held back: there are at most ten
// progress notifications a second, and none of a call that ends sooner.
const interval = 100 * time.Millisecond

// gap is the least time between the last notification of a call and its response.
const gap = 20 * time.Millisecond

// reporter notifies the client of the progress of a call. Notifications are in order,
// before the call's response, and their numbers grow, as the protocol demands:
// the number is the sum of the highest count of each stage, so that stages may
// follow one another, alternate, and start again.
//
// An event that is pending when the call ends is dropped: the response says that the call is
// done. Clients that read a notification and the response at once forget the call at
// the response, and take the notification for an error of the server (Claude Code
// reports a dropped connection). So there is a gap before the response, too.
type reporter struct {
	session *session
	lang    message.Lang
	token   jsonrpc.ID

	mu      sync.Mutex
	stages  map[string]count
	sent    int // the last number sent or pending
	pending jsonrpc.Progress
	timer   *time.Timer // sends pending; nil when nothing is pending
	last    time.Time   // when something was sent
	closed  bool
}

// count is how far a stage is.
type count struct{ done, total int }

// newReporter returns a reporter for a call with the given progress token. Without one it
// reports nothing.
func newReporter(s *session, lang message.Lang, token jsonrpc.ID) *reporter {
	return &reporter{session: s, lang: lang, token: token, stages: map[string]count{}, sent: -1, closed: token == ""}
}

// report takes an event. It, or a later one instead of it, is sent after the interval.
func (r *reporter) report(e progress.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	s := r.stages[e.Stage]
	r.stages[e.Stage] = count{max(s.done, e.Done), max(s.total, e.Total)}
	done, total := r.sum()
	if done <= r.sent {
		return
	}
	r.sent = done
	r.pending = jsonrpc.Progress{Progress: float64(done), Total: float64(total), Message: strings.TrimSpace(message.Translate(r.lang, e.Stage) + " " + e.Item)}
	if r.timer == nil {
		r.timer = time.AfterFunc(interval, r.write)
	}
}

// sum adds up the stages. The total is 0, for not known, when that of any stage
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
	r.session.notify(jsonrpc.MethodProgress, jsonrpc.ProgressParams{Token: r.token, Progress: r.pending})
	r.last, r.timer = time.Now(), nil
}

// close ends the notifications. After it nothing is sent.
func (r *reporter) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

// keepApart waits until the response may follow the last notification, or ctx ends.
func (r *reporter) keepApart(ctx context.Context) {
	r.mu.Lock()
	left := gap - time.Since(r.last)
	r.mu.Unlock()
	if left <= 0 {
		return
	}
	select {
	case <-time.After(left):
	case <-ctx.Done():
	}
}
