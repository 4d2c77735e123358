// Package ckb is the client of CKB, a code intelligence server that knows a
// project's calls from a compiler's index. It adds to the project's own graph and
// never replaces it: CKB's calls are reliable for Go only.
//
// A [Client] finds the server (find.go), checks its health (health.go),
// remembers failures across processes (cooldown.go) and keeps one process of it,
// which runs one call at a time (live.go). [Client.Reach] returns an [Access] for
// one question: the status of CKB, its tools (tools.go), and the walk of its call graph
// (walk.go), all within one timeout. A failure of CKB is never an error of
// the question: it is in the [Status].
//
// The package does not start servers or speak MCP: the caller passes the
// functions that connect.
package ckb

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Reason is why CKB is not used, in the contract's words.
type Reason string

// The reasons.
const (
	ConnectionTimeout Reason = "connection_timeout"  // the health check took too long
	MCPError          Reason = "mcp_error"           // a call after the health check failed
	HealthCheckFailed Reason = "health_check_failed" // it is unhealthy, or not configured
	Cooldown          Reason = "cooldown"            // a failure was less than CKB_COOLDOWN ago
	Disabled          Reason = "disabled"            // switched off
)

// Status is the status of CKB.
type Status struct {
	Available bool
	Reason    Reason // "" when it is available
	LastError string // "" when there was none
	// CooldownLeft is the seconds until it is called again, from 1 to 60; 0
	// without a cool-down.
	CooldownLeft int
}

// Session is a connection to a CKB.
type Session interface {
	// Call calls a tool and returns the text of its result. The errors: a
	// [*RefusedError] if the server responded with an error, the cause of
	// ctx, and any other if the connection is lost.
	Call(ctx context.Context, tool string, arguments map[string]any) (string, error)
	// Close ends the connection and its process, killing it if necessary, and returns
	// when they have ended.
	Close() error
}

// RefusedError is an error response of the server.
type RefusedError struct {
	Message string // the server's
	Err     error  // with the message in every language; nil for the message alone
}

func (e *RefusedError) Error() string { return e.Message }

func (e *RefusedError) Unwrap() error { return e.Err }

// In is the error in a language.
func (e *RefusedError) In(lang message.Lang) string {
	if e.Err == nil {
		return e.Message
	}
	return message.Render(lang, e.Err)
}

// Command is a program that speaks MCP on its standard streams.
type Command struct {
	Path string
	Args []string
	Dir  string // the working folder
}

// Options configure a client.
type Options struct {
	Root  string // of the project, absolute
	State string // the folder to remember failures in, made when needed; "" to remember none
	// Getenv reads the environment; nil for an empty one.
	Getenv func(name string) string
	// ReadFile reads a file of the project, by its path in it; nil for none.
	ReadFile func(name string) ([]byte, error)
	// Configured connects to the server that the user has configured with the name
	// ckb; nil for none.
	Configured func(ctx context.Context) (Session, error)
	Err        error // why that server may not be used; nil when it may
	// Start starts a program and connects to it; ctx is used only until it returns. Nil if
	// programs cannot be started.
	Start func(ctx context.Context, c Command) (Session, error)
}

// Client is the client of the CKB of one project. It may be used by several goroutines
// at once. A nil client has no CKB.
type Client struct {
	options  Options
	settings settings
	failures failures

	mu      sync.Mutex
	live    *live    // nil while none is healthy
	attempt *attempt // nil while none is under way
	wg      sync.WaitGroup
}

// New makes a client. Nothing is started before [Client.Reach]. The caller closes it.
func New(o Options) *Client {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	c := &Client{options: o, settings: readSettings(o)}
	if c.settings.delay == 0 { // a delay for tests is not a failure that other processes should see
		c.failures = newFailures(o, c.settings.cooldown)
	}
	return c
}

// errNotConfigured is the error of a project without a CKB.
var errNotConfigured = message.Errorf("no CKB server is configured, and there is no ckb on PATH")

// Reach checks the health of CKB and returns access to it, for one question. It returns
// within the timeout, and earlier when ctx ends.
func (c *Client) Reach(ctx context.Context) *Access {
	if c == nil {
		return &Access{status: Status{Reason: HealthCheckFailed, LastError: message.Render(message.From(ctx), errNotConfigured)}}
	}
	begin := time.Now()
	a := c.reach(ctx, begin)
	a.client, a.waited = c, time.Since(begin)
	a.left = c.settings.timeout - a.waited
	return a
}

func (c *Client) reach(ctx context.Context, begin time.Time) *Access {
	if c.settings.disabled {
		return &Access{status: Status{Reason: Disabled}}
	}
	if left, why := c.failures.left(message.From(ctx)); left > 0 {
		return &Access{status: Status{Reason: Cooldown, LastError: why, CooldownLeft: left}}
	}
	if l := c.known(); l != nil {
		return &Access{status: Status{Available: true}, live: l}
	}
	within, done := context.WithDeadline(ctx, begin.Add(c.settings.timeout))
	defer done()
	a, err := c.ask(within)
	missing := (*notFoundError)(nil)
	switch {
	case err == nil:
		return a
	case ctx.Err() != nil:
		return cancelled(ctx, err)
	case within.Err() != nil:
		return c.failed(ctx, ConnectionTimeout, c.settings.late())
	case errors.As(err, &missing): // nothing was called: no cool-down
		return &Access{status: Status{Reason: HealthCheckFailed, LastError: message.Render(message.From(ctx), err)}}
	default:
		return c.failed(ctx, HealthCheckFailed, err)
	}
}

// ask finds the project's CKB and checks its health, after the delay that is set for tests,
// which also applies without a CKB.
func (c *Client) ask(ctx context.Context) (*Access, error) {
	if err := wait(ctx, c.settings.delay); err != nil {
		return nil, err
	}
	t, err := c.find()
	if err != nil {
		return nil, &notFoundError{err}
	}
	if t.print != nil {
		return c.reachPrinter(ctx, t.print)
	}
	return c.reachServer(ctx, t)
}

// notFoundError is the error of a project without a CKB.
type notFoundError struct{ error }

func (e *notFoundError) Unwrap() error { return e.error }

// In is the error in a language.
func (e *notFoundError) In(lang message.Lang) string { return message.Render(lang, e.error) }

// wait waits for d.
func wait(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// cancelled is the access of a question that was cancelled. It is not a failure of CKB.
func cancelled(ctx context.Context, err error) *Access {
	return &Access{status: Status{Reason: HealthCheckFailed, LastError: message.Render(message.From(ctx), err)}}
}

// failed records a failure, also for other processes.
func (c *Client) failed(ctx context.Context, r Reason, why error) *Access {
	c.failures.begin(r, why)
	return &Access{status: Status{Reason: r, LastError: message.Render(message.From(ctx), why)}}
}

// Close ends the processes of the client. It returns when they have ended.
func (c *Client) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	l, a := c.live, c.attempt
	c.live, c.attempt = nil, nil
	c.mu.Unlock()
	if a != nil {
		a.cancel()
	}
	if l != nil {
		c.end(l.session)
	}
	c.wg.Wait()
	return nil
}

// end closes a session without waiting for it.
func (c *Client) end(s Session) {
	c.wg.Go(func() { _ = s.Close() })
}
