package graphs_test

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// network is the way to a server: slow, cut after some bytes, or silent.
type network struct {
	t      *testing.T
	l      net.Listener
	to     string       // the server's socket
	delay  atomic.Int64 // of each piece, either way
	sent   atomic.Int64 // bytes to the server
	pieces atomic.Int64 // to the server
	got    atomic.Int64 // bytes from the server
	limit  atomic.Int64 // of sent, where all connections are cut, once; 0 for none
	silent atomic.Bool  // nothing passes, and nobody is told

	mu    sync.Mutex
	conns map[net.Conn]bool
}

func newNetwork(t *testing.T, server *pgserver.Server) *network {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &network{t: t, l: l, to: filepath.Join(server.Dir(), ".s.PGSQL.5432"), conns: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { n.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		n.silent.Store(false)
		n.cut()
		running.Wait()
	})
	return n
}

// address returns the address of a database of the server, by way of the network.
func (n *network) address(database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(pgserver.User, pgserver.Password), Host: n.l.Addr().String(), Path: "/" + database}
	u.RawQuery = "sslmode=disable"
	return u.String()
}

// carry carries a connection to the server.
func (n *network) carry(c net.Conn) {
	up, err := net.Dial("unix", n.to)
	if err != nil {
		_ = c.Close()
		return
	}
	n.mu.Lock()
	n.conns[c], n.conns[up] = true, true
	n.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { n.pump(up, c, true) })
	both.Go(func() { n.pump(c, up, false) })
	both.Wait()
	n.mu.Lock()
	delete(n.conns, c)
	delete(n.conns, up)
	n.mu.Unlock()
}

func (n *network) pump(to, from net.Conn, up bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 16<<10)
	for {
		k, err := from.Read(buffer)
		time.Sleep(time.Duration(n.delay.Load()))
		for n.silent.Load() {
			time.Sleep(5 * time.Millisecond)
		}
		if !up {
			n.got.Add(int64(k))
		}
		if up && k > 0 {
			n.pieces.Add(1)
			if limit := n.limit.Load(); n.sent.Add(int64(k)) > limit && limit > 0 && n.limit.CompareAndSwap(limit, 0) {
				n.cut()
				return
			}
		}
		if _, failed := to.Write(buffer[:k]); failed != nil || err != nil {
			return
		}
	}
}

// cut ends all connections without a goodbye.
func (n *network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.conns {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = c.Close()
	}
}

