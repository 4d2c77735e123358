package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// contents lists what a graph has of some files, or of all for nil.
func contents(t *testing.T, c store.Contents, ids []store.FileID) []string {
	t.Helper()
	var out []string
	line := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	check(t, c.All(t.Context(), ids, func(n store.Node) error { line("%+v", n); return nil }, func(e store.Edge) error { line("%+v", e); return nil }))
	check(t, c.Words(t.Context(), ids, func(id store.FileID, words []byte) error { line("%d %s", id, words); return nil }))
	state, err := c.State(t.Context())
	check(t, err)
	line("%s %d", state.Identity, state.Serial)
	return out
}

// changes makes random updates of a graph of some files: nodes and edges come, go and move, and edges lead from any node to any.
type changes struct {
	*rand.Rand
	nodes map[codegraph.ID]store.Node
	next  codegraph.ID
}

func (c *changes) node(file store.FileID, id codegraph.ID) store.Node {
	n := store.Node{File: file, Node: codegraph.Node{
		ID: id, Label: codegraph.LabelFunction, Kind: fmt.Sprint("kind", c.IntN(5)), Name: fmt.Sprint("n", c.IntN(100)), Path: fmt.Sprint("f", file), StartLine: c.IntN(1000), Doc: "doc\x00umented",
	}}
	c.nodes[id] = n
	return n
}

func (c *changes) edges(file store.FileID, n int) (edges []store.Edge) {
	ids := make([]codegraph.ID, 0, len(c.nodes))
	for id := range c.nodes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for range n {
		e := codegraph.Edge{
			From: ids[c.IntN(len(ids))], To: ids[c.IntN(len(ids))], Type: codegraph.Relationship(fmt.Sprint("T", c.IntN(3))),
			Line: c.IntN(1000), Rule: fmt.Sprint("rule", c.IntN(4)), Confidence: .5,
		}
		edges = append(edges, store.Edge{File: file, Edge: e})
	}
	return edges
}

// update changes some files, and takes some away.
func (c *changes) update() (u store.Update) {
	for range 1 + c.IntN(3) {
		file := store.FileID(1 + c.IntN(12))
		if slices.Contains(u.DropFiles, file) {
			continue
		}
		u.DropFiles = append(u.DropFiles, file)
		var before []codegraph.ID
		for id, n := range c.nodes {
			if n.File == file {
				before = append(before, id)
			}
		}
		slices.Sort(before)
		for _, id := range before {
			delete(c.nodes, id)
		}
		if c.IntN(4) == 0 {
			continue // it is gone
		}
		u.Files = append(u.Files, store.File{ID: file, Path: fmt.Sprint("f", file), Words: fmt.Appendf(nil, "words %d", c.IntN(100))})
		for _, id := range before {
			if c.IntN(3) > 0 {
				u.Nodes = append(u.Nodes, c.node(file, id))
			}
		}
		c.next++
		u.Nodes = append(u.Nodes, c.node(file, c.next))
	}
	c.next++
	u.Nodes = append(u.Nodes, c.node(0, c.next))
	seen := map[string]bool{}
	for _, e := range c.edges(store.FileID(c.IntN(13)), 10) {
		if key := fmt.Sprint(e.From, e.Type, e.To); !seen[key] {
			seen[key] = true
			u.Edges = append(u.Edges, e)
		}
	}
	for _, e := range u.Edges { // what is given twice is an error, so that all edges of their ends are dropped
		u.DropNodes = append(u.DropNodes, e.From)
		if n := c.nodes[e.From]; !slices.ContainsFunc(u.Nodes, func(o store.Node) bool { return o.ID == e.From }) {
			u.Nodes = append(u.Nodes, n)
		}
	}
	return u
}

