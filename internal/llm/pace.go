package llm

import (
	"context"
	"sync"
	"time"
)

// pace is a rate limiter shared by all users of a model. It spreads turns evenly, because
// services also count over less than a minute, and pauses all users when the service asks one
// of them to wait.
type pace struct {
	every time.Duration // between two turns; 0 for no limit

	mu   sync.Mutex
	next time.Time // the next free turn
	held time.Time // no turns before this time
}

// newPace returns a pace of perMinute turns; 0 for no limit.
func newPace(perMinute int) *pace {
	p := &pace{}
	if perMinute > 0 {
		p.every = time.Minute / time.Duration(perMinute)
	}
	return p
}

// take reserves a turn, at the earliest now.
func (p *pace) take(now time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	turn := later(now, p.held)
	if p.every > 0 {
		turn = later(turn, p.next)
		p.next = turn.Add(p.every)
	}
	return turn
}

// hold cancels the turns before a time, including those already reserved.
func (p *pace) hold(until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = later(p.held, until)
}

// holds reports whether a reserved turn was cancelled.
func (p *pace) holds(turn time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return turn.Before(p.held)
}

// wait reserves a turn and sleeps until then. The error is ctx's.
func (p *pace) wait(ctx context.Context, now time.Time, sleep func(context.Context, time.Duration) error) error {
	for {
		turn := p.take(now)
		if turn.After(now) {
			if err := sleep(ctx, turn.Sub(now)); err != nil {
				return err
			}
		}
		if !p.holds(turn) {
			return nil
		}
		now = turn
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