// impatient is a machine that does not wait long for a network.
func impatient(t *testing.T, address string) *graphs.Graphs {
	t.Helper()
	home := t.TempDir()
	g := graphs.New(graphs.Options{
		Shared: true, Patience: 300 * time.Millisecond,
		Store: func() (store.Store, error) { return sqlite.Open(sqlite.Options{Home: home}) },
		Organisation: func() (store.Shared, error) {
			return postgres.Open(address, postgres.Options{Cache: filepath.Join(home, "shared"), Silence: time.Second})
		},
	})
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// Over a slow network a push and questions take longer, and no more: what they wait for are few answers.
func TestSlowNetwork(t *testing.T) {
	server := pgserver.Start(t)
	server.Database()
	n := newNetwork(t, server)
	const delay = 4 * time.Millisecond
	n.delay.Store(int64(delay))
	g := machine(t, n.address("test1"))
	shop, till := newModule(t, "shop"), newModule(t, "till")
	shop.commit(shopText)
	shop.push(g) // makes the tables, too
	took := func(what string, most int, do func()) {
		t.Helper()
		before, start := n.pieces.Load(), time.Now()
		do()
		if trips := n.pieces.Load() - before; trips > int64(most) {
			t.Errorf("%s sends %d pieces, want at most %d", what, trips, most)
		} else {
			t.Logf("%s: %d pieces, %v", what, trips, time.Since(start).Round(time.Millisecond))
		}
	}
	took("a first push", 300, func() { till.commit(tillText, "shop"); till.push(g) })
	took("a push of one file", 330, func() { till.commit(tillText+"\nfunc More() {}\n", "shop"); till.push(g) })
	took("a push of nothing", 120, func() { till.push(g) })
	ask := func(want int32) {
		if k, err := functions(t.Context(), g, till.key()); err != nil || k != want {
			t.Errorf("%d functions, %v", k, err)
		}
	}
	took("a first question", 80, func() { ask(2) })
	took("a question", 5, func() { ask(2) })
	if got := uses(t, g, shop); len(got) != 3 {
		t.Errorf("edges: %q", got)
	}
}

// Wherever in a push the network is cut, it is tried again, and what is there then is whole.
func TestCutNetwork(t *testing.T) {
	server := pgserver.Start(t)
	server.Database()
	n := newNetwork(t, server)
	g := machine(t, n.address("test1"))
	shop, till := newModule(t, "shop"), newModule(t, "till")
	shop.commit(shopText)
	shop.push(g)
	text := tillText
	retried := atomic.Int32{}
	for i, limit := int32(0), int64(100); ; i, limit = i+1, limit+limit/4 {
		text += fmt.Sprintf("\nfunc More%d() { Charge() }\n", i)
		till.commit(text, "shop")
		n.sent.Store(0)
		n.limit.Store(limit)
		pushed, err := g.Push(t.Context(), till.open(), shared.PushOptions{
			Getenv: func(string) string { return "" }, Patience: time.Minute, Retrying: func(error, time.Duration) { retried.Add(1) },
		})
		whole := n.limit.Swap(0) != 0
		if err != nil || pushed.Unlinked != nil {
			t.Fatalf("cut after %d bytes: %v, %+v", limit, err, pushed)
		}
		if k, err := functions(t.Context(), g, till.key()); err != nil || k != i+2 {
			t.Fatalf("cut after %d bytes: %d functions, want %d: %v", limit, k, i+2, err)
		}
		if got := uses(t, g, shop); len(got) != 3 {
			t.Fatalf("cut after %d bytes: %q", limit, got)
		}
		if whole {
			break
		}
	}
	if retried.Load() < 5 {
		t.Errorf("%d attempts failed", retried.Load())
	}
}

// A network that loses everything without a word holds nobody for ever: readers get the last state with its age, a push is tried again.
func TestSilentNetwork(t *testing.T) {
	server := pgserver.Start(t)
	server.Database()
	n := newNetwork(t, server)
	reader, ci := impatient(t, n.address("test1")), impatient(t, n.address("test1"))
	shop, never := newModule(t, "shop"), newModule(t, "never")
	for _, m := range []*module{shop, never} {
		m.commit(shopText)
		m.push(ci)
	}
	if k, err := functions(t.Context(), reader, shop.key()); err != nil || k != 1 {
		t.Fatalf("%d functions, %v", k, err)
	}
	n.silent.Store(true)
	start := time.Now()
	a, err := reader.Ask(t.Context(), nil, graphs.Question{Text: "MATCH (f:Function) RETURN count(f) AS n", Project: shop.key(), Bytes: 1 << 20, Size: func(any) int { return 1 }})
	if note := fmt.Sprint(a, err); err != nil || !strings.Contains(strings.Join(a.Notes, " "), "s ago (") || !strings.Contains(strings.Join(a.Notes, " "), "has not answered within 300ms") {
		t.Errorf("what was asked before: %s", note)
	}
	if _, err := functions(t.Context(), reader, never.key()); err == nil || !strings.Contains(err.Error(), "not answered") {
		t.Errorf("what was not asked before: %v", err)
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("after %v", took)
	}
	shop.commit(shopText + "\nfunc More() {}\n")
	retried := atomic.Int32{}
	pushed, err := ci.Push(t.Context(), shop.open(), shared.PushOptions{
		Getenv: func(string) string { return "" }, Patience: time.Minute,
		Retrying: func(error, time.Duration) {
			if retried.Add(1) == 1 {
				n.silent.Store(false)
			}
		},
	})
	if err != nil || pushed.Unlinked != nil || retried.Load() == 0 {
		t.Errorf("the push, after %d attempts: %v, %+v", retried.Load(), err, pushed)
	}
	if k, err := functions(t.Context(), reader, shop.key()); err != nil || k != 2 {
		t.Errorf("%d functions, %v", k, err)
	}
}

// After a push of one file a reader fetches what that changed, not the graph.
func TestLittleTravelsAfterAPush(t *testing.T) {
	server := pgserver.Start(t)
	server.Database()
	n := newNetwork(t, server)
	ci, reader := machine(t, n.address("test1")), machine(t, n.address("test1"))
	shop := newModule(t, "shop")
	for i := range 200 {
		text := fmt.Sprintf("package shop\n\n// Part%d does what it says in a few words, so that there is something to send.\nfunc Part%d(a, b int, name string) (int, error) { New(); return a, nil }\n", i, i)
		if err := os.WriteFile(filepath.Join(shop.dir, fmt.Sprintf("part%d.go", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shop.commit(shopText)
	shop.push(ci)
	fetched := func(want int32) int64 {
		t.Helper()
		before := n.got.Load()
		if k, err := functions(t.Context(), reader, shop.key()); err != nil || k != want {
			t.Errorf("%d functions, want %d: %v", k, want, err)
		}
		return n.got.Load() - before
	}
	whole := fetched(201)
	for i := range int32(3) {
		if err := os.WriteFile(filepath.Join(shop.dir, "part7.go"), fmt.Appendf(nil, "package shop\n\nfunc Part7() {}\n\nfunc More%d() {}\n", i), 0o600); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			shop.git("rm", "-q", "part8.go", "part9.go")
		}
		shop.commit(shopText)
		shop.push(ci)
		want, most := int32(202), whole/20
		if i == 2 { // the list of files and folders travels, too
			want, most = 200, whole/3
		}
		if part := fetched(want); part > most {
			t.Errorf("%d bytes of %d are fetched after push %d", part, whole, i)
		} else {
			t.Logf("%d of %d bytes", part, whole)
		}
	}
	server.Kill() // what is kept is whole
	defer server.Run()
	if k, err := functions(t.Context(), reader, shop.key()); err != nil || k != 200 {
		t.Errorf("%d functions, %v", k, err)
	}
}
