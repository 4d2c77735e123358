// Package ckb is the client of CKB, a code intelligence server that knows a
// project's calls from a compiler's index. It deepens the project's own graph and
// never replaces it: CKB's calls are dependable for Go alone.
//
// A [Client] finds the server (find.go), asks whether it is well (health.go),
// remembers failures across processes (cooldown.go) and keeps one process of it,
// which answers one call at a time (live.go). [Client.Reach] gives an [Access] for
// one question: how CKB stands, its tools (tools.go), and the walk of its call graph
// (walk.go), all within one time-out. What goes wrong with CKB is never an error of
// the question: it is in the [Status].
//
// The package starts no servers and speaks no MCP: who makes a client gives the
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
	HealthCheckFailed Reason = "health_check_failed" // it said no, or there is nothing to ask
	Cooldown          Reason = "cooldown"            // a failure was less than CKB_COOLDOWN ago
	Disabled          Reason = "disabled"            // switched off
)

// Status is how CKB stands.
type Status struct {
	Available bool
	Reason    Reason // "" when it is available
	LastError string // "" when there was none
	// CooldownLeft are the seconds for which it is not asked again, from 1 to 60; 0
	// without a cool-down.
	CooldownLeft int
}

// Session is a connection to a CKB.
type Session interface {
	// Call calls a tool and returns the text of its answer. The errors: a
	// [*RefusedError] when the server answered that it does not do that, the cause of
	// ctx, and anything else when the connection is gone.
	Call(ctx context.Context, tool string, arguments map[string]any) (string, error)
	// Close ends the connection and its process, killing it where need be, and returns
	// when they are gone.
	Close() error
}

// RefusedError is an answer of the server that is an error.
type RefusedError struct {
	Message string // the server's
	Err     error  // that says it in every language; nil for the message alone
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

// Options is what a client works with.
type Options struct {
	Root  string // of the project, absolute
	State string // the folder to remember failures in, made when needed; "" to remember nothing
	// Getenv reads the environment; nil for an empty one.
	Getenv func(name string) string
	// ReadFile reads a file of the project, by its path in it; nil for none.
	ReadFile func(name string) ([]byte, error)
	// Configured connects to the server that the user has configured under the name
	// ckb; nil when there is none.
	Configured func(ctx context.Context) (Session, error)
	Fault      error // why that server may not be used; nil when it may
	// Start starts a program and connects to it; ctx is needed until it returns, not
	// longer. Nil where no programs can be started.
	Start func(ctx context.Context, c Command) (Session, error)
}

// Client is the way to the CKB of one project. It may be used by several goroutines
// at once. A nil client has no CKB.
type Client struct {
	options  Options
	settings settings
	failures failures

	mu      sync.Mutex
	live    *live    // nil while there is none that is well
	attempt *attempt // nil while none is under way
	wg      sync.WaitGroup
}

// New makes a client. Nothing is started before [Client.Reach]. The caller closes it.
func New(o Options) *Client {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	c := &Client{options: o, settings: readSettings(o)}
	if c.settings.delay == 0 { // a fault that was asked for is no failure that others should know
		c.failures = newFailures(o, c.settings.cooldown)
	}
	return c
}

// errNotConfigured is the error of a project without a CKB.
var errNotConfigured = message.Errorf("no CKB server is configured, and there is no ckb on PATH")

// Reach asks how CKB stands and gives access to it, for one question. It returns
// within the time-out, and earlier when ctx ends.
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
		return givenUp(ctx, err)
	case within.Err() != nil:
		return c.failed(ctx, ConnectionTimeout, c.settings.late())
	case errors.As(err, &missing): // nothing was asked, so there is nothing to spare
		return &Access{status: Status{Reason: HealthCheckFailed, LastError: message.Render(message.From(ctx), err)}}
	default:
		return c.failed(ctx, HealthCheckFailed, err)
	}
}

// ask finds the project's CKB and checks its health. The delay that is set for tests
// comes first: it is the same where there is no CKB.
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

// notFoundError is that there is no CKB to ask.
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

// givenUp is for a question that nobody waits for any more. It says nothing of CKB.
func givenUp(ctx context.Context, err error) *Access {
	return &Access{status: Status{Reason: HealthCheckFailed, LastError: message.Render(message.From(ctx), err)}}
}

// failed notes a failure, for other processes too.
func (c *Client) failed(ctx context.Context, r Reason, why error) *Access {
	c.failures.begin(r, why)
	return &Access{status: Status{Reason: r, LastError: message.Render(message.From(ctx), why)}}
}

// Close ends what the client has started. It returns when that is gone.
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

// end closes a session, without waiting: one that hangs takes its time.
func (c *Client) end(s Session) {
	c.wg.Go(func() { _ = s.Close() })
}
