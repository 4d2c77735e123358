package mcpclient_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

// one is the servers of a registry with one.
func one() []mcpclient.Server {
	return []mcpclient.Server{{Name: "it", Type: mcpclient.TypeStdio, Command: "fake"}}
}

// inRow reports whether pauses are those of coming back: twice the last up to a
// minute, each shorter by a quarter at most.
func inRow(pauses []time.Duration) bool {
	full := time.Second
	for _, p := range pauses {
		if p > full || p < full*3/4 {
			return false
		}
		full = min(2*full, time.Minute)
	}
	return true
}

func TestPausesDoubleUpToAMinute(t *testing.T) {
	if pauses := mcpclient.Pauses(12); !inRow(pauses) {
		t.Error(pauses)
	}
}

// TestServerIsTriedForEver with the pauses of the rule between.
func TestServerIsTriedForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var times []time.Time
		dial := func(context.Context, mcpclient.Server, mcpclient.Options) (*mcpclient.Session, error) {
			times = append(times, time.Now())
			return nil, errors.New("nobody home")
		}
		r := mcpclient.StartWith(t.Context(), one(), mcpclient.Options{}, dial)
		time.Sleep(time.Hour)
		_, err := r.Call(t.Context(), mcpclient.Call{Tool: "it:x"})
		if err == nil || err.Error() != "server it is failed: nobody home" {
			t.Error(err)
		}
		r.Close()
		var pauses []time.Duration
		for i, at := range times[1:] {
			pauses = append(pauses, at.Sub(times[i]))
		}
		if !inRow(pauses) || len(pauses) < 60 {
			t.Error(len(pauses), pauses)
		}
	})
}

// TestPausesBeginAnewAfterAGoodMinute but not after a shorter one: a server that
// dies as soon as it is connected is not tried every second.
func TestPausesBeginAnewAfterAGoodMinute(t *testing.T) {
	for stands, want := range map[time.Duration]bool{2 * time.Second: false, 2 * time.Minute: true} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var connected, lost []time.Time
			dial := func(ctx context.Context, s mcpclient.Server, o mcpclient.Options) (*mcpclient.Session, error) {
				mu.Lock()
				defer mu.Unlock()
				connected = append(connected, time.Now())
				fake := &mcpclient.Fake{Answer: healthy}
				time.AfterFunc(stands, func() {
					mu.Lock()
					defer mu.Unlock()
					lost = append(lost, time.Now())
					fake.Lose(errors.New("gone"))
				})
				return fake.Dial(ctx, s, o)
			}
			r := mcpclient.StartWith(t.Context(), one(), mcpclient.Options{}, dial)
			time.Sleep(20 * time.Minute)
			r.Close()
			mu.Lock()
			defer mu.Unlock()
			short := true
			for i, at := range connected[1:] {
				short = short && at.Sub(lost[i]) <= time.Second
			}
			if short != want {
				t.Errorf("after %s: %v", stands, connected)
			}
		})
	}
}

// healthy answers everything.
func healthy(method string) string {
	switch method {
	case "initialize":
		return mcpclient.Hello
	case "tools/list":
		return `"result":{"tools":[{"name":"a"}]}`
	case "ping":
		return `"error":{"code":-32601,"message":"unknown"}`
	default:
		return `"result":{"content":[]}`
	}
}

// TestServerThatAnswersNoPingIsGone after two of them, and its tools with it.
func TestServerThatAnswersNoPingIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		dials := 0
		var mute atomic.Bool
		dial := func(ctx context.Context, s mcpclient.Server, o mcpclient.Options) (*mcpclient.Session, error) {
			if dials++; dials > 1 {
				return nil, errors.New("it hangs")
			}
			fake := &mcpclient.Fake{Answer: func(method string) string {
				if method == "ping" && mute.Load() {
					return ""
				}
				return healthy(method)
			}}
			return fake.Dial(ctx, s, o)
		}
		r := mcpclient.StartWith(t.Context(), one(), mcpclient.Options{}, dial)
		defer r.Close()
		type row struct {
			At    time.Duration
			State mcpclient.State
			Tools int
		}
		var mu sync.Mutex
		var rows []row
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() {
			_ = r.Watch().Each(ctx, func(e mcpclient.Event) {
				mu.Lock()
				defer mu.Unlock()
				if e.Kind == mcpclient.StateChanged {
					rows = append(rows, row{time.Since(begin), r.Servers()[0].State, len(r.Tools())})
				}
			})
		}()
		time.Sleep(10*time.Minute + time.Second)
		mute.Store(true)
		time.Sleep(time.Minute + 9*time.Second + 500*time.Millisecond)
		want := []row{
			{0, mcpclient.Connected, 1},
			{11*time.Minute + 10*time.Second, mcpclient.Disconnected, 0}, // pings at 10:30 and 11:00, 10 s for the last
		}
		mu.Lock()
		defer mu.Unlock()
		// The first answers may be seen while it is still connecting.
		if n := len(rows); n > 2 {
			rows = rows[n-2:]
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Error(diff)
		}
		err := r.Servers()[0].Err
		if err == nil || !strings.Contains(err.Error(), "2 pings without an answer: ping: no answer within 10s") {
			t.Error(err)
		}
	})
}

