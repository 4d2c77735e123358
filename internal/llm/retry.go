package llm

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// How often a model is asked, and how long is waited in between: 2 s, 4 s, 8 s and so
// on to 30 s, as in the contract's origin.
const (
	attempts     = 3
	firstPause   = 2 * time.Second
	longestPause = 30 * time.Second
	// mostPatience is how long a service may ask us to wait. For longer it is not
	// waited: the error says when to come again.
	mostPatience = 2 * time.Minute
)

// Clock is what attempts know of time; what is nil is the real thing.
type Clock struct {
	Now    func() time.Time
	Sleep  func(ctx context.Context, d time.Duration) error // or the context's error
	Jitter func() float64                                   // in [0, 1): which part of a pause's last quarter is left out
}

func (c Clock) orReal() Clock {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// asker is a provider's part: it asks a model once. MaxTokens is set. What comes of
// the answer goes to got as it comes. An error is an [*Error] without what all have in
// common, or one of the transport; the answer beside it may hold what was used.
type asker interface {
	ask(ctx context.Context, r Request, got func(piece string)) (*Answer, error)
}

// model is an asker that is asked until it answers.
type model struct {
	asker
	name  string // of the model
	api   string // as errors name it
	key   string
	limit time.Duration // of an attempt; 0 for by size
	clock Clock
	pace  *pace
}

// Name says who answers.
func (m *model) Name() string { return m.name }

// Complete asks until there is an answer, or none to be hoped for.
func (m *model) Complete(ctx context.Context, r Request) (*Answer, error) {
	if r.MaxTokens == 0 {
		r.MaxTokens = DefaultMaxTokens
	}
	check, err := r.Schema.checker()
	if err != nil {
		return nil, err
	}
	var used Usage
	for n, now := 1, m.clock.Now(); ; n++ {
		if err := m.pace.wait(ctx, now, m.clock.Sleep); err != nil {
			return nil, message.Errorf("%s: %w", m.api, err)
		}
		a, err := m.attempt(ctx, r, n, check)
		if a != nil {
			used = used.Add(a.Usage)
		}
		if err == nil {
			a.Attempts, a.Usage = n, used
			return a, nil
		}
		if ctx.Err() != nil {
			return nil, message.Errorf("%s: %w", m.api, context.Cause(ctx))
		}
		e := m.explain(err)
		e.Attempts, e.Usage = n, used
		now = m.clock.Now()
		if e.RetryAfter <= mostPatience {
			m.pace.hold(now.Add(e.RetryAfter))
		}
		pause := m.pause(n, e.RetryAfter)
		if n == attempts || !e.passing() || e.RetryAfter > mostPatience || !m.inTime(ctx, pause) {
			return nil, e
		}
		if r.Progress != nil {
			r.Progress(Progress{Attempt: n, Pause: pause, Err: e})
		}
		if err := m.clock.Sleep(ctx, pause); err != nil {
			return nil, message.Errorf("%s: %w", m.api, err)
		}
		now = now.Add(pause)
	}
}

// bytesPerToken is how many bytes of an answer are read for each token that it may have,
// before a model that does not stop is cut: a few times what a token has.
const bytesPerToken = 16

// attempt asks once, within the time for it.
func (m *model) attempt(ctx context.Context, r Request, n int, check checker) (*Answer, error) {
	limit := m.limit
	if limit == 0 {
		limit = timeLimit(r)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &Error{Kind: KindTimeout, Message: limit.Round(time.Millisecond).String()})
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	size := 0
	a, err := m.ask(ctx, r, func(piece string) {
		if size += len(piece); size > bytesPerToken*r.MaxTokens {
			stop(&Error{Kind: KindTooLong, note: message.New("it went on after %d bytes, with a limit of %d tokens", size, r.MaxTokens)})
		}
		if r.Progress != nil && piece != "" {
			r.Progress(Progress{Attempt: n, Piece: piece, Bytes: size})
		}
	})
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return a, err
	}
	return a, check.apply(a, r.MaxTokens)
}

// explain makes an error of an attempt what users read.
func (m *model) explain(err error) *Error {
	e := &Error{Kind: KindUnreachable, Err: err}
	if known, ok := errors.AsType[*Error](err); ok {
		c := *known
		e = &c
	} else if outer, ok := errors.AsType[*url.Error](err); ok {
		e.say(outer.Err, m.key) // without the address, which may hold a password
	} else {
		e.say(err, m.key)
		if _, ok := errors.AsType[*json.SyntaxError](err); ok { // an event that is not JSON
			e.Kind = KindUnreadable
		}
	}
	e.API, e.Message = m.api, oneLine(e.Message, m.key)
	return e
}

// say takes the words of an error beneath, in their language as long as the key is not
// among them.
func (e *Error) say(err error, key string) {
	e.Message = err.Error()
	if oneLine(e.Message, key) == e.Message {
		e.note = message.New("%v", err)
	}
}

// pause returns how long to wait after the nth attempt: twice as long each time, a bit less
// by chance so that many do not come back at once; or as long as the service says.
func (m *model) pause(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	d := min(firstPause<<(n-1), longestPause)
	return d - time.Duration(m.clock.Jitter()*float64(d/4))
}

// inTime reports whether the context lasts longer than a pause.
func (m *model) inTime(ctx context.Context, pause time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || m.clock.Now().Add(pause).Before(end)
}

// timeLimit returns how long an attempt may take: a minute, and what a slow model needs to
// read (a local one, 1000 tokens a second) and to write (40).
func timeLimit(r Request) time.Duration {
	size := len(r.System)
	for _, m := range r.Messages {
		size += len(m.Text)
	}
	if r.Schema != nil {
		size += len(r.Schema.JSON)
	}
	const bytesRead, tokensWritten, most = 4000, 40, 15 * time.Minute
	seconds := time.Duration(size/bytesRead + r.MaxTokens/tokensWritten)
	return min(time.Minute+seconds*time.Second, most)
}
