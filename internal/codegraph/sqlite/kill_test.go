//go:build unix

package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	zombiezen "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// Environment variables that make the test binary the process to kill.
const (
	killedHome = "SQLITE_TEST_HOME"
	killedSeed = "SQLITE_TEST_SEED"
)

// TestKilledAtAnyMoment kills a process that builds and updates a graph, 200 times or as often as KILLS says, at
// random times. Afterwards the graph must be complete, and at least as new as the last one that the process
// reported.
func TestKilledAtAnyMoment(t *testing.T) {
	if home := os.Getenv(killedHome); home != "" {
		writeForever(t, home)
		return
	}
	kills, seed := 200, uint64(time.Now().UnixNano())
	for name, set := range map[string]func(n uint64){"KILLS": func(n uint64) { kills = int(n) }, "SEED": func(n uint64) { seed = n }} {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.ParseUint(text, 10, 64)
			check(t, err)
			set(n)
		}
	}
	if testing.Short() {
		kills = min(kills, 25)
	}
	t.Logf("SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	home := t.TempDir()
	stages := map[string]int{} // where it was killed
	last := ""
	for i := range kills {
		at, told := killOnce(t, home, r)
		stages[at]++
		if last != "" {
			told = append([]string{last}, told...)
		}
		last = afterKill(t, home, told)
		if t.Failed() {
			t.Fatalf("after kill %d, within %s", i+1, at)
		}
	}
	t.Logf("killed within: %v", stages)
}

// killOnce runs a process, kills it after a while, and returns its stage and the states that it reported: identity
// and serial of a graph.
func killOnce(t *testing.T, home string, r *rand.Rand) (at string, told []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestKilledAtAnyMoment$", "-test.v")
	cmd.Env = append(os.Environ(), killedHome+"="+home, fmt.Sprintf("%s=%d", killedSeed, r.Uint64()))
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	lines := bufio.NewScanner(out)
	started := false
	for lines.Scan() {
		kind, text, ok := strings.Cut(lines.Text(), "\t")
		switch {
		case ok && kind == "at":
			at = text
			if !started {
				started = true
				time.AfterFunc(time.Duration(r.Int64N(int64(40*time.Millisecond))), func() { _ = cmd.Process.Kill() })
			}
		case ok && kind == "told":
			told = append(told, text)
		case strings.Contains(lines.Text(), "FAIL") || strings.Contains(lines.Text(), "_test.go:"):
			t.Errorf("the process says: %s", lines.Text())
		}
	}
	_ = cmd.Wait()
	return at, told
}

// writeForever builds and updates graphs, and reports each state.
func writeForever(t *testing.T, home string) {
	seed, err := strconv.ParseUint(os.Getenv(killedSeed), 10, 64)
	check(t, err)
	r := rand.New(rand.NewPCG(seed, 1))
	s := openStore(t, home)
	root := filepath.Join(home, "shop")
	if _, err := s.Lock(t.Context(), root); err != nil { // it goes with the process
		t.Fatal(err)
	}
	for {
		tell("at", "build")
		b, err := s.Build(t.Context(), root)
		check(t, err)
		u := summed(r, 1)
		check(t, b.Add(t.Context(), u))
		tell("at", "commit of a build")
		check(t, b.Commit(t.Context(), u.State))
		g, err := s.Open(t.Context(), root)
		check(t, err)
		tellState(t, g)
		for range r.IntN(6) {
			tell("at", "update")
			u := summed(r, 1)
			u.DropFiles = []store.FileID{1}
			check(t, g.Update(t.Context(), u))
			tellState(t, g)
		}
		if r.IntN(2) == 0 { // else it is still open when the next takes its place
			check(t, g.Close())
		}
	}
}

func tell(kind, text string) { _, _ = os.Stdout.WriteString(kind + "\t" + text + "\n") }

func tellState(t *testing.T, g store.Graph) {
	t.Helper()
	s, err := g.State(t.Context())
	check(t, err)
	tell("told", stateText(s))
}

func stateText(s store.State) string { return fmt.Sprintf("%s %d", s.Identity, s.Serial) }

// summed returns a random graph of one file whose state has its checksum.
func summed(r *rand.Rand, file store.FileID) store.Update {
	u := store.Update{Files: []store.File{{ID: file, Path: "a.go", Facts: fmt.Append(nil, r.Uint64())}}}
	n := 20 + r.IntN(400)
	for i := range n {
		u.Nodes = append(u.Nodes, store.Node{File: file, Ordinal: i, Node: codegraph.Node{
			ID: codegraph.ID(i + 1), Label: codegraph.LabelClass, Name: strconv.FormatUint(r.Uint64(), 36), Path: strconv.Itoa(r.IntN(50)),
		}})
		u.Edges = append(u.Edges, store.Edge{File: file, Edge: codegraph.Edge{
			From: codegraph.ID(i + 1), To: codegraph.ID(1 + r.IntN(n)), Type: codegraph.Calls, Line: r.IntN(1000), Rule: "import", Confidence: 1,
		}})
	}
	sum := crc32.NewIEEE()
	for _, x := range u.Nodes {
		fmt.Fprintln(sum, x)
	}
	for _, x := range u.Edges {
		fmt.Fprintln(sum, x)
	}
	u.State.Commit = fmt.Sprint(sum.Sum32())
	return u
}

// afterKill checks that the graph is complete and not older than reported, and that it can be written again. It
// returns the graph's state.
func afterKill(t *testing.T, home string, told []string) string {
	t.Helper()
	s := openStore(t, home)
	defer s.Close()
	root := filepath.Join(home, "shop")
	g, err := s.Open(t.Context(), root)
	if len(told) == 0 && errors.Is(err, store.ErrNone) {
		return "" // killed before the first was built
	}
	check(t, err)
	state := wantSum(t, g)
	if i := slices.Index(told, state); i >= 0 && i != len(told)-1 {
		t.Errorf("state %s of %q", state, told)
	}
	check(t, g.Close())
	integrity(t, &shop{s, home, root})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	release, err := s.Lock(ctx, root)
	check(t, err)
	check(t, release())
	return state
}

// wantSum compares a graph with the checksum in its state.
func wantSum(t *testing.T, g store.Graph) string {
	t.Helper()
	state, err := g.State(t.Context())
	check(t, err)
	sum := crc32.NewIEEE()
	check(t, g.All(t.Context(), nil, func(x store.Node) error { fmt.Fprintln(sum, x); return nil }, func(x store.Edge) error { fmt.Fprintln(sum, x); return nil }))
	if got := fmt.Sprint(sum.Sum32()); got != state.Commit {
		t.Errorf("checksum %s, want %s", got, state.Commit)
	}
	return stateText(state)
}

// integrity asks SQLite.
func integrity(t *testing.T, s *shop) {
	t.Helper()
	c, err := zombiezen.OpenConn(s.database(t), zombiezen.OpenReadOnly)
	check(t, err)
	check(t, sqlitex.ExecuteTransient(c, "PRAGMA integrity_check", &sqlitex.ExecOptions{ResultFunc: func(row *zombiezen.Stmt) error {
		if text := row.ColumnText(0); text != "ok" {
			t.Errorf("integrity_check: %s", text)
		}
		return nil
	}}))
	check(t, c.Close())
}
