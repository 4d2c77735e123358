package snapshot_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// same compares whole values.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: -want +got\n%s", what, diff)
	}
}

func TestNodesAreAsTheyWereStored(t *testing.T) {
	for _, s := range []*source{shop(), random(rand.New(rand.NewPCG(1, 1)), 3000, 9000), {}} {
		snap := write(t, s)
		ids, want := []codegraph.ID{0, 2, 1 << 31}, make([]codegraph.Node, 3)
		for _, n := range s.nodes {
			ids, want = append(ids, n.ID), append(want, n.Node)
		}
		got, err := snap.Nodes(t.Context(), ids)
		check(t, err)
		want[1] = got[1] // may be one of the random ones
		same(t, "nodes", got, want)
		all, err := snap.Labelled(t.Context())
		check(t, err)
		same(t, "all", all, ids[3:])
		classes, err := snap.Labelled(t.Context(), codegraph.LabelClass, codegraph.LabelEnum)
		check(t, err)
		var wantClasses []codegraph.ID
		counts := codegraph.Counts{Nodes: map[codegraph.Label]int{}, Edges: map[codegraph.Relationship]int{}}
		for _, n := range s.nodes {
			if n.Label == codegraph.LabelClass {
				wantClasses = append(wantClasses, n.ID)
			}
			counts.Nodes[n.Label]++
		}
		for _, e := range s.edges {
			counts.Edges[e.Type]++
		}
		same(t, "classes", classes, wantClasses)
		gotCounts, err := snap.Counts(t.Context())
		check(t, err)
		same(t, "counts", gotCounts, counts)
	}
}

func TestNamesAreFound(t *testing.T) {
	snap := write(t, shop())
	for name, want := range map[string]codegraph.ID{"shop": 1, "shop.src.UserService.create": 9, "shop.src.UserService.create@8": 90, "left-pad": 70_000, "create": 0, "": 0, "shop.src": 0} {
		id, err := snap.Qualified(t.Context(), name)
		check(t, err)
		same(t, "qualified "+name, id, want)
	}
	for name, want := range map[string][]codegraph.ID{"create": {9, 90, 400}, "user.service.go": {3}, "go": nil, "UserService": {4}, "x": nil, "": nil} {
		ids, err := snap.Named(t.Context(), name)
		check(t, err)
		same(t, "named "+name, ids, want)
	}
	for suffix, want := range map[string][]codegraph.ID{
		"UserService.create": {9, 90}, "create": {9, 90, 400}, "UserService.create@8": {90}, "shop.src.UserService.create": {9, 90},
		"Service.create": nil, "service.go": {3}, "go": {3}, "user.service.go": {3}, "AdminUserService.create": {400}, "shop": {1}, ".create": nil, "": nil,
	} {
		ids, err := snap.Suffixed(t.Context(), suffix)
		check(t, err)
		same(t, "suffix "+suffix, ids, want)
	}
}

func TestPrefixed(t *testing.T) {
	for _, s := range []*source{shop(), random(rand.New(rand.NewPCG(7, 7)), 500, 10), {}} {
		snap := write(t, s)
		asked := []string{"", "shop", "shop.src.U", "src", "src/", "no such", "\xff"}
		for _, n := range s.nodes[:min(len(s.nodes), 20)] {
			asked = append(asked, n.QualifiedName, n.Path, n.Path[:len(n.Path)/2])
		}
		for _, text := range asked {
			var named, at, below []codegraph.ID
			for _, n := range s.nodes {
				if strings.HasPrefix(n.QualifiedName, text) {
					named = append(named, n.ID)
				}
				if n.Path == text && text != "" {
					at = append(at, n.ID)
				}
				if strings.HasPrefix(n.Path, text) && n.Path != "" {
					below = append(below, n.ID)
				}
			}
			got, err := snap.Prefixed(t.Context(), text)
			check(t, err)
			same(t, "names that begin with "+text, got, named)
			got, err = snap.At(t.Context(), text, false)
			check(t, err)
			same(t, "at "+text, got, at)
			got, err = snap.At(t.Context(), text, true)
			check(t, err)
			same(t, "below "+text, got, below)
		}
	}
}

func TestNodesWithFields(t *testing.T) {
	s := shop()
	snap := write(t, s)
	n := s.nodes[3].Node
	got, err := snap.Nodes(t.Context(), []codegraph.ID{n.ID}, codegraph.FieldName, codegraph.FieldPath)
	check(t, err)
	n.QualifiedName, n.Kind, n.Signature, n.Doc, n.Language, n.Version, n.Decorators = "", "", "", "", "", "", nil
	same(t, "fields", got, []codegraph.Node{n})
}

