package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	texts "github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/mcp"
)

const call = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`

const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`

// held is a tool that says when it starts and ends when it is released or cancelled.
func held(started chan<- struct{}, release <-chan struct{}) mcp.Tool {
	return doing("hold", func(ctx context.Context) (any, error) {
		started <- struct{}{}
		select {
		case <-release:
			return map[string]bool{"released": true}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

func TestEveryCallIsAnsweredBeforeTheEnd(t *testing.T) {
	var input strings.Builder
	want := []string{}
	for i := range 200 {
		fmt.Fprintf(&input, call+"\n", i, "echo")
		want = append(want, fmt.Sprint(i))
	}
	got := ids(t, talk(t, fake(echo()), strings.TrimSuffix(input.String(), "\n")))
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCancelledCallsAreNotAnswered(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	c := dial(t.Context(), t, fake(held(started, release)))
	for id := 1; id <= 7; id++ { // 1 to 4 run, 5 to 7 wait
		c.send(call, id, "hold")
	}
	for range 4 {
		<-started
	}
	c.send(cancel, 6)  // waits
	c.send(cancel, 2)  // runs
	c.send(cancel, 99) // is none
	<-started          // 5, instead of 2
	if got := c.ask(ping); got != pong {
		t.Errorf("after cancelling: %s", got)
	}
	close(release)
	<-started // 7
	got := ids(t, c.end())
	slices.Sort(got)
	if diff := cmp.Diff([]string{"1", "3", "4", "5", "7"}, got); diff != "" || c.err != nil {
		t.Error(diff, c.err)
	}
}

func TestCallsStartInOrderOfArrival(t *testing.T) {
	order := make(chan string, 100)
	release := make(chan struct{})
	first := doing("first", func(context.Context) (any, error) { <-release; return nil, nil })
	rest := doing("rest", func(context.Context) (any, error) { order <- "x"; return map[string]int{}, nil })
	c := dial(t.Context(), t, fake(first, rest))
	for id := range 3 { // leave one worker
		c.send(call, id, "first")
	}
	want := []string{}
	for id := 10; id < 60; id++ {
		c.send(call, id, "rest")
		want = append(want, fmt.Sprint(id))
	}
	got := []string{}
	for range want {
		<-order
		got = append(got, ids(t, []string{c.next()})...)
	}
	close(release)
	c.end()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnIDInUseIsRefused(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	c := dial(t.Context(), t, fake(held(started, release)))
	c.send(call, 1, "hold")
	<-started
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"id is that of a request still running"}}`
	if diff := cmp.Diff(want, c.ask(call, 1, "hold")); diff != "" {
		t.Error(diff)
	}
	close(release)
	if m := decode(t, c.next()); m.Result == nil || m.Result.IsError {
		t.Errorf("the first call: %+v", m)
	}
	c.send(call, 1, "hold") // free again
	<-started
	if got := ids(t, c.end()); !cmp.Equal(got, []string{"1"}) {
		t.Errorf("the id used again: %v", got)
	}
}

func TestTooManyCallsAreRefused(t *testing.T) {
	started, release := make(chan struct{}, 2000), make(chan struct{})
	c := dial(t.Context(), t, fake(held(started, release)))
	for id := range 4 {
		c.send(call, id, "hold")
		<-started
	}
	for id := range 1000 {
		c.send(call, 4+id, "hold")
	}
	m := decode(t, c.ask(call, 5000, "hold"))
	if string(m.ID) != "5000" || m.Error == nil || m.Error.Code != -32000 {
		t.Errorf("the call too many: %+v", m)
	}
	close(release)
	if rest := c.end(); len(rest) != 1004 {
		t.Errorf("%d answers", len(rest))
	}
}

func TestPanicInAToolIsAnInternalError(t *testing.T) {
	var record strings.Builder
	s := logged(&record, doing("bad", func(context.Context) (any, error) { panic("kaputt") }))
	lines := talk(t, s, fmt.Sprintf(call, 1, "bad"))
	const want = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"内部错误: kaputt (internal error)"}],"isError":true}}`
	if diff := cmp.Diff([]string{want}, lines); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(record.String(), "tool panicked") || !strings.Contains(record.String(), "calls_test.go") {
		t.Errorf("the log has no stack:\n%s", &record)
	}
	if got := talk(t, s, ping); !cmp.Equal(got, []string{pong}) {
		t.Errorf("after the panic: %v", got)
	}
	long := logged(&record, doing("bad", func(context.Context) (any, error) { panic(strings.Repeat("长", 5000)) }))
	if m := decode(t, talk(t, long, fmt.Sprintf(call, 1, "bad"))[0]); len(m.Result.Content[0].Text) > 700 || !m.Result.IsError {
		t.Errorf("a long one: %+v", m.Result)
	}
}

func TestErrorOfAToolIsAResult(t *testing.T) {
	tools := []mcp.Tool{
		doing("plain", func(context.Context) (any, error) { return nil, errors.New("it broke") }),
		doing("hinted", func(context.Context) (any, error) { return nil, fmt.Errorf("read: %w", hintedError{}) }),
		doing("endless", func(context.Context) (any, error) { return map[string]any{"f": func() {}}, nil }),
	}
	want := []string{
		"plain failed: it broke",
		"hinted failed: read: no key\nset ANTHROPIC_API_KEY",
		"endless failed: 内部错误: the result cannot be encoded: json: unsupported type: func() (internal error)",
	}
	for i, tool := range tools {
		m := decode(t, talk(t, fake(tools...), fmt.Sprintf(call, 1, tool.Name))[0])
		if diff := cmp.Diff(want[i], m.Result.Content[0].Text); diff != "" || !m.Result.IsError {
			t.Error(diff)
		}
	}
}

type hintedError struct{}

func (hintedError) Error() string    { return "no key" }
func (hintedError) Hint() texts.Text { return texts.New("set ANTHROPIC_API_KEY") }

func TestShutdownCancelsCallsAndAnswersThem(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	started := make(chan struct{})
	c := dial(ctx, t, fake(held(started, nil)))
	for id := 1; id <= 5; id++ {
		c.send(call, id, "hold")
	}
	for range 4 {
		<-started
	}
	if got := c.ask(ping); got != pong { // the fifth has arrived, too
		t.Error(got)
	}
	why := errors.New("terminated")
	stop(why)
	texts := map[string]int{}
	for line := range c.lines {
		texts[decode(t, line).Result.Content[0].Text]++
	}
	_ = c.in.Close()
	want := map[string]int{"hold failed: cancelled: the server is shutting down": 5}
	if diff := cmp.Diff(want, texts); diff != "" || !errors.Is(c.err, why) {
		t.Error(diff, c.err)
	}
}

func TestShutdownDoesNotWaitForTheDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		started, release := make(chan struct{}), make(chan struct{})
		deaf := doing("deaf", func(context.Context) (any, error) {
			close(started)
			<-release
			return map[string]int{}, nil
		})
		c := dial(ctx, t, fake(deaf))
		c.send(call, 1, "deaf")
		<-started
		begin := time.Now()
		stop()
		for range c.lines {
			t.Error("an answer")
		}
		if got := time.Since(begin); got != 2*time.Second || !errors.Is(c.err, context.Canceled) {
			t.Errorf("after %v: %v", got, c.err)
		}
		_ = c.in.Close()
		close(release)
	})
}

func TestCallsHaveTenMinutesAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tools := []mcp.Tool{
			doing("slow", func(context.Context) (any, error) {
				time.Sleep(9 * time.Minute)
				return map[string]int{}, nil
			}),
			doing("forever", func(ctx context.Context) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}),
		}
		begin := time.Now()
		lines := talk(t, fake(tools...), fmt.Sprintf(call+"\n"+call, 1, "slow", 2, "forever"))
		if got := time.Since(begin); got != 10*time.Minute {
			t.Errorf("took %v", got)
		}
		if m := decode(t, lines[0]); string(m.ID) != "1" || m.Result.IsError {
			t.Errorf("the slow one: %s", lines[0])
		}
		if m := decode(t, lines[1]); string(m.ID) != "2" || !m.Result.IsError {
			t.Errorf("the endless one: %s", lines[1])
		}
	})
}

func TestBrokenOutputEndsTheServer(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	gone := errors.New("client gone")
	_ = fromServer.CloseWithError(gone)
	started, cancelled := make(chan struct{}), make(chan struct{})
	wait := doing("wait", func(ctx context.Context) (any, error) {
		close(started)
		<-ctx.Done()
		close(cancelled)
		return nil, ctx.Err()
	})
	result := make(chan error)
	go func() { result <- fake(wait).Serve(t.Context(), in, out) }()
	_, _ = fmt.Fprintf(toServer, call+"\n", 1, "wait")
	<-started
	_, _ = fmt.Fprintln(toServer, ping)
	if err := <-result; !errors.Is(err, gone) {
		t.Error(err)
	}
	<-cancelled
	_ = toServer.Close()
}

func TestBrokenInputIsAnError(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(ping+"\n"), errorReader{broken})
	var out strings.Builder
	if err := fake().Serve(t.Context(), in, &out); !errors.Is(err, broken) || out.String() != pong+"\n" {
		t.Errorf("%v %q", err, out.String())
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }
