package snapshot_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// village is a graph of files that is edited at random.
type village struct {
	*rand.Rand
	files map[store.FileID][]codegraph.ID // its nodes, the first of which stands for the file
	next  codegraph.ID
	last  store.FileID
}

var vocabulary = strings.Fields("open close read write parse token file header cache user session render order item path query index node edge retry timeout")

func (t *village) word() string { return vocabulary[t.IntN(len(vocabulary))] }

func (t *village) sentence(n int) string {
	var out []string
	for range n {
		out = append(out, t.word())
	}
	return strings.Join(out, " ")
}

// file returns the nodes and words of a file: some of its old nodes and some new ones.
func (t *village) file(id store.FileID) (nodes []store.Node, gone []codegraph.ID, file store.File) {
	path := fmt.Sprintf("src/d%d/f%d.go", id%7, id)
	var kept []codegraph.ID
	for i, old := range t.files[id] {
		if i > 0 && t.IntN(6) == 0 {
			gone = append(gone, old)
			continue
		}
		kept = append(kept, old)
	}
	for range t.IntN(3) + 1 {
		kept = append(kept, t.next)
		t.next++
	}
	t.files[id] = kept
	for i, node := range kept {
		n := codegraph.Node{
			ID: node, Label: codegraph.LabelFunction, Kind: t.word(), Name: t.word() + strings.ToUpper(t.word()), Path: path, StartLine: i*10 + 1, EndLine: i*10 + 9,
			Signature: "func(" + t.sentence(2) + ")", Doc: t.sentence(t.IntN(5)), Exported: t.IntN(2) == 0, Test: t.IntN(5) == 0, Language: "go",
		}
		n.QualifiedName = fmt.Sprintf("town.d%d.%s%d", id%7, n.Name, t.IntN(3))
		if i == 0 {
			n.Label, n.Name, n.QualifiedName = codegraph.LabelModule, fmt.Sprintf("f%d", id), fmt.Sprintf("town.d%d.f%d", id%7, id)
		}
		if t.IntN(4) == 0 {
			n.Decorators = []string{"@" + t.word()}
		}
		nodes = append(nodes, store.Node{Node: n, File: id, Ordinal: i})
	}
	bodies := make([]string, len(kept))
	for i := range bodies {
		bodies[i] = t.sentence(8)
	}
	return nodes, gone, store.File{ID: id, Path: path, Language: "go", Hash: "h", Words: wordsOf(bodies)}
}

// edges returns edges found in a file, from its nodes and some others.
func (t *village) edges(id store.FileID) (edges []store.Edge) {
	var all []codegraph.ID
	for _, nodes := range t.files {
		all = append(all, nodes...)
	}
	seen := map[string]bool{}
	for range 6 {
		from := t.files[id][t.IntN(len(t.files[id]))]
		e := codegraph.Edge{
			From: from, To: all[t.IntN(len(all))], Type: []codegraph.Relationship{codegraph.Calls, codegraph.References, codegraph.Tests}[t.IntN(3)],
			Line: t.IntN(100), Count: 1 + t.IntN(3), Rule: t.word(), Confidence: []float32{.5, .9}[t.IntN(2)],
		}
		if key := fmt.Sprint(e.From, e.To, e.Type); !seen[key] {
			seen[key] = true
			edges = append(edges, store.Edge{Edge: e, File: id})
		}
	}
	return edges
}

// change edits, adds or removes a few files.
func (t *village) change() (u store.Update) {
	for k := range store.FileID(t.IntN(2) + 1) {
		t.last++
		id := t.last
		if t.IntN(4) > 0 {
			id = 1 + store.FileID(t.IntN(int(t.last/2-1)))*2 + k // no file twice
		}
		if len(t.files[id]) > 0 && t.IntN(5) == 0 {
			u.DropFiles = append(u.DropFiles, id)
			delete(t.files, id)
			continue
		}
		nodes, gone, file := t.file(id)
		u.DropNodes, u.DropEdges = append(u.DropNodes, gone...), append(u.DropEdges, id)
		u.Files, u.Nodes = append(u.Files, file), append(u.Nodes, nodes...)
	}
	for _, f := range u.Files {
		u.Edges = append(u.Edges, t.edges(f.ID)...)
	}
	return u
}

// TestExtended edits a graph at random, and compares the snapshot that is made from the one before with one of the whole graph.
func TestExtended(t *testing.T) {
	extended := 0
	for seed := range uint64(4) {
		v := &village{Rand: rand.New(rand.NewPCG(seed, 7)), files: map[store.FileID][]codegraph.ID{}, next: 1}
		var built store.Update
		for range 300 {
			v.last++
			nodes, _, file := v.file(v.last)
			built.Files, built.Nodes = append(built.Files, file), append(built.Nodes, nodes...)
		}
		built.Nodes = append(built.Nodes, store.Node{Node: codegraph.Node{ID: v.next, Label: codegraph.LabelProject, Name: "town", QualifiedName: "town"}})
		v.next++
		for _, f := range built.Files {
			built.Edges = append(built.Edges, v.edges(f.ID)...)
		}
		g := storedUpdate(t, built)
		before := whole(t, g)
		for range 25 {
			u := v.change()
			check(t, g.Update(t.Context(), u))
			after := whole(t, g)
			path := filepath.Join(t.TempDir(), "extended.snap")
			can, err := snapshot.Extend(t.Context(), path, g, before)
			check(t, err)
			if can {
				extended++
				state, err := g.State(t.Context())
				check(t, err)
				got := open(t, path, state)
				sameContents(t, got, after)
				after = got // the next one is made from it
			}
			before = after
		}
	}
	if extended < 60 {
		t.Errorf("%d of 100 snapshots were made from the one before", extended)
	}
}

func sameContents(t *testing.T, got, want *snapshot.Snapshot) {
	t.Helper()
	is, err := snapshot.Dump(got)
	check(t, err)
	should, err := snapshot.Dump(want)
	check(t, err)
	if diff := cmp.Diff(should, is); diff != "" {
		t.Fatal(diff)
	}
}

// whole opens a snapshot of a whole graph.
func whole(t *testing.T, g store.Graph) *snapshot.Snapshot {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole.snap")
	check(t, snapshot.Write(t.Context(), path, g))
	state, err := g.State(t.Context())
	check(t, err)
	return open(t, path, state)
}

// wordsOf returns the words of a file of which each line is the body of a symbol, the first that of the file.
func wordsOf(bodies []string) []byte {
	spans := []words.Span{{Start: 1, End: len(bodies)}}
	for i := range bodies[1:] {
		spans = append(spans, words.Span{Start: i + 2, End: i + 2})
	}
	return words.Encode([]byte(strings.Join(bodies, "\n")), spans)
}