func TestExpandGivesTheEdgesOfEachNode(t *testing.T) {
	s := shop()
	snap := write(t, s)
	edge := func(is ...int) (edges []codegraph.Edge) {
		for _, i := range is {
			edges = append(edges, s.edges[i].Edge)
		}
		return edges
	}
	x, err := snap.Expand(t.Context(), []codegraph.ID{9, 5, 91, 9}, codegraph.Out)
	check(t, err)
	for i, want := range [][]codegraph.Edge{edge(2, 3, 4), nil, edge(5), edge(2, 3, 4)} {
		same(t, "out", x.At(i), want)
	}
	x, err = snap.Expand(t.Context(), []codegraph.ID{9, 1}, codegraph.In)
	check(t, err)
	same(t, "in", x.At(0), edge(1, 2, 5, 6))
	same(t, "in", x.At(1), edge())
	x, err = snap.Expand(t.Context(), []codegraph.ID{9, 91}, codegraph.Both, codegraph.Calls, codegraph.Imports)
	check(t, err)
	same(t, "both", x.At(0), edge(2, 3, 5, 6))
	same(t, "both", x.At(1), edge(5, 3))
	x, err = snap.Expand(t.Context(), nil, codegraph.Both)
	check(t, err)
	same(t, "of nothing", len(x.Edges)+len(x.Ends), 0)
}

// TestExpandOfEverything compares with a plain search for edges.
func TestExpandOfEverything(t *testing.T) {
	s := random(rand.New(rand.NewPCG(2, 2)), 500, 4000)
	snap := write(t, s)
	ids, err := snap.Labelled(t.Context())
	check(t, err)
	for _, types := range [][]codegraph.Relationship{nil, {codegraph.Calls}, {codegraph.Calls, codegraph.References}, {codegraph.Imports}} {
		for d, at := range map[codegraph.Direction]func(e codegraph.Edge, id codegraph.ID) bool{
			codegraph.Out:  func(e codegraph.Edge, id codegraph.ID) bool { return e.From == id },
			codegraph.In:   func(e codegraph.Edge, id codegraph.ID) bool { return e.To == id },
			codegraph.Both: func(e codegraph.Edge, id codegraph.ID) bool { return e.From == id || e.To == id },
		} {
			x, err := snap.Expand(t.Context(), ids, d, types...)
			check(t, err)
			for i, id := range ids {
				want := map[codegraph.Edge]bool{}
				for _, e := range s.edges {
					if at(e.Edge, id) && (types == nil || slices.Contains(types, e.Type)) {
						want[e.Edge] = true
					}
				}
				got := map[codegraph.Edge]bool{}
				for _, e := range x.At(i) {
					got[e] = true
				}
				if len(x.At(i)) != len(want) || !maps.Equal(got, want) {
					t.Fatalf("node %d, direction %d, types %v: %v, want %v", id, d, types, got, want)
				}
			}
		}
	}
}

func TestAnotherStateIsStale(t *testing.T) {
	s := shop()
	path := filepath.Join(t.TempDir(), "graph.snap")
	_, err := snapshot.Open(path, 7, "shop-1")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	check(t, snapshot.Write(t.Context(), path, s))
	for _, other := range []store.State{{Serial: 8, Identity: "shop-1"}, {Serial: 7, Identity: "shop-2"}} {
		if _, err := snapshot.Open(path, other.Serial, other.Identity); !errors.Is(err, snapshot.ErrStale) {
			t.Errorf("%+v: %v", other, err)
		}
	}
	data, err := os.ReadFile(path)
	check(t, err)
	data[12]++ // the version
	check(t, os.WriteFile(path, data, 0o600))
	if _, err := snapshot.Open(path, 7, "shop-1"); !errors.Is(err, snapshot.ErrStale) {
		t.Errorf("another version: %v", err)
	}
}

func TestReplacedSnapshotStaysReadable(t *testing.T) {
	s := shop()
	path := filepath.Join(t.TempDir(), "graph.snap")
	check(t, snapshot.Write(t.Context(), path, s))
	old := open(t, path, s.state)
	other := random(rand.New(rand.NewPCG(4, 4)), 100, 100)
	check(t, snapshot.Write(t.Context(), path, other))
	id, err := old.Qualified(t.Context(), "shop.src.UserService.create")
	check(t, err)
	same(t, "the old one", id, codegraph.ID(9))
	all, err := open(t, path, other.state).Labelled(t.Context())
	check(t, err)
	same(t, "the new one", len(all), 100)
	left, err := os.ReadDir(filepath.Dir(path))
	check(t, err)
	same(t, "files", len(left), 1)
	check(t, old.Close())
	if _, err := old.Nodes(t.Context(), nil); err == nil {
		t.Error("a closed one can be read")
	}
}

