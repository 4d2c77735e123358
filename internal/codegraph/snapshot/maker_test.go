package snapshot_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// TestMade makes a snapshot while a graph is built, as an indexer passes its parts, and compares it with the one of the stored graph.
func TestMade(t *testing.T) {
	v := &village{Rand: rand.New(rand.NewPCG(3, 7)), files: map[store.FileID][]codegraph.ID{}, next: 1}
	nodes, rest := store.Update{}, [2]store.Update{}
	for i := range 120 {
		v.last++
		of, _, file := v.file(v.last)
		nodes.Nodes = append(nodes.Nodes, of...)
		rest[i%2].Files = append(rest[i%2].Files, file)
	}
	for i := range rest {
		n := codegraph.Node{ID: v.next, Label: codegraph.LabelExternalType, Name: "Reader", QualifiedName: "external.io.Reader"}
		v.next++
		rest[i].Nodes = append(rest[i].Nodes, store.Node{Node: n})
		for _, f := range rest[i].Files {
			of := v.edges(f.ID)
			of[0].To = n.ID
			rest[i].Edges = append(rest[i].Edges, of...)
		}
	}
	m, all := snapshot.NewMaker(), store.Update{}
	for _, u := range []store.Update{nodes, rest[0], rest[1]} {
		check(t, m.Add(&u))
		all.Files, all.Nodes, all.Edges = append(all.Files, u.Files...), append(all.Nodes, u.Nodes...), append(all.Edges, u.Edges...)
	}
	g := storedUpdate(t, all)
	state, err := g.State(t.Context())
	check(t, err)
	path := filepath.Join(t.TempDir(), "made.snap")
	check(t, m.Write(t.Context(), path, state))
	check(t, m.Close())
	sameContents(t, open(t, path, state), whole(t, g))
	sameContents(t, open(t, g.Derived(), state), whole(t, g)) // the store has made it, too
}

// TestWhatIsNotMade adds what no snapshot can be made of as it comes.
func TestWhatIsNotMade(t *testing.T) {
	node := func(id codegraph.ID, file store.FileID) store.Node {
		return store.Node{Node: codegraph.Node{ID: id, Label: codegraph.LabelFunction, Name: "f"}, File: file}
	}
	m := snapshot.NewMaker()
	check(t, m.Add(&store.Update{Nodes: []store.Node{node(2, 1)}, Files: []store.File{{ID: 1, Words: wordsOf([]string{"a", "b"})}}}))
	for name, u := range map[string]store.Update{
		"a node after the words of its file": {Nodes: []store.Node{node(3, 1)}},
		"the words of a file twice":          {Files: []store.File{{ID: 1}}},
		"a lower id":                         {Nodes: []store.Node{node(1, 2)}},
		"damaged words":                      {Files: []store.File{{ID: 2, Words: []byte{77}}}},
	} {
		if err := m.Add(&u); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	check(t, m.Close())
	m = snapshot.NewMaker()
	defer m.Close()
	check(t, m.Add(&store.Update{Nodes: []store.Node{node(2, 1)}, Edges: []store.Edge{{Edge: codegraph.Edge{From: 2, To: 3, Type: codegraph.Calls}}}}))
	path := filepath.Join(t.TempDir(), "made.snap")
	if err := m.Write(t.Context(), path, store.State{}); err == nil {
		t.Error("an edge to no node: no error")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is at the path: %v", err)
	}
}
