package mcpclient_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

// quick ends children that do not end by themselves.
func quick() mcpclient.Options { return mcpclient.Options{Grace: 20 * time.Millisecond} }

// connect dials a server with a fault.
func connect(t *testing.T, mode string, env ...string) *mcpclient.Session {
	t.Helper()
	s, err := mcpclient.Dial(t.Context(), faultyServer(t, mode, env...), quick())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// say calls a tool and returns what it says, or the error.
func say(t *testing.T, s *mcpclient.Session, tool string) string {
	t.Helper()
	r, err := s.Call(t.Context(), mcpclient.Call{Tool: tool, Timeout: time.Minute})
	if err != nil {
		return "error: " + err.Error()
	}
	return r.Text()
}

// TestServersThatDoNotConnect holds what is said of each to its words.
func TestServersThatDoNotConnect(t *testing.T) {
	short := quick()
	short.Connect = 300 * time.Millisecond
	for mode, want := range map[string]string{
		"dies":    "connect to server it: initialize: server it: connection lost: the server ended: exit status 3; its last words: there is no database here",
		"mute":    "connect to server it: initialize: connect to server it: no answer within 300ms",
		"deaf":    "connect to server it: initialize: connect to server it: no answer within 300ms",
		"wrongid": "connect to server it: initialize: connect to server it: no answer within 300ms",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			o := short
			if mode == "dies" {
				o.Connect = 0
			}
			_, err := mcpclient.Dial(t.Context(), faultyServer(t, mode), o)
			if err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			if mode != "dies" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v is no time-out", err)
			}
		})
	}
	t.Run("no such program", func(t *testing.T) {
		_, err := mcpclient.Dial(t.Context(), mcpclient.Server{Name: "it", Type: mcpclient.TypeStdio, Command: "no-such-program"}, quick())
		if err == nil || !strings.Contains(err.Error(), `start no-such-program: exec: "no-such-program": executable file not found`) {
			t.Error(err)
		}
	})
}

func TestServerThatDiesAfterACallAnsweredIt(t *testing.T) {
	s := connect(t, "sound")
	if got := say(t, s, "die"); got != "goodbye" {
		t.Errorf("the last answer is lost: %s", got)
	}
	<-s.Lost()
	const want = "server it: connection lost: the server ended: exit status 4; its last words: out of memory"
	if got := s.Err().Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := say(t, s, "echo"); got != "error: tool it:echo: "+want {
		t.Errorf("a call afterwards: %s", got)
	}
}

func TestCallsThatRunWhenTheServerDiesFailAtOnce(t *testing.T) {
	s := connect(t, "sound")
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			got := say(t, s, "slow")
			if !strings.Contains(got, "connection lost") {
				t.Error(got)
			}
		})
	}
	say(t, s, "die")
	wg.Wait()
}

// TestAwkwardServersWork are those whose fault a client can do without.
func TestAwkwardServersWork(t *testing.T) {
	for _, mode := range []string{"flood", "garbage"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := connect(t, mode)
			if got, want := say(t, s, "echo"), "{}"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	t.Run("a line of 20 MB", func(t *testing.T) {
		s := connect(t, "sound")
		if got := say(t, s, "big"); len(got) != 20<<20 {
			t.Errorf("%d bytes: %.100s", len(got), got)
		}
	})
	t.Run("no answer to ping but an error", func(t *testing.T) {
		s := connect(t, "sound")
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("questions to the client", func(t *testing.T) {
		if got := say(t, connect(t, "sound"), "asks"); got != "" {
			t.Error(got)
		}
	})
}

// TestStandardErrorIsLoggedWithTheServersName and not printed.
func TestStandardErrorIsLoggedWithTheServersName(t *testing.T) {
	var said syncBuffer
	o := quick()
	o.Log = slog.New(slog.NewTextHandler(&said, nil))
	if _, err := mcpclient.Dial(t.Context(), faultyServer(t, "dies"), o); err == nil {
		t.Fatal("it connected")
	}
	if want := `msg="server says" server=it line="there is no database here"`; !strings.Contains(said.String(), want) {
		t.Errorf("%s\nhas no %s", said.String(), want)
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// TestListsWithFaults are those that are not a server's tools.
func TestListsWithFaults(t *testing.T) {
	for mode, want := range map[string]string{
		"badlist":    `server it: tools/list: the list is lost (code -32000): "disk full"`,
		"nolist":     "server it: tools/list: the answer is not a list: it has no tools member",
		"samecursor": `server it: tools/list: the cursor "again" comes again`,
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			tools, err := connect(t, mode).Tools(t.Context())
			if err == nil || err.Error() != want || tools != nil {
				t.Errorf("got  %v, %v\nwant %s", tools, err, want)
			}
		})
	}
}

func TestThousandToolsOnPages(t *testing.T) {
	tools, err := connect(t, "many").Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for i, tool := range tools {
		got = append(got, tool.FullName())
		want = append(want, fmt.Sprintf("it:tool%d", i))
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 1000 {
		t.Errorf("%d tools: %s", len(got), diff)
	}
}

func TestToolsOfTheSameNameAreOne(t *testing.T) {
	tools, err := connect(t, "twice").Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) != 1 || tools[0].Description != "first" || string(tools[0].InputSchema) != `{"type":"object"}` {
		t.Errorf("%+v", tools)
	}
}

// TestStormOfChanges ends with the tools that the server has then.
func TestStormOfChanges(t *testing.T) {
	r := mcpclient.Start(t.Context(), []mcpclient.Server{faultyServer(t, "storm")}, nil, quick())
	defer r.Close()
	if err := r.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Tool("it:list1"); !ok {
		t.Fatalf("at first: %v", r.Tools())
	}
	changed := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		_ = r.Watch().Each(ctx, func(mcpclient.Event) {
			if _, old := r.Tool("it:list1"); !old {
				stop()
				close(changed)
			}
		})
	}()
	if _, err := r.Call(t.Context(), mcpclient.Call{Tool: "it:storm"}); err != nil {
		t.Fatal(err)
	}
	<-changed
	if got := r.Servers()[0]; got.State != mcpclient.Connected || got.Tools != 2 {
		t.Errorf("%+v", got)
	}
}
