package mcpclient

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// State is the state of the connection to a server.
type State string

// The states of servers.
const (
	Connecting   State = "connecting"
	Connected    State = "connected"
	Disconnected State = "disconnected" // it was connected, and will be again
	Failed       State = "failed"       // it could not be connected or listed; that is tried again
	Unapproved   State = "unapproved"   // its project's file waits for approval
	Invalid      State = "invalid"      // its configuration cannot be used
)

// Status is the status of a server at one moment.
type Status struct {
	Server Server
	State  State
	Err    error     // why it is not connected; nil when it is
	Info   Info      // of the last connection
	Tools  int       // exposed
	Since  time.Time // when the state began
	Retry  time.Time // when it is tried again; zero when it is not waiting for that
}

// The pauses between attempts to connect: 1 s, 2 s, 4 s ... 60 s. A connection that lasted
// as long as the longest pause resets them.
const (
	leastPause = time.Second
	mostPause  = time.Minute
	maxMisses  = 2                      // pings without a response before a connection counts as lost
	maxPing    = 10 * time.Second       // timeout of a ping
	quiet      = 250 * time.Millisecond // least time between two lists, however often a server notifies of changes
)

// upstream keeps one server connected.
type upstream struct {
	server  Server
	options Options
	dial    func(context.Context, Server, Options) (*Session, error)
	slots   chan struct{} // one for each concurrent connection attempt
	changed func(Event)
	tried   chan struct{} // closed after the first attempt

	mu      sync.Mutex
	status  Status
	session *Session // nil while not connected
	tools   []Tool   // nil while not connected
}

