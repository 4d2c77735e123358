package storetest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// built builds a graph and opens it; the lock is held until the end of the test.
func built(t *testing.T, s store.Store, a *author, files, nodes int) (g store.Graph, root string) {
	t.Helper()
	root = t.TempDir()
	name, err := s.Name(t.Context(), root)
	check(t, err)
	release, err := s.Lock(t.Context(), root)
	check(t, err)
	t.Cleanup(func() { check(t, release()) })
	build(t, s, root, a.graph(name, root, files, nodes))
	return open(t, s, root), root
}

// wantModel compares a graph with the author's model.
func wantModel(t *testing.T, g store.Graph, a *author) {
	t.Helper()
	got := read(t, g)
	sortEdges(got.Edges)
	compare(t, got, a.m.contents())
}

func updatesInOrder(t *testing.T, s store.Store) {
	a := newAuthor(5)
	g, _ := built(t, s, a, 4, 5)
	same := a.m.edges[slices.SortedFunc(maps.Keys(a.m.edges), func(x, y edgeKey) int { return int(x.from) - int(y.from) })[0]]
	u := store.Update{
		DropFiles: []store.FileID{3, 77}, DropNodes: []codegraph.ID{2, 7777}, DropEdges: []store.FileID{same.File, 4, 77},
		Files: []store.File{a.file(3), a.file(1), a.file(9)},
		// Dropped ids are reused, and other nodes take their ordinals and names.
		Nodes: []store.Node{a.node(2, 9, 0), a.node(11, 3, 0), a.node(1, 1, 1), a.node(100, 9, 1)},
		State: a.state(),
	}
	if same.From != 2 && same.To != 2 {
		u.Edges = append(u.Edges, same)
	}
	u.Edges = append(u.Edges, a.edge(100, 2, 9), a.edge(2, 100, 9))
	a.m.apply(u)
	check(t, g.Update(t.Context(), u))
	wantModel(t, g, a)
	check(t, g.Update(t.Context(), store.Update{State: u.State}))
	wantModel(t, g, a)
}

func orphansArePruned(t *testing.T, s store.Store) {
	a := newAuthor(9)
	g, _ := built(t, s, a, 2, 2)
	used, unused, other := a.node(50, 0, 0), a.node(51, 0, 1), a.node(52, 0, 2)
	used.Label, unused.Label, other.Label = codegraph.LabelExternalType, codegraph.LabelExternalType, codegraph.LabelExternalPackage
	u := store.Update{Nodes: []store.Node{used, unused, other}, Edges: []store.Edge{a.edge(51, 50, 1)}, State: a.state()}
	for range 3 { // without an edge to it one goes; with it its edge, and then the other
		a.m.apply(u)
		check(t, g.Update(t.Context(), u))
		wantModel(t, g, a)
		u = store.Update{Prune: []codegraph.Label{codegraph.LabelExternalMethod, codegraph.LabelExternalType}, State: u.State}
	}
}

func manyUpdates(t *testing.T, s store.Store) {
	a := newAuthor(6)
	g, root := built(t, s, a, 10, 6)
	for i := range 40 {
		u := a.change()
		a.m.apply(u)
		check(t, g.Update(t.Context(), u))
		if i%8 == 0 {
			wantModel(t, g, a)
		}
	}
	wantModel(t, g, a)
	wantModel(t, open(t, s, root), a)
}

// change generates an update that is not yet applied to the model.
func (a *author) change() store.Update {
	u := store.Update{State: a.state()}
	files, nodes := slices.Sorted(maps.Keys(a.m.files)), slices.Sorted(maps.Keys(a.m.nodes))
	next := nodes[len(nodes)-1] + 1
	switch a.IntN(4) {
	case 0:
		u.DropFiles = []store.FileID{files[a.IntN(len(files)-1)]}
	case 1:
		u.DropNodes = []codegraph.ID{nodes[a.IntN(len(nodes)-1)]}
	case 2:
		u.DropEdges = []store.FileID{files[a.IntN(len(files))]}
	}
	last := files[len(files)-1]
	u.Files = []store.File{a.file(last), a.file(last + 1)}
	u.Nodes = []store.Node{a.node(nodes[len(nodes)-1], last, 0), a.node(next, last+1, 0), a.node(next+1, last+1, 1)}
	after := &author{Rand: a.Rand, m: &model{files: maps.Clone(a.m.files), nodes: maps.Clone(a.m.nodes), edges: maps.Clone(a.m.edges)}}
	after.m.apply(u)
	u.Edges = after.edges(8)
	return u
}

