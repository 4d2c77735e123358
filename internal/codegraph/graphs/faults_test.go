package graphs_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// away is how long the server of a test is away.
const away = 700 * time.Millisecond

// A push that finds no server, or whose server dies in the middle, goes on when the server is back, and what it pushed is whole: the graph
// and the edges.
func TestPushGoesOnAfterTheServerDied(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	g := machine(t, address)
	shop, till := newModule(t, "shop"), newModule(t, "till")
	shop.commit(shopText)
	till.commit(tillText, "shop")
	shop.push(g)
	restart := func(running *sync.WaitGroup) {
		server.Kill()
		running.Go(func() {
			time.Sleep(away)
			server.Run()
		})
	}
	text := tillText
	seen, retried := atomic.Int32{}, atomic.Int32{}
	for kill := int32(-1); ; kill++ { // -1: before the push begins; then at each step of it
		var running sync.WaitGroup
		text += fmt.Sprintf("\nfunc More%d() { Charge() }\n", kill+1)
		till.commit(text, "shop")
		seen.Store(0)
		if kill == -1 {
			restart(&running)
		}
		ctx := progress.With(t.Context(), func(progress.Event) {
			if seen.Add(1) == kill+1 {
				restart(&running)
			}
		})
		pushed, err := g.Push(ctx, till.open(), shared.PushOptions{
			Getenv: func(string) string { return "" }, Patience: time.Minute, Retrying: func(error, time.Duration) { retried.Add(1) },
		})
		running.Wait()
		if err != nil || pushed.Unlinked != nil {
			t.Fatalf("killed at step %d: %v, %v", kill, err, pushed)
		}
		got, err := functions(t.Context(), g, till.key())
		if err != nil || got != kill+3 {
			t.Fatalf("killed at step %d: %d functions, want %d: %v", kill, got, kill+3, err)
		}
		if got := uses(t, g, shop); len(got) != 3 {
			t.Fatalf("killed at step %d: %q", kill, got)
		}
		if kill > seen.Load() { // there is no such step
			break
		}
	}
	if retried.Load() == 0 {
		t.Error("nothing was tried again")
	}
	server.Kill()
	defer server.Run()
	start := time.Now()
	if _, err := g.Push(t.Context(), till.open(), shared.PushOptions{Getenv: func(string) string { return "" }, Patience: time.Second}); err == nil || time.Since(start) > 20*time.Second {
		t.Errorf("without a server: %v after %v", err, time.Since(start))
	}
}

// functions counts the functions of a pushed project.
func functions(ctx context.Context, g *graphs.Graphs, key string) (n int32, err error) {
	a, err := g.Ask(ctx, nil, graphs.Question{Text: "MATCH (f:Function) RETURN count(f) AS n", Project: key, Bytes: 1 << 20, Size: func(any) int { return 1 }})
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscan(fmt.Sprint(a.Results[0][0].Value), &n)
	return n, err
}

// While the server is restarted again and again under questions and pushes, every answer is of a whole state, a state is never followed by an
// older one, and answers say when the server could not be asked.
func TestRestartsUnderLoad(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	ci, reader := machine(t, address), machine(t, address)
	m := newModule(t, "shop")
	m.commit(shopText)
	m.push(ci)
	const clients, restarts = 8, 3
	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	var answers, stale, failures atomic.Int32
	for range clients {
		load.Go(func() {
			last := int32(0)
			for ctx.Err() == nil {
				a, err := reader.Ask(ctx, nil, graphs.Question{Text: "MATCH (f:Function) RETURN count(f) AS n", Project: m.key(), Bytes: 1 << 20, Size: func(any) int { return 1 }})
				if err != nil {
					if ctx.Err() == nil {
						failures.Add(1)
						t.Errorf("a question fails: %v", err)
					}
					continue
				}
				n := int32(0)
				_, _ = fmt.Sscan(fmt.Sprint(a.Results[0][0].Value), &n)
				if n < last || n == 0 {
					t.Errorf("%d functions after %d", n, last)
				}
				last = n
				answers.Add(1)
				if strings.Contains(strings.Join(a.Notes, " "), "s ago (") {
					stale.Add(1)
				}
			}
		})
	}
	for answers.Load() == 0 && !t.Failed() { // what was never asked cannot be answered without the server
		time.Sleep(time.Millisecond)
	}
	text := shopText
	for i := range restarts {
		text += fmt.Sprintf("\nfunc More%d() {}\n", i)
		m.commit(text)
		server.Kill()
		time.Sleep(away)
		server.Run()
		if _, err := ci.Push(ctx, m.open(), shared.PushOptions{Getenv: func(string) string { return "" }, Patience: time.Minute}); err != nil {
			t.Error(err)
		}
	}
	time.Sleep(away)
	stop()
	load.Wait()
	if answers.Load() == 0 || stale.Load() == 0 || failures.Load() > 0 {
		t.Errorf("%d answers, %d of them of before, %d failures", answers.Load(), stale.Load(), failures.Load())
	}
	if n, err := functions(t.Context(), reader, m.key()); err != nil || n != 1+restarts {
		t.Errorf("%d functions at the end, %v", n, err)
	}
}

// Two jobs that push one commit at once both succeed, and an older commit after a newer one changes nothing.
func TestJobsThatPushAtOnce(t *testing.T) {
	address := pgserver.Start(t).Database()
	m := newModule(t, "shop")
	m.when = "2026-01-01T00:00:00Z"
	m.commit(shopText)
	m.when = ""
	older := filepath.Join(t.TempDir(), "older")
	m.git("clone", "-q", m.dir, older)
	m.commit(shopText + "\nfunc Newer() {}\n")
	newer, old := m.open(), (&module{t: t, name: "shop", dir: older})
	old.git("remote", "set-url", "origin", m.key())
	var jobs sync.WaitGroup
	for range 4 {
		g := machine(t, address)
		jobs.Go(func() {
			_, err := g.Push(t.Context(), newer, shared.PushOptions{Getenv: func(string) string { return "" }, Index: index.Options{Wait: time.Minute}})
			if err != nil {
				t.Error(err)
			}
		})
	}
	jobs.Wait()
	g := machine(t, address)
	pushed, err := g.Push(t.Context(), old.open(), shared.PushOptions{Getenv: func(string) string { return "" }})
	if err != nil || pushed.Newer == "" {
		t.Errorf("%+v, %v", pushed, err)
	}
	if n, err := functions(t.Context(), g, m.key()); err != nil || n != 2 {
		t.Errorf("%d functions, %v", n, err)
	}
}
