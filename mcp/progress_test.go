package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// note is the params of a progress notification.
type note struct {
	ProgressToken json.RawMessage
	Progress      int
	Total         int
	Message       string
}

// reports calls a tool that does work and returns its notifications, which must
// all stand before the answer.
func reports(t *testing.T, token string, work func(ctx context.Context)) []note {
	t.Helper()
	s := fake(doing("work", func(ctx context.Context) (any, error) {
		work(ctx)
		return map[string]int{}, nil
	}))
	lines := talk(t, s, fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":%s}}}`, token))
	last := len(lines) - 1
	if m := decode(t, lines[last]); string(m.ID) != "1" {
		t.Fatalf("the last message is not the answer: %s", lines[last])
	}
	notes := []note{}
	for _, line := range lines[:last] {
		m := decode(t, line)
		var n note
		if err := json.Unmarshal(m.Params, &n); err != nil || m.Method != "notifications/progress" {
			t.Fatalf("%v: %s", err, line)
		}
		notes = append(notes, n)
	}
	return notes
}

// TestACallThatIsSoonDoneReportsNothing: its answer says that it is done, and a client
// that reads both at once takes what comes with it for an error.
func TestACallThatIsSoonDoneReportsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := reports(t, `"t"`, func(ctx context.Context) {
			for i := range 500 {
				time.Sleep(190 * time.Microsecond)
				progress.Report(ctx, progress.Event{Stage: "parse", Item: fmt.Sprintf("f%d.go", i), Done: i + 1, Total: 500})
			}
		})
		if len(got) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestProgressIsToldTenTimesASecondButNotAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := reports(t, `9007199254740993`, func(ctx context.Context) {
			for i := range 500 {
				progress.Report(ctx, progress.Event{Stage: "parse", Item: fmt.Sprintf("f%d.go", i), Done: i + 1, Total: 500})
				time.Sleep(19 * time.Millisecond)
			}
		})
		var want []note
		for n := 6; n < 500; n += 6 { // an event is told after 100 ms, or in its place the fifth after it
			want = append(want, note{json.RawMessage(`9007199254740993`), n, 500, fmt.Sprintf("parse f%d.go", n-1)})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestTheLastEventIsToldOfACallThatGoesOn after it.
func TestTheLastEventIsToldOfACallThatGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := reports(t, `"t"`, func(ctx context.Context) {
			progress.Report(ctx, progress.Event{Stage: "parse", Item: "a.go", Done: 1, Total: 2})
			progress.Report(ctx, progress.Event{Stage: "parse", Item: "b.go", Done: 2, Total: 2})
			time.Sleep(time.Second)
		})
		if diff := cmp.Diff([]note{{json.RawMessage(`"t"`), 2, 2, "parse b.go"}}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestAnAnswerKeepsBehindTheLastReport of its call, for clients that read both at once.
func TestAnAnswerKeepsBehindTheLastReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for work, want := range map[time.Duration]time.Duration{
			90 * time.Millisecond:  90 * time.Millisecond, // nothing was told
			101 * time.Millisecond: 120 * time.Millisecond,
			150 * time.Millisecond: 150 * time.Millisecond,
		} {
			begin := time.Now()
			reports(t, `1`, func(ctx context.Context) {
				progress.Report(ctx, progress.Event{Stage: "parse", Done: 1, Total: 2})
				time.Sleep(work)
			})
			if got := time.Since(begin); got != want {
				t.Errorf("work of %v: an answer after %v, and not %v", work, got, want)
			}
		}
	})
}

func TestProgressOnlyGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := reports(t, `1`, func(ctx context.Context) {
			for _, e := range []progress.Event{
				{Stage: "parse", Done: 0, Total: 2},
				{Stage: "parse", Done: 2, Total: 2},
				{Stage: "parse", Done: 1, Total: 2}, // late
				{Stage: "generate", Done: 0, Total: 3},
				{Stage: "generate", Done: 1, Total: 3},
				{Stage: "parse", Done: 1, Total: 5}, // again, inside the second
				{Stage: "parse", Done: 5, Total: 5},
				{Stage: "generate", Done: 3, Total: 3},
			} {
				progress.Report(ctx, e)
				time.Sleep(time.Second)
			}
		})
		token := json.RawMessage(`1`)
		want := []note{
			{token, 0, 2, "parse"},
			{token, 2, 2, "parse"},
			{token, 3, 5, "generate"},
			{token, 6, 8, "parse"},
			{token, 8, 8, "generate"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestProgressFromManyGoroutinesStaysInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := reports(t, `1`, func(ctx context.Context) {
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					for i := range 100 {
						progress.Report(ctx, progress.Event{Stage: "parse", Done: 8*i + g + 1, Total: 800})
						time.Sleep(time.Duration(g+1) * time.Millisecond)
					}
				})
			}
			wg.Wait()
			time.Sleep(time.Second)
		})
		last := 0
		for _, n := range got {
			if n.Progress <= last {
				t.Errorf("%d after %d", n.Progress, last)
			}
			last = n.Progress
		}
		if last != 800 {
			t.Errorf("ends at %d", last)
		}
	})
}

func TestNoProgressWithoutAToken(t *testing.T) {
	for _, token := range []string{`null`, `true`, `{}`, `[1]`} {
		synctest.Test(t, func(t *testing.T) {
			got := reports(t, token, func(ctx context.Context) {
				progress.Report(ctx, progress.Event{Stage: "parse", Done: 1})
				time.Sleep(time.Second)
			})
			if len(got) != 0 {
				t.Errorf("%s: %v", token, got)
			}
		})
	}
}

func TestNoProgressAfterTheAnswerOrACancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		report := make(chan func())
		tool := doing("work", func(ctx context.Context) (any, error) {
			report <- func() { progress.Report(ctx, progress.Event{Stage: "late", Done: 1}) }
			return map[string]int{}, nil
		})
		started := make(chan struct{})
		deaf := doing("wait", func(ctx context.Context) (any, error) {
			progress.Report(ctx, progress.Event{Stage: "early", Done: 1})
			close(started)
			<-ctx.Done()
			progress.Report(ctx, progress.Event{Stage: "cancelled", Done: 2})
			time.Sleep(time.Second)
			return nil, ctx.Err()
		})
		c := dial(t.Context(), t, fake([]mcp.Tool{tool, deaf}...))
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":1}}}`)
		late := <-report
		c.next()
		late()
		c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","_meta":{"progressToken":2}}}`)
		<-started
		c.send(cancel, 2)
		time.Sleep(time.Minute)
		if rest := c.end(); rest != nil {
			t.Errorf("%v", rest)
		}
	})
}
