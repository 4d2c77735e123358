package ckb

import (
	"context"
	"errors"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Access is the way to CKB for one question, by one goroutine. All it does, with the
// health check, takes no longer than the time-out of the client.
type Access struct {
	client *Client
	live   *live    // nil where there is none
	graph  *printed // what a program printed in place of a server; nil for none
	status Status
	left   time.Duration
	waited time.Duration
}

// Waited tells how long the health check took. Of a nil access it is 0.
func (a *Access) Waited() time.Duration {
	if a == nil {
		return 0
	}
	return a.waited
}

// Status tells how CKB stands after what was asked of it so far. Of a nil access it
// is that of a project without a CKB.
func (a *Access) Status() Status {
	if a == nil {
		return Status{Reason: HealthCheckFailed, LastError: errNotConfigured.Error()}
	}
	return a.status
}

// errAway is the error of asking a CKB that is not available.
var errAway = message.Errorf("CKB is not available")

// call calls a tool. A failure ends the access, and the process with it: it may be
// stuck, and would let all others wait.
func (a *Access) call(ctx context.Context, tool string, arguments map[string]any, data any) error {
	if a.live == nil {
		return errAway
	}
	begin := time.Now()
	late := message.Errorf("no answer within the time-out of %dms", a.client.settings.timeout.Milliseconds())
	within, done := context.WithTimeoutCause(ctx, a.left, late)
	err := a.live.call(within, tool, arguments, data)
	done()
	a.left -= time.Since(begin)
	miss := (*missError)(nil)
	if err == nil || errors.As(err, &miss) || errors.Is(err, errBusy) {
		return err
	}
	l := a.live
	a.live = nil
	a.client.drop(l)
	if ctx.Err() != nil { // the question was given up, which says nothing of CKB
		a.status = Status{Reason: MCPError, LastError: message.Render(message.From(ctx), err)}
	} else {
		a.status = a.client.failed(ctx, MCPError, err).status
	}
	return err
}

// drop ends a process.
func (c *Client) drop(l *live) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live == l {
		c.live = nil
	}
	c.end(l.session)
}

// FailedError is a CKB that failed on the way.
type FailedError struct{ Status Status }

func (e *FailedError) Error() string { return e.Status.LastError }
