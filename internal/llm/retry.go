package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Attempts and pauses between them: 2 s, 4 s, 8 s and so on up to 30 s, as in the contract's
// origin.
const (
	attempts     = 3
	firstPause   = 2 * time.Second
	longestPause = 30 * time.Second
	// mostPatience is the longest wait that a service may ask for. If it asks for more the
	// request fails, and the error says when to retry.
	mostPatience = 2 * time.Minute
)

// Clock has the time functions of retries; nil fields mean the real clock.
type Clock struct {
	Now    func() time.Time
	Sleep  func(ctx context.Context, d time.Duration) error // returns ctx's error if it ends
	Jitter func() float64                                   // in [0, 1): the share of a pause's last quarter to omit
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

// asker is the provider's part: a single attempt. MaxTokens is set. got receives the answer's
// text as it arrives. An error is an [*Error] without the fields that all providers share, or
// an error of the transport; the answer returned with it may have the usage.
type asker interface {
	ask(ctx context.Context, r Request, got func(piece string)) (*Answer, error)
}

// model retries an asker.
type model struct {
	asker
	name  string // of the model
	api   string // name of the service in errors
	key   string
	limit time.Duration // time limit of an attempt; 0 to derive it from the request
	clock Clock
	pace  *pace
}

// Name returns provider and model.
func (m *model) Name() string { return m.name }

// Complete retries until success or a permanent error.
func (m *model) Complete(ctx context.Context, r Request) (*Answer, error) {
	if r.MaxTokens == 0 {
		r.MaxTokens = DefaultMaxTokens
	}
	check, err := r.Schema.checker()
	if err != nil {
		return nil, err
	}
	var used Usage
	next := r
	for n, now := 1, m.clock.Now(); ; n++ {
		if err := m.pace.wait(ctx, now, m.clock.Sleep); err != nil {
			return nil, message.Errorf("%s: %w", m.api, err)
		}
		a, err := m.attempt(ctx, next, n, check)
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
		next = corrected(r, a, e)
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

// maxQuoted limits the answer that is sent back to a model to be corrected, in bytes.
const maxQuoted = 64 << 10

// corrected returns the request of the next attempt: with the answer that is not as the schema says, and what is wrong with it; else the
// same one.
func corrected(r Request, a *Answer, e *Error) Request {
	if r.Schema == nil || e.Kind != KindUnreadable || a == nil || a.Text == "" && len(a.JSON) == 0 {
		return r
	}
	answer := cmp.Or(string(a.JSON), a.Text)
	if len(answer) > maxQuoted {
		return r
	}
	r.Messages = append(slices.Clone(r.Messages),
		Message{Role: Assistant, Text: answer},
		Message{Role: User, Text: "That answer cannot be used: " + cmp.Or(e.note.String(), e.Message) + ". Send the whole answer again, corrected, and nothing else."})
	return r
}

// bytesPerToken limits the bytes of an answer per permitted token, a few times the usual
// number, to cut a model that does not stop.
const bytesPerToken = 16

// attempt makes one attempt within the time limit.
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
			if _, person := m.asker.(*lent); person { // who did not answer is not asked again
				err = patient(err)
			}
		}
		return a, err
	}
	return a, check.apply(a, r.MaxTokens)
}

// patient returns an error of a time limit as one that is not tried again.
func patient(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	c := *e
	c.final = true
	return &c
}

// explain converts an error of an attempt into one for users.
func (m *model) explain(err error) *Error {
	e := &Error{Kind: KindUnreachable, Err: err}
	if known, ok := errors.AsType[*Error](err); ok {
		c := *known
		e = &c
	} else if outer, ok := errors.AsType[*url.Error](err); ok {
		e.say(outer.Err, m.key) // without the address, which may contain a password
	} else {
		e.say(err, m.key)
		if _, ok := errors.AsType[*json.SyntaxError](err); ok { // an event is not valid JSON
			e.Kind = KindUnreadable
		}
	}
	e.API, e.Message = m.api, oneLine(e.Message, m.key)
	return e
}

// say adds the text of an underlying error, localised unless it contains the key.
func (e *Error) say(err error, key string) {
	e.Message = err.Error()
	if oneLine(e.Message, key) == e.Message {
		e.note = message.New("%v", err)
	}
}

// pause returns the time to wait after the nth attempt: doubled each time, with jitter, or as
// long as the service asks.
func (m *model) pause(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	d := min(firstPause<<(n-1), longestPause)
	return d - time.Duration(m.clock.Jitter()*float64(d/4))
}

// inTime reports whether ctx lasts longer than a pause.
func (m *model) inTime(ctx context.Context, pause time.Duration) bool {
	end, ok := ctx.Deadline()
	return !ok || m.clock.Now().Add(pause).Before(end)
}

// timeLimit returns the time limit of an attempt: a minute plus the time that a slow local
// model needs to read (1000 tokens/s) and to write (40 tokens/s).
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