func TestInvalidGraphIsNotWritten(t *testing.T) {
	for what, change := range map[string]func(s *source){
		"an edge to nowhere":  func(s *source) { s.edges[0].To = 5 },
		"nodes out of order":  func(s *source) { s.nodes[0].ID = 50 },
		"a line below 0":      func(s *source) { s.nodes[0].StartLine = -1 },
		"a too long identity": func(s *source) { s.state.Identity = string(make([]byte, 33)) },
	} {
		s, dir := shop(), t.TempDir()
		change(s)
		if snapshot.Write(t.Context(), filepath.Join(dir, "graph.snap"), s) == nil {
			t.Errorf("%s: written", what)
		}
		left, err := os.ReadDir(dir)
		check(t, err)
		same(t, what, len(left), 0)
	}
}

func TestCustomSections(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.snap")
	vectors := []byte{1, 2, 3}
	check(t, snapshot.Write(t.Context(), path, shop(), snapshot.Section{Name: "vectors", Data: vectors}, snapshot.Section{Name: "none"}))
	snap := open(t, path, shop().state)
	check(t, snap.Section("vectors", func(data []byte) error { same(t, "vectors", data, vectors); return nil }))
	check(t, snap.Section("none", func(data []byte) error { same(t, "none", len(data), 0); return nil }))
	if err := snap.Section("nodes", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestLoad checks that a snapshot is written if there is no usable one.
func TestLoad(t *testing.T) {
	g, s := stored(t, shop())
	state, err := g.State(t.Context())
	check(t, err)
	load := func() *snapshot.Snapshot {
		t.Helper()
		snap, err := snapshot.Load(t.Context(), g)
		check(t, err)
		t.Cleanup(func() { check(t, snap.Close()) })
		all, err := snap.Labelled(t.Context())
		check(t, err)
		same(t, "nodes", len(all), len(s.nodes))
		return snap
	}
	load()
	info, err := os.Stat(g.Derived())
	check(t, err)
	load()
	if now, err := os.Stat(g.Derived()); err != nil || !os.SameFile(info, now) {
		t.Errorf("it was written again: %v", err)
	}
	check(t, g.Update(t.Context(), store.Update{DropNodes: []codegraph.ID{400}, State: state}))
	s.nodes = slices.DeleteFunc(s.nodes, func(n store.Node) bool { return n.ID == 400 })
	load()
	data, err := os.ReadFile(g.Derived())
	check(t, err)
	check(t, os.WriteFile(g.Derived(), data[:len(data)/2], 0o600))
	load()
	check(t, os.WriteFile(g.Derived(), nil, 0o600))
	load()
}

// stored puts a source into a store.
func stored(tb testing.TB, s *source) (store.Graph, *source) {
	tb.Helper()
	return storedUpdate(tb, store.Update{Nodes: s.nodes, Edges: s.edges}), s
}

// storedUpdate puts files, nodes and edges into a store.
func storedUpdate(tb testing.TB, u store.Update) store.Graph {
	tb.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(sqlite.Options{Home: tb.TempDir()})
	check(tb, err)
	root := tb.TempDir()
	_, err = db.Lock(ctx, root)
	check(tb, err)
	b, err := db.Build(ctx, root)
	check(tb, err)
	check(tb, b.Add(ctx, u))
	check(tb, b.Commit(ctx, store.State{}))
	g, err := db.Open(ctx, root)
	check(tb, err)
	tb.Cleanup(func() { check(tb, errors.Join(g.Close(), db.Close())) })
	return g
}

// TestForeignFileIsNotReplaced uses the path of a text file.
func TestForeignFileIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.snap")
	check(t, os.WriteFile(path, []byte("my notes"), 0o600))
	s := shop()
	if _, err := snapshot.Open(path, s.state.Serial, s.state.Identity); !errors.Is(err, snapshot.ErrForeign) {
		t.Errorf("error %v", err)
	}
	if err := snapshot.Write(t.Context(), path, s); !errors.Is(err, snapshot.ErrForeign) {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "my notes" {
		t.Errorf("%q, %v", text, err)
	}
}
