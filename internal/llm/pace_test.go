package llm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// walkingClock is a clock that advances only by sleeping.
type walkingClock struct {
	now    time.Time
	slept  []time.Duration
	during func() // called once, in the next sleep
}

func (c *walkingClock) clock() llm.Clock {
	return llm.Clock{
		Now:    func() time.Time { return c.now },
		Jitter: func() float64 { return 0 },
		Sleep: func(ctx context.Context, d time.Duration) error {
			c.slept = append(c.slept, d)
			if f := c.during; f != nil {
				c.during = nil
				f()
			}
			c.now = c.now.Add(d)
			return ctx.Err()
		},
	}
}

func mustAsk(t *testing.T, m llm.Model) {
	t.Helper()
	if _, err := m.Complete(t.Context(), ask("hi")); err != nil {
		t.Error(err)
	}
}

// TestRequestsKeepTheirPace: retries count like requests, and elapsed time is not waited for
// again.
func TestRequestsKeepTheirPace(t *testing.T) {
	s := llmtest.Start(hello, hello, hello, llmtest.Reply{Status: 500}, hello)
	defer s.Close()
	c := &walkingClock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	m := open(t, llm.Anthropic, s, llm.Options{Rate: 12, Clock: c.clock()})
	mustAsk(t, m)
	mustAsk(t, m)
	c.now = c.now.Add(4 * time.Second)
	mustAsk(t, m)
	c.now = c.now.Add(time.Minute)
	mustAsk(t, m) // fails, pauses for 2 s, and gets its next turn after 5 s
	want := []time.Duration{5 * time.Second, time.Second, 2 * time.Second, 3 * time.Second}
	if diff := cmp.Diff(want, c.slept); diff != "" {
		t.Errorf("slept (-want +got):\n%s", diff)
	}
}

// TestAllRequestsWaitAfterRetryAfter: a Retry-After of one request applies to all.
func TestAllRequestsWaitAfterRetryAfter(t *testing.T) {
	const asked = 7 * time.Second
	for name, row := range map[string]struct {
		options llm.Options
		want    []time.Duration
	}{
		"no rate": {llm.Options{}, []time.Duration{asked, asked}},
		"a rate":  {llm.Options{Rate: 6000}, []time.Duration{asked, asked, 10 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.Start(llmtest.Reply{Status: 429, Header: llmtest.Header{"Retry-After": "7"}}, hello)
			defer s.Close()
			c := &walkingClock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
			row.options.Clock = c.clock()
			m := open(t, llm.Anthropic, s, row.options)
			c.during = func() {
				mustAsk(t, m) // another worker, while the first one waits
				if len(s.Requests()) != 2 {
					t.Errorf("%d requests, want the refused one and the other worker's", len(s.Requests()))
				}
			}
			mustAsk(t, m)
			if diff := cmp.Diff(row.want, c.slept); diff != "" {
				t.Errorf("slept (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWaitingForATurnEnds with ctx.
func TestWaitingForATurnEnds(t *testing.T) {
	s := llmtest.Start(hello)
	defer s.Close()
	m := open(t, llm.Anthropic, s, llm.Options{Rate: 1})
	mustAsk(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Complete(ctx, ask("hi")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}
