package graphs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

func (m *module) pushTo(g *graphs.Graphs, patience time.Duration) error {
	m.t.Helper()
	pushed, err := g.Push(m.t.Context(), m.open(), shared.PushOptions{Getenv: func(string) string { return "" }, Patience: patience})
	if err == nil {
		err = pushed.Unlinked
	}
	return err
}

// A replica is read, refuses pushes, and takes over: whoever names both servers goes on, and a push waits for it. What the replica had not
// received is pushed again, and no reader takes the one for the other.
func TestReplicaTakesOver(t *testing.T) {
	primary := pgserver.Start(t)
	primary.Database()
	const database = "test1"
	ci := machine(t, primary.URL(database))
	shop, till := newModule(t, "shop"), newModule(t, "till")
	shop.commit(shopText)
	shop.push(ci)
	till.commit(tillText, "shop")
	till.push(ci)
	replica := primary.Replica()
	replica.Caught(primary)
	count := func(g *graphs.Graphs, want int32) {
		t.Helper()
		if n, err := functions(t.Context(), g, shop.key()); err != nil || n != want {
			t.Errorf("%d functions, want %d: %v", n, want, err)
		}
	}
	follower := machine(t, replica.URL(database))
	count(follower, 1)
	shop.commit(shopText + "\nfunc Second() {}\n")
	if err := shop.pushTo(follower, time.Second); err == nil || !strings.Contains(err.Error(), "it is a replica") {
		t.Errorf("a push to a replica: %v", err)
	}

	both := primary.With(replica, database)
	reader, pusher := machine(t, both), machine(t, both)
	shop.push(pusher)
	count(reader, 2)
	replica.Caught(primary)
	replica.Kill() // so that it misses what comes
	shop.commit(shopText + "\nfunc Lost() {}\n\nfunc Lost2() {}\n")
	shop.push(pusher)
	count(reader, 3)
	primary.Kill()
	replica.Run()
	a, err := reader.Ask(t.Context(), nil, graphs.Question{Text: "MATCH (f:Function) RETURN count(f) AS n", Project: shop.key(), Bytes: 1 << 20, Size: func(any) int { return 1 }})
	if err != nil || !strings.Contains(strings.Join(a.Notes, " "), "s ago (") {
		t.Errorf("while nothing can be written to, the age is said: %+v, %v", a, err)
	}
	if err := shop.pushTo(pusher, 0); err == nil || !strings.Contains(err.Error(), "none of the servers can be written to") || !strings.Contains(err.Error(), primary.Dir()) || !strings.Contains(err.Error(), replica.Dir()) {
		t.Errorf("the error does not name both: %v", err)
	}
	promoted := make(chan struct{})
	go func() {
		defer close(promoted)
		time.Sleep(away)
		replica.Promote()
	}()
	shop.commit(shopText + "\nfunc Again() {}\n\nfunc Again2() {}\n\nfunc Again3() {}\n")
	if err := shop.pushTo(pusher, time.Minute); err != nil {
		t.Fatalf("a push does not wait for the new primary: %v", err)
	}
	<-promoted
	count(reader, 4)
	if got := uses(t, pusher, shop); len(got) != 3 {
		t.Errorf("edges: %q", got)
	}
	// The servers' counters are as they were before what was lost, and its number may come again.
	a, err = reader.Ask(t.Context(), nil, graphs.Question{Text: "MATCH (f:Function) RETURN f.name AS name ORDER BY name", Project: shop.key(), Bytes: 1 << 20, Size: func(any) int { return 1 }})
	if err != nil || fmt.Sprint(a.Results) != "[[{name Again}] [{name Again2}] [{name Again3}] [{name New}]]" {
		t.Errorf("%+v, %v", a, err)
	}
}