// TestServerThatIsBusyIsThere as long as it tells how far it is.
func TestServerThatIsBusyIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fake *mcpclient.Fake
		dial := func(ctx context.Context, s mcpclient.Server, o mcpclient.Options) (*mcpclient.Session, error) {
			fake = &mcpclient.Fake{Answer: func(method string) string {
				if method == "ping" {
					return ""
				}
				return healthy(method)
			}}
			return fake.Dial(ctx, s, o)
		}
		r := mcpclient.StartWith(t.Context(), one(), mcpclient.Options{}, dial)
		defer r.Close()
		synctest.Wait()
		for range 120 {
			time.Sleep(5 * time.Second)
			fake.Say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}`)
		}
		if got := r.Servers()[0]; got.State != mcpclient.Connected || time.Since(got.Since) < 9*time.Minute {
			t.Errorf("%+v", got)
		}
	})
}

// TestThreeConnectAtOnce and the others as soon as one of them is done; those that
// hang keep nobody from a server that is connected.
func TestThreeConnectAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var busy, most atomic.Int32
		dial := func(ctx context.Context, s mcpclient.Server, o mcpclient.Options) (*mcpclient.Session, error) {
			most.Store(max(most.Load(), busy.Add(1)))
			defer busy.Add(-1)
			if strings.HasPrefix(s.Name, "hangs") {
				<-time.After(o.Connect)
				return nil, errors.New("it hangs")
			}
			<-time.After(time.Second)
			return (&mcpclient.Fake{Answer: healthy}).Dial(ctx, s, o)
		}
		var servers []mcpclient.Server
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "hangs1", "hangs2"} {
			servers = append(servers, mcpclient.Server{Name: name, Type: mcpclient.TypeStdio, Command: "fake"})
		}
		begin := time.Now()
		r := mcpclient.StartWith(t.Context(), servers, mcpclient.Options{}, dial)
		if took := time.Since(begin); took != 0 {
			t.Errorf("the start waited for %s", took)
		}
		time.Sleep(10 * time.Second)
		if got := len(r.Tools()); got != 6 || most.Load() != 3 {
			t.Errorf("%d tools after 10 s, at most %d connecting at once", got, most.Load())
		}
		if _, err := r.Call(t.Context(), mcpclient.Call{Tool: "a:a"}); err != nil {
			t.Error(err)
		}
		if err := r.Settled(t.Context()); err != nil || time.Since(begin) > 40*time.Second {
			t.Errorf("%v after %s", err, time.Since(begin))
		}
		r.Close()
	})
}

// TestCallTimeOut tells the server and says how long it was.
func TestCallTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := (&mcpclient.Fake{Answer: func(method string) string {
			if method == "tools/call" {
				return ""
			}
			return healthy(method)
		}}).Dial(t.Context(), one()[0], mcpclient.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for timeout, want := range map[time.Duration]time.Duration{0: 10 * time.Minute, time.Minute: time.Minute} {
			begin := time.Now()
			_, err = s.Call(t.Context(), mcpclient.Call{Tool: "a", Timeout: timeout})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != want {
				t.Errorf("%s: %v after %s", timeout, err, time.Since(begin))
			}
		}
		s.Close()
	})
}

// TestLateListIsAFailure takes the tools away that were there before.
func TestLateListIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lists := 0
		var fake *mcpclient.Fake
		dial := func(ctx context.Context, s mcpclient.Server, o mcpclient.Options) (*mcpclient.Session, error) {
			fake = &mcpclient.Fake{Answer: func(method string) string {
				if method == "tools/list" {
					if lists++; lists > 1 {
						return `"error":{"code":-32000,"message":"lost"}`
					}
				}
				return healthy(method)
			}}
			return fake.Dial(ctx, s, o)
		}
		r := mcpclient.StartWith(t.Context(), one(), mcpclient.Options{}, dial)
		defer r.Close()
		synctest.Wait()
		if len(r.Tools()) != 1 {
			t.Fatal(r.Servers())
		}
		fake.Say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		synctest.Wait()
		if got := r.Servers()[0]; got.State != mcpclient.Failed || len(r.Tools()) != 0 {
			t.Errorf("%+v", got)
		}
	})
}
