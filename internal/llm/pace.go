package llm

import (
	"context"
	"sync"
	"time"
)

// pace gives attempts their turns, for all who ask one model: so many a minute and
// evenly, since services count over less than a minute, too; and none while the
// service wants to be left alone, whoever of them it said so to.
type pace struct {
	every time.Duration // between two turns; 0 for as they come

	mu   sync.Mutex
	next time.Time // the first turn that is free
	held time.Time // there is none before
}

// newPace returns a pace of so many turns a minute; 0 for as they come.
func newPace(perMinute int) *pace {
	p := &pace{}
	if perMinute > 0 {
		p.every = time.Minute / time.Duration(perMinute)
	}
	return p
}

// take takes a turn, at the earliest now.
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

// hold gives no turns before a time, those taken already included.
func (p *pace) hold(until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = later(p.held, until)
}

// holds reports whether a turn that was taken is none any more.
func (p *pace) holds(turn time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return turn.Before(p.held)
}

// wait takes a turn and sleeps until it comes. The error is the context's.
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