// run connects, watches, and connects again until ctx ends.
func (u *upstream) run(ctx context.Context) {
	pause := backoff{least: leastPause, most: mostPause}
	once := sync.OnceFunc(func() { close(u.tried) })
	defer once()
	for ctx.Err() == nil {
		u.set(Connecting, nil, time.Time{})
		session, err := u.connect(ctx)
		state := Failed
		if err == nil {
			once()
			began := time.Now()
			err = u.watch(ctx, session)
			if state = Disconnected; isListError(err) {
				state = Failed
			}
			u.drop(state, err)
			_ = session.Close()
			if time.Since(began) >= mostPause {
				pause.reset()
			}
		}
		if ctx.Err() != nil {
			return
		}
		wait := pause.next()
		u.set(state, err, time.Now().Add(wait))
		once()
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// settled waits for the first attempt to connect.
func (u *upstream) settled(ctx context.Context) error {
	select {
	case <-u.tried:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// connect dials and lists the tools. Only then the server counts as
// connected.
func (u *upstream) connect(ctx context.Context) (*Session, error) {
	select {
	case u.slots <- struct{}{}:
		defer func() { <-u.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	session, err := u.dial(ctx, u.server, u.options)
	if err != nil {
		return nil, err
	}
	if err := u.discover(ctx, session); err != nil {
		_ = session.Close()
		return nil, err
	}
	return session, nil
}

// discover lists the server's tools and replaces those known before.
func (u *upstream) discover(ctx context.Context, session *Session) error {
	ctx, done := context.WithTimeoutCause(ctx, u.options.Connect, &TimeoutError{message.New("list the tools of server %s", u.server.Name), u.options.Connect})
	defer done()
	found, err := session.Tools(ctx)
	if err != nil {
		return &listError{err}
	}
	tools := []Tool{}
	for _, t := range found {
		if u.options.Filter.Allows(t) {
			t.Alias = alias(t.Server, t.Name)
			tools = append(tools, t)
		}
	}
	u.mu.Lock()
	before := u.status.State
	u.session, u.tools = session, tools
	u.status = Status{Server: u.server, State: Connected, Info: session.Info(), Tools: len(tools), Since: u.status.Since}
	if before != Connected {
		u.status.Since = time.Now()
	}
	u.mu.Unlock()
	if before != Connected {
		u.changed(Event{StateChanged, u.server.Name})
	}
	u.changed(Event{ToolsChanged, u.server.Name})
	return nil
}

// listError is a list of tools that failed.
type listError struct{ err error }

func (e *listError) Error() string               { return e.err.Error() }
func (e *listError) In(lang message.Lang) string { return message.Render(lang, e.err) }
func (e *listError) Unwrap() error               { return e.err }

// isListError reports whether listing failed while the connection was not lost.
func isListError(err error) bool {
	_, failed := errors.AsType[*listError](err)
	_, lost := errors.AsType[*LostError](err)
	return failed && !lost
}

// watch pings a server and follows its notifications until the connection is lost or not usable,
// and returns why.
func (u *upstream) watch(ctx context.Context, session *Session) error {
	ping := time.NewTicker(u.options.Ping)
	defer ping.Stop()
	changes, settled := session.ToolsChanged(), make(<-chan time.Time)
	misses := 0
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-session.Lost():
			return session.Err()
		case <-changes:
			if err := u.discover(ctx, session); err != nil {
				return err
			}
			changes, settled = nil, time.After(quiet)
		case <-settled:
			changes = session.ToolsChanged()
		case <-session.ResourcesChanged():
			u.changed(Event{ResourcesChanged, u.server.Name})
		case <-ping.C:
			received := session.peer.received.Load()
			err := u.ping(ctx, session)
			if err == nil || session.peer.received.Load() != received { // a busy server may send progress and no response
				misses = 0
			} else if misses++; misses == maxMisses {
				return message.Errorf("server %s: %d pings without an answer: %w", u.server.Name, misses, err)
			}
		}
	}
}

func (u *upstream) ping(ctx context.Context, session *Session) error {
	limit := min(maxPing, u.options.Ping)
	ctx, done := context.WithTimeoutCause(ctx, limit, &TimeoutError{message.New("ping"), limit})
	defer done()
	return session.Ping(ctx)
}

// drop removes the server's tools, before the connection is closed.
func (u *upstream) drop(state State, err error) {
	u.mu.Lock()
	u.session, u.tools = nil, nil
	u.status.Tools = 0
	u.mu.Unlock()
	u.set(state, err, time.Time{})
	u.changed(Event{ToolsChanged, u.server.Name})
}

// set sets the state.
func (u *upstream) set(state State, err error, retry time.Time) {
	u.mu.Lock()
	if u.status.State != state {
		u.status.Since = time.Now()
	}
	if state == Connecting { // the last error is kept until the attempt ends
		err = u.status.Err
	}
	u.status.Server, u.status.State, u.status.Err, u.status.Retry = u.server, state, err, retry
	u.mu.Unlock()
	u.changed(Event{StateChanged, u.server.Name})
}

// look returns the status and the tools.
func (u *upstream) look() (Status, []Tool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.status, u.tools
}

// live returns the session, or why there is none.
func (u *upstream) live() (*Session, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.session == nil {
		return nil, &UnavailableError{u.status}
	}
	return u.session, nil
}

// UnavailableError is the error of a call to a server that is not connected.
type UnavailableError struct{ Status Status }

func (e *UnavailableError) text() message.Text {
	name, state := e.Status.Server.Name, string(e.Status.State)
	if e.Status.Err != nil {
		return message.New("server %s is %s: %v", name, state, e.Status.Err)
	}
	return message.New("server %s is %s", name, state)
}

func (e *UnavailableError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *UnavailableError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *UnavailableError) Unwrap() error { return e.Status.Err }

// Hint says what the user can do.
func (e *UnavailableError) Hint() message.Text {
	switch e.Status.State {
	case Unapproved:
		return message.New("reverse-spec mcp approve %s", e.Status.Server.Name)
	case Connecting, Disconnected, Failed:
		return message.New("it is connected again as soon as it answers; reverse-spec mcp doctor says more")
	default:
		return message.Text{}
	}
}
