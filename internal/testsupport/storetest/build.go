package storetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

func anEmptyStore(t *testing.T, s store.Store) {
	projects, err := s.Projects(t.Context())
	check(t, err)
	if len(projects) != 0 {
		t.Errorf("projects %v", projects)
	}
	_, err = s.Open(t.Context(), t.TempDir())
	wantError(t, err, store.ErrNone)
	wantError(t, s.Delete(t.Context(), "shop"), store.ErrNone)
	check(t, s.Wipe(t.Context()))
}

func whatIsBuiltIsRead(t *testing.T, s store.Store) {
	a, root := newAuthor(1), t.TempDir()
	name, err := s.Name(t.Context(), root)
	check(t, err)
	defer lock(t, s, root)()
	u := a.graph(name, root, 12, 20)
	build(t, s, root, u)
	g := open(t, s, root)
	got := read(t, g)
	edgesInOrder(t, got.Edges)
	sortEdges(got.Edges)
	compare(t, got, a.m.contents())
	if got.Counts.Size <= 0 {
		t.Errorf("size %d", got.Counts.Size)
	}
	projects, err := s.Projects(t.Context())
	check(t, err)
	if diff := cmp.Diff([]store.Project{{Name: name, Root: root, BuiltAt: u.State.BuiltAt}}, projects); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var some []store.FileID
	check(t, g.Facts(t.Context(), []store.FileID{7, 3, 99, 3}, func(id store.FileID, facts []byte) error {
		some = append(some, id)
		if string(facts) != string(u.Files[id-1].Facts) {
			t.Errorf("facts of %d: %q", id, facts)
		}
		return nil
	}))
	if diff := cmp.Diff([]store.FileID{3, 7}, some); diff != "" {
		t.Errorf("facts: -want +got\n%s", diff)
	}
}

// edgesInOrder checks that edges are sorted by From, grouped by type, and sorted by To within a type.
func edgesInOrder(t *testing.T, edges []store.Edge) {
	t.Helper()
	seen := map[codegraph.Relationship]bool{}
	for i := 1; i < len(edges); i++ {
		a, b := edges[i-1], edges[i]
		switch {
		case a.From != b.From:
			clear(seen)
		case a.Type != b.Type:
			seen[a.Type] = true
		}
		if a.From > b.From || seen[b.Type] || a.From == b.From && a.Type == b.Type && a.To >= b.To {
			t.Fatalf("edge %v before %v", a, b)
		}
	}
}

func aGraphOfNothing(t *testing.T, s store.Store) {
	root := t.TempDir()
	defer lock(t, s, root)()
	name, err := s.Name(t.Context(), root)
	check(t, err)
	build(t, s, root, store.Update{})
	m := newModel()
	m.state.Project, m.state.Root = name, root
	g := open(t, s, root)
	compare(t, read(t, g), m.contents())
	check(t, g.All(t.Context(), nil, nil, nil))
	check(t, g.Facts(t.Context(), []store.FileID{}, func(store.FileID, []byte) error { return errors.New("of what?") }))
}

func aDiscardedGraph(t *testing.T, s store.Store) {
	a, root := newAuthor(2), t.TempDir()
	name, err := s.Name(t.Context(), root)
	check(t, err)
	defer lock(t, s, root)()
	discarded := newAuthor(3).graph(name, root, 2, 2)
	discard := func() {
		t.Helper()
		b, err := s.Build(t.Context(), root)
		check(t, err)
		check(t, b.Add(t.Context(), discarded))
		check(t, b.Discard())
		check(t, b.Discard())
		if b.Add(t.Context(), discarded) == nil || b.Commit(t.Context(), store.State{}) == nil {
			t.Error("a discarded builder goes on")
		}
	}
	discard()
	_, err = s.Open(t.Context(), root)
	wantError(t, err, store.ErrNone)
	projects, err := s.Projects(t.Context())
	check(t, err)
	if len(projects) != 0 {
		t.Errorf("projects %v", projects)
	}
	build(t, s, root, a.graph(name, root, 3, 3))
	discard()
	got := read(t, open(t, s, root))
	sortEdges(got.Edges)
	compare(t, got, a.m.contents())
}

func aBuilderRefuses(t *testing.T, s store.Store) {
	root := t.TempDir()
	defer lock(t, s, root)()
	a := newAuthor(4)
	edge := a.edge(1, 2, 1)
	for what, u := range map[string]store.Update{
		"a file of id 0": {Files: []store.File{{Path: "a"}}},
		"a node of id 0": {Nodes: []store.Node{{}}},
		"a node twice":   {Nodes: []store.Node{a.node(1, 1, 0), a.node(1, 1, 1)}},
		"an edge twice":  {Edges: []store.Edge{edge, edge}},
	} {
		b, err := s.Build(t.Context(), root)
		check(t, err)
		if b.Add(t.Context(), u) == nil {
			t.Errorf("takes %s", what)
		}
		check(t, b.Discard())
	}
	_, err := s.Open(t.Context(), root)
	wantError(t, err, store.ErrNone)
}