// What is near after updates is what the server has, whether it is fetched after each of them, after several, or anew.
func TestContentsAreBroughtNear(t *testing.T) {
	address := pgserver.Start(t).Database()
	dir := t.TempDir()
	open := func(cache string) *postgres.Store {
		s, err := postgres.Open(address, postgres.Options{Cache: filepath.Join(dir, cache)})
		check(t, err)
		t.Cleanup(func() { check(t, s.Close()) })
		return s
	}
	writer, often, seldom := open("w"), open("often"), open("seldom")
	const root = "project://p"
	release, err := writer.Lock(t.Context(), root)
	check(t, err)
	c := &changes{Rand: rand.New(rand.NewPCG(1, 2)), nodes: map[codegraph.ID]store.Node{}}
	u := c.update()
	u.DropFiles, u.DropNodes = nil, nil
	check(t, build(t.Context(), writer, root, u))
	last, parts := map[*postgres.Store]store.State{}, 0
	near := func(s *postgres.Store) ([]string, []string) {
		t.Helper()
		g, err := s.Open(t.Context(), root)
		check(t, err)
		n, err := g.(store.Distant).Near(t.Context())
		check(t, err)
		got, want := contents(t, n, nil), contents(t, g, nil)
		state, err := n.State(t.Context())
		check(t, err)
		if before := last[s]; before.Identity == state.Identity {
			some, err1 := n.Touched(t.Context(), before.Serial)
			same, err2 := g.Touched(t.Context(), before.Serial)
			check(t, err1, err2)
			if some != nil {
				parts++
				got, want = append(got, fmt.Sprint(some)), append(want, fmt.Sprint(same))
				got, want = append(got, contents(t, n, some)...), append(want, contents(t, g, same)...)
			}
		}
		last[s] = state
		check(t, g.Close())
		return got, want
	}
	for i := range 120 {
		g, err := writer.Open(t.Context(), root)
		check(t, err, g.Update(t.Context(), c.update()), g.Close())
		if i%40 == 39 { // another graph
			u := c.update()
			u.DropFiles, u.DropNodes = nil, nil
			ids := map[codegraph.ID]bool{}
			u.Nodes = slices.DeleteFunc(u.Nodes, func(n store.Node) bool { was := ids[n.ID]; ids[n.ID] = true; return was })
			check(t, build(t.Context(), writer, root, u))
		}
		readers := []*postgres.Store{often}
		if i%7 == 0 {
			readers = append(readers, seldom, open(fmt.Sprint("new", i)))
		}
		for _, s := range readers {
			if got, want := near(s); !slices.Equal(got, want) {
				t.Fatalf("after update %d (-want +got):\n%s", i, cmp.Diff(want, got))
			}
		}
	}
	check(t, release())
	if parts < 100 {
		t.Errorf("%d times it was known what changed", parts)
	}
	files, err := filepath.Glob(filepath.Join(dir, "often", "*.rows"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	whole, err := os.ReadFile(files[0])
	check(t, err)
	for i := 0; i < len(whole); i += 1 + len(whole)/40 { // damage, and what is cut off
		damaged := slices.Clone(whole)
		damaged[i] ^= 1
		for _, data := range [][]byte{damaged, whole[:i]} {
			check(t, os.WriteFile(files[0], data, 0o600))
			if got, want := near(often); !slices.Equal(got, want) {
				t.Fatalf("damaged at %d (-want +got):\n%s", i, cmp.Diff(want, got))
			}
		}
	}
}

// What a reader has of updates that a replica missed is not mixed with others.
func TestContentsOfAnotherHistory(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	cache := t.TempDir()
	s, err := postgres.Open(address, postgres.Options{Cache: cache})
	check(t, err)
	defer s.Close()
	const root = "project://p"
	buildSmall(t, s, root, 1)
	update := func(stage int) {
		t.Helper()
		release, err := s.Lock(t.Context(), root)
		check(t, err)
		g, err := s.Open(t.Context(), root)
		check(t, err)
		u := small(stage, 20)
		for i := range 20 {
			u.DropFiles = append(u.DropFiles, store.FileID(i+1))
		}
		check(t, g.Update(t.Context(), u), g.Close(), release())
	}
	near := func() int {
		t.Helper()
		g, err := s.Open(t.Context(), root)
		check(t, err)
		n, err := g.(store.Distant).Near(t.Context())
		check(t, err)
		stage := 0
		check(t, n.All(t.Context(), nil, func(n store.Node) error {
			if stage != 0 && n.StartLine != stage {
				return fmt.Errorf("of stage %d and %d", stage, n.StartLine)
			}
			stage = n.StartLine
			return nil
		}, func(store.Edge) error { return nil }), g.Close())
		return stage
	}
	update(2)
	if got := near(); got != 2 {
		t.Fatal(got)
	}
	// As if the server were a replica that missed the update, and all others touched one file.
	server.Exec("test1", "DELETE FROM reverse_spec.step WHERE serial > 1", "DELETE FROM reverse_spec.touched",
		"UPDATE reverse_spec.graph SET serial = 2", "INSERT INTO reverse_spec.step SELECT id, 2 FROM reverse_spec.graph",
		"UPDATE reverse_spec.node SET start_line = 3", "INSERT INTO reverse_spec.touched SELECT id, 1, "+fmt.Sprint(time.Now().Add(time.Hour).UnixMicro())+" FROM reverse_spec.graph")
	if got := near(); got != 3 {
		t.Error(got)
	}
}

// Without a folder to write, the contents are those of the server.
func TestContentsWithoutACache(t *testing.T) {
	s, err := postgres.Open(pgserver.Start(t).Database(), postgres.Options{})
	check(t, err)
	buildSmall(t, s, "project://p", 1)
	g, err := s.Open(t.Context(), "project://p")
	check(t, err)
	n, err := g.(store.Distant).Near(t.Context())
	if err != nil || n != store.Contents(g) {
		t.Errorf("%v, %v", n, err)
	}
	check(t, g.Close(), s.Close())
}
