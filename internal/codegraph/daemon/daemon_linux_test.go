package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/daemon"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
)

func find(t *testing.T, data string) daemon.Place {
	t.Helper()
	p, err := daemon.Find(data, "", "1")
	if err == nil && !strings.Contains(data, "long") {
		err = p.Make()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// serve answers at a place until the test ends or stop is called.
func serve(t *testing.T, p daemon.Place, idle time.Duration, answer daemon.Answerer) (stop func()) {
	t.Helper()
	l, err := daemon.Listen(p, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- l.Serve(ctx, idle, answer) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func question(root string) daemon.Question { return daemon.Question{Kind: daemon.Graph, Root: root} }

// TestAnswerComesWithItsProgress, in the language of the question; a data folder may have a long name.
func TestAnswerComesWithItsProgress(t *testing.T) {
	root := t.TempDir()
	p := find(t, filepath.Join(t.TempDir(), strings.Repeat("long", 50)))
	if _, err := p.Ask(t.Context(), question(root)); !errors.Is(err, daemon.ErrNone) {
		t.Errorf("before: %v", err)
	}
	if err := p.Make(); err != nil {
		t.Fatal(err)
	}
	serve(t, p, 0, func(ctx context.Context, dir string) (*daemon.Answer, error) {
		progress.Report(ctx, progress.Event{Stage: "parse", Item: dir, Done: 1, Total: 2})
		return &daemon.Answer{Identity: "x", Serial: 7, Warnings: []string{string(message.From(ctx))}}, nil
	})
	var said []progress.Event
	ctx := progress.With(message.With(t.Context(), message.Choice{Lang: message.Chinese}), func(e progress.Event) { said = append(said, e) })
	a, err := p.Ask(ctx, question(root))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(*a, said), fmt.Sprint(daemon.Answer{Identity: "x", Serial: 7, Warnings: []string{"zh"}}, []progress.Event{{Stage: "parse", Item: root, Done: 1, Total: 2}}); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if s := daemon.StateOf(t.Context(), p); s == nil || s.PID != os.Getpid() || s.Questions != 1 {
		t.Errorf("%+v", s)
	}
}

// TestOneProcessListens at a place.
func TestOneProcessListens(t *testing.T) {
	p := find(t, t.TempDir())
	stop := serve(t, p, 0, nil)
	if _, err := daemon.Listen(p, slog.New(slog.DiscardHandler)); !errors.As(err, new(*lockfile.HeldError)) {
		t.Errorf("a second one: %v", err)
	}
	stop()
	serve(t, p, 0, nil)
}

// TestQuestionsAreRefused with the reason, and a panic is one.
func TestQuestionsAreRefused(t *testing.T) {
	data := t.TempDir()
	p := find(t, data)
	serve(t, p, 0, func(_ context.Context, root string) (*daemon.Answer, error) {
		if root == "/" {
			panic("oh")
		}
		return nil, errors.New("not followed")
	})
	for want, q := range map[string]daemon.Question{
		"not followed":    question(data),
		"panic: oh":       question("/"),
		"an unknown kind": {Kind: "x"},
		"no such file":    question(filepath.Join(data, "none")),
	} {
		_, err := p.Ask(t.Context(), q)
		if refused := (*daemon.RefusedError)(nil); !errors.As(err, &refused) || !strings.Contains(refused.Why, want) {
			t.Errorf("%+v: %v, not %q", q, err, want)
		}
	}
}

// TestForeignQuestionsAreRefused: those with another key, folder or form.
func TestForeignQuestionsAreRefused(t *testing.T) {
	data := t.TempDir()
	serve(t, find(t, data), 0, func(context.Context, string) (*daemon.Answer, error) {
		t.Error("asked")
		return &daemon.Answer{}, nil
	})
	sockets, err := filepath.Glob(filepath.Join(data, "server", "*.sock"))
	if err != nil || len(sockets) != 1 {
		t.Fatal(sockets, err)
	}
	for _, text := range []string{`{"key":"x","kind":"graph","root":"/"}`, `{`, ``, `[]`, strings.Repeat("x", 3<<20)} {
		c, err := net.Dial("unix", sockets[0])
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write([]byte(text + "\n")) // it may hang up before
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		got := make([]byte, 1000)
		n, _ := c.Read(got)
		if n > 0 && !strings.Contains(string(got[:n]), "refused") {
			t.Errorf("%.20q: %s", text, got[:n])
		}
		_ = c.Close()
	}
}

// TestEndOfACommandEndsItsWork, and a command that is interrupted does not wait.
func TestEndOfACommandEndsItsWork(t *testing.T) {
	p := find(t, t.TempDir())
	begun, ended := make(chan bool), make(chan bool)
	serve(t, p, 0, func(ctx context.Context, _ string) (*daemon.Answer, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	if _, err := p.Ask(ctx, question(t.TempDir())); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-ended
}

// TestLongWorkIsWaitedFor, since there are signs of life; who gives none is given up.
func TestLongWorkIsWaitedFor(t *testing.T) {
	p := find(t, t.TempDir())
	stop := serve(t, p, 0, func(context.Context, string) (*daemon.Answer, error) {
		time.Sleep(3 * time.Second) // longer than a silence may be
		return &daemon.Answer{Identity: "x"}, nil
	})
	if a, err := p.Ask(t.Context(), question(t.TempDir())); err != nil || a.Identity != "x" {
		t.Errorf("%+v, %v", a, err)
	}
	stop()
	folder := filepath.Dir(p.Log())
	silent, err := net.Listen("unix", filepath.Join(folder, strings.TrimSuffix(filepath.Base(p.Log()), ".log")+".sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	begin := time.Now()
	if _, err := p.Ask(t.Context(), question(t.TempDir())); err == nil || errors.Is(err, daemon.ErrNone) {
		t.Error(err)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestListenerEnds when nobody asks, and when its socket is gone.
func TestListenerEnds(t *testing.T) {
	for name, idle := range map[string]time.Duration{"idle": 50 * time.Millisecond, "removed": 4 * time.Minute} {
		data := t.TempDir()
		p := find(t, data)
		l, err := daemon.Listen(p, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		if name == "removed" {
			if err := os.RemoveAll(filepath.Join(data, "server")); err != nil {
				t.Fatal(err)
			}
		}
		go func() { done <- l.Serve(t.Context(), idle, nil) }()
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := p.Ask(t.Context(), question(data)); !errors.Is(err, daemon.ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseSetting(t *testing.T) {
	for text, want := range map[string]daemon.Setting{
		"|":      {Idle: daemon.DefaultIdle},
		"|true":  {Off: true, Idle: daemon.DefaultIdle},
		"|false": {Idle: daemon.DefaultIdle},
		"0|":     {Off: true, Idle: daemon.DefaultIdle},
		"off|":   {Off: true, Idle: daemon.DefaultIdle},
		"1|true": {Always: true, Idle: daemon.DefaultIdle},
		"2s|1":   {Always: true, Idle: 2 * time.Second},
	} {
		value, ci, _ := strings.Cut(text, "|")
		if got, err := daemon.ParseSetting(value, ci); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"x", "-1s", "5"} {
		if got, err := daemon.ParseSetting(text, ""); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
