package ckb

import (
	"context"
	"errors"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Access is access to CKB for one question, by one goroutine. All its calls, with the
// health check, take no longer than the timeout of the client.
type Access struct {
	client *Client
	live   *live    // nil where there is none
	graph  *printed // printed by a program that is not a server; nil for none
	status Status
	left   time.Duration
	waited time.Duration
}

// Waited returns how long the health check took. For a nil access it is 0.
func (a *Access) Waited() time.Duration {
	if a == nil {
		return 0
	}
	return a.waited
}

// Status returns the status of CKB after the calls so far. For a nil access it
// is that of a project without CKB.
func (a *Access) Status() Status {
	if a == nil {
		return Status{Reason: HealthCheckFailed, LastError: errNotConfigured.Error()}
	}
	return a.status
}

// errUnavailable is the error of a call to a CKB that is not available.
var errUnavailable = message.Errorf("CKB is not available")

// call calls a tool. A failure ends the access and the process: it may be
// stuck, and block all other calls.
func (a *Access) call(ctx context.Context, tool string, arguments map[string]any, data any) error {
	if a.live == nil {
		return errUnavailable
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
	if ctx.Err() != nil { // the question was cancelled: not a failure of CKB
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

// FailedError is a failure of CKB during a question.
type FailedError struct{ Status Status }

func (e *FailedError) Error() string { return e.Status.LastError }
