package snapshot_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// source is a graph in memory.
type source struct {
	state store.State
	nodes []store.Node
	edges []store.Edge
	text  []byte // the words of file 1
}

func (s *source) State(context.Context) (store.State, error) { return s.state, nil }

func (s *source) All(_ context.Context, _ []store.FileID, node func(store.Node) error, edge func(store.Edge) error) error {
	for _, n := range s.nodes {
		if err := node(n); err != nil {
			return err
		}
	}
	for _, e := range s.edges {
		if err := edge(e); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) Touched(context.Context, uint64) ([]store.FileID, error) { return nil, nil }

// Words are those of one file.
func (s *source) Words(_ context.Context, _ []store.FileID, yield func(id store.FileID, words []byte) error) error {
	return yield(1, s.text)
}

// shop is a small graph with ids that leave gaps.
func shop() *source {
	s := &source{state: store.State{Serial: 7, Identity: "shop-1"}}
	for _, n := range []codegraph.Node{
		{ID: 1, Label: codegraph.LabelProject, QualifiedName: "shop", Name: "shop"},
		{ID: 3, Label: codegraph.LabelFile, QualifiedName: "shop.src.user.service.go", Name: "user.service.go", Path: "src/user.service.go"},
		{ID: 4, Label: codegraph.LabelClass, QualifiedName: "shop.src.UserService", Name: "UserService", Kind: "struct", Path: "src/user.service.go", StartLine: 3, EndLine: 9, Doc: "Keeps users. 保存用户数据。", Exported: true, Language: "go"},
		{ID: 9, Label: codegraph.LabelMethod, QualifiedName: "shop.src.UserService.create", Name: "create", Path: "src/user.service.go", StartLine: 5, EndLine: 6, Signature: "func (s *UserService) create(name string) error", Decorators: []string{"@cached", `@route("/a b", 1)`}, Language: "go"},
		{ID: 90, Label: codegraph.LabelMethod, QualifiedName: "shop.src.UserService.create@8", Name: "create", StartLine: 8, EndLine: 9, Test: true},
		{ID: 91, Label: codegraph.LabelFunction, QualifiedName: "shop.src.recreate", Name: "recreate", Signature: "func recreate()"},
		{ID: 400, Label: codegraph.LabelMethod, QualifiedName: "shop.lib.AdminUserService.create", Name: "create", Doc: "Makes an admin. Not for users, not for users, not for users."},
		{ID: 70_000, Label: codegraph.LabelExternalPackage, QualifiedName: "left-pad", Name: "left-pad", Version: "^1.3"},
	} {
		s.nodes = append(s.nodes, store.Node{Node: n, File: 1})
	}
	for _, e := range []codegraph.Edge{
		{From: 1, To: 70_000, Type: codegraph.DependsOnExternal},
		{From: 4, To: 9, Type: codegraph.DefinesMethod, Line: 5},
		{From: 9, To: 9, Type: codegraph.Calls, Line: 5, Count: 2, Rule: "self", Confidence: 1},
		{From: 9, To: 91, Type: codegraph.Calls, Line: 6, Count: 1, Rule: "same-module", Confidence: 0.97},
		{From: 9, To: 91, Type: codegraph.References, Line: 6},
		{From: 91, To: 9, Type: codegraph.Calls, Line: 12, Rule: "import", Confidence: 0.9},
		{From: 400, To: 9, Type: codegraph.Calls, Line: 1, Rule: "import", Confidence: 0.5},
	} {
		s.edges = append(s.edges, store.Edge{Edge: e, File: 1})
	}
	return s
}

// random generates a graph. Its documents consist of a few thousand words, some of them frequent.
func random(r *rand.Rand, nodes, edges int) *source {
	s := &source{state: store.State{Serial: 1, Identity: "random"}}
	zipf := rand.NewZipf(r, 1.2, 4, 5000)
	id := codegraph.ID(0)
	for i := range nodes {
		id += 1 + codegraph.ID(r.IntN(2))
		words := []string{}
		for range 12 {
			words = append(words, fmt.Sprintf("word%s", letters(zipf.Uint64())))
		}
		name := fmt.Sprintf("get%s%s", strings.ToUpper(letters(zipf.Uint64())), letters(uint64(i%97)))
		s.nodes = append(s.nodes, store.Node{File: store.FileID(i/20 + 1), Node: codegraph.Node{
			ID: id, Label: []codegraph.Label{codegraph.LabelClass, codegraph.LabelMethod, codegraph.LabelFunction}[r.IntN(3)], Name: name,
			QualifiedName: fmt.Sprintf("proj.src.m%d.f%d.%s%d", i/2000, i/20, name, i), Path: fmt.Sprintf("src/m%d/f%d.go", i/2000, i/20),
			StartLine: i%20*10 + 1, EndLine: i%20*10 + 9, Doc: strings.Join(words, " "), Signature: "func " + name + "()",
		}})
	}
	for range edges {
		from, near := r.IntN(nodes), r.IntN(200)-100
		to := min(max(from+near, 0), nodes-1)
		if r.IntN(3) == 0 {
			to = r.IntN(nodes)
		}
		s.edges = append(s.edges, store.Edge{File: s.nodes[from].File, Edge: codegraph.Edge{
			From: s.nodes[from].ID, To: s.nodes[to].ID, Type: []codegraph.Relationship{codegraph.Calls, codegraph.Defines, codegraph.References}[r.IntN(3)],
			Line: r.IntN(4000), Count: 1, Rule: []string{"import", "same-module"}[r.IntN(2)], Confidence: 0.97,
		}})
	}
	slices.SortFunc(s.edges, func(a, b store.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Type, b.Type), cmp.Compare(a.To, b.To))
	})
	s.edges = slices.CompactFunc(s.edges, func(a, b store.Edge) bool { return a.From == b.From && a.Type == b.Type && a.To == b.To })
	return s
}

// letters writes a number in letters.
func letters(n uint64) string {
	text := []byte{}
	for ; ; n /= 26 {
		text = append(text, 'a'+byte(n%26))
		if n < 26 {
			return string(text)
		}
	}
}

// write writes the snapshot of a source and opens it.
func write(tb testing.TB, s *source) *snapshot.Snapshot {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "graph.snap")
	check(tb, snapshot.Write(context.Background(), path, s))
	return open(tb, path, s.state)
}

func open(tb testing.TB, path string, state store.State) *snapshot.Snapshot {
	tb.Helper()
	snap, err := snapshot.Open(path, state.Serial, state.Identity)
	check(tb, err)
	tb.Cleanup(func() { check(tb, snap.Close()) })
	return snap
}

// termsOf are the words of a question, each once.
func termsOf(question string) (terms []snapshot.Term) {
	words.Each(question, func(word string, _ bool) {
		t := snapshot.Term{Text: words.Stem(word), Weight: 1}
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	})
	return terms
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