func nilLeavesFacts(t *testing.T, s store.Store) {
	a := newAuthor(7)
	g, _ := built(t, s, a, 2, 1)
	f := a.file(1)
	f.Facts, f.Lookups, f.Words, f.Unresolved = nil, []byte{}, nil, nil
	u := store.Update{Files: []store.File{f}, State: a.state()}
	a.m.apply(u)
	check(t, g.Update(t.Context(), u))
	wantModel(t, g, a)
}

func wholeOrNotAtAll(t *testing.T, s store.Store) {
	a := newAuthor(8)
	g, _ := built(t, s, a, 3, 4)
	var there store.Edge
	for _, there = range a.m.edges {
		break
	}
	bad := a.change()
	bad.DropFiles, bad.DropNodes, bad.DropEdges = nil, []codegraph.ID{}, nil
	bad.Edges = append(bad.Edges, there)
	if g.Update(t.Context(), bad) == nil {
		t.Error("an edge can be inserted twice")
	}
	wantModel(t, g, a)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, g.Update(ctx, a.change()), context.Canceled)
	wantModel(t, g, a)

	for wait := range 12 { // killed at some time during the update or after it
		u := a.change()
		for i := range codegraph.ID(3000) {
			u.Nodes = append(u.Nodes, a.node(u.Nodes[2].ID+1+i, u.Nodes[2].File, int(i)+2))
		}
		u.Edges = nil
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1<<wait)*50*time.Microsecond)
		err := g.Update(ctx, u)
		cancel()
		if err == nil {
			a.m.apply(u)
		} else {
			wantError(t, err, context.DeadlineExceeded)
		}
		wantModel(t, g, a)
	}
}

func serialAndIdentity(t *testing.T, s store.Store) {
	a := newAuthor(9)
	g, root := built(t, s, a, 1, 1)
	state := func(g store.Graph) store.State {
		t.Helper()
		st, err := g.State(t.Context())
		check(t, err)
		return st
	}
	first := state(g)
	check(t, g.Update(t.Context(), store.Update{State: store.State{Serial: 99, Identity: "mine"}}))
	second := state(g)
	if second.Serial <= first.Serial || second.Identity != first.Identity || first.Identity == "" {
		t.Errorf("from %d %q to %d %q", first.Serial, first.Identity, second.Serial, second.Identity)
	}
	build(t, s, root, a.graph(first.Project, root, 1, 1))
	if third := state(open(t, s, root)); third.Identity == first.Identity {
		t.Errorf("another graph has the identity %q again", third.Identity)
	}
}

func functionsStop(t *testing.T, s store.Store) {
	g, _ := built(t, s, newAuthor(10), 3, 3)
	enough := errors.New("enough")
	calls := 0
	count := func() error { calls++; return enough }
	got := []error{
		g.Facts(t.Context(), nil, func(store.FileID, []byte) error { return count() }),
		g.Facts(t.Context(), []store.FileID{1, 2}, func(store.FileID, []byte) error { return count() }),
		g.Lookups(t.Context(), func(store.FileID, []byte) error { return count() }),
		g.Words(t.Context(), nil, func(store.FileID, []byte) error { return count() }),
		g.All(t.Context(), nil, func(store.Node) error { return count() }, nil),
		g.All(t.Context(), nil, nil, func(store.Edge) error { return count() }),
	}
	for i, err := range got {
		if !errors.Is(err, enough) {
			t.Errorf("%d: error %v", i, err)
		}
	}
	if diff := cmp.Diff(len(got), calls); diff != "" {
		t.Errorf("calls: -want +got\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := g.All(ctx, nil, func(store.Node) error { cancel(); return nil }, nil)
	wantError(t, err, context.Canceled)
}
