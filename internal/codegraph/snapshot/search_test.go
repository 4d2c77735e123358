package snapshot_test

import (
	"math/rand/v2"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// find returns the ids of what is found, and looks at the scores.
func find(t *testing.T, snap *snapshot.Snapshot, question string, limit int) (symbols, files []codegraph.ID) {
	t.Helper()
	found, err := snap.Search(t.Context(), termsOf(question), limit)
	check(t, err)
	ids := func(hits []snapshot.Hit) (ids []codegraph.ID) {
		for i, h := range hits {
			ids = append(ids, h.ID)
			if h.Score <= 0 || i > 0 && h.Score > hits[i-1].Score {
				t.Errorf("scores of %q: %v", question, hits)
			}
		}
		return ids
	}
	return ids(found.Symbols), ids(found.Files)
}

func TestSearchFindsWhatIsMeant(t *testing.T) {
	snap := write(t, shop())
	symbols := func(question string, limit int) []codegraph.ID {
		t.Helper()
		symbols, files := find(t, snap, question, limit)
		same(t, "files", len(files), 0)
		return symbols
	}
	same(t, "a name in other letters", symbols("user_service", 1), []codegraph.ID{4})
	same(t, "a name's part", symbols("recreate", 9), []codegraph.ID{91})
	same(t, "another ending", symbols("recreating", 9), []codegraph.ID{91})
	same(t, "writing without spaces", symbols("用户", 9), []codegraph.ID{4})
	same(t, "nothing", len(symbols("zebra", 9)), 0)
	same(t, "no words", len(symbols("!", 9)), 0)
	same(t, "none wanted", len(symbols("user", 0)), 0)
	same(t, "as many as wanted", len(symbols("user service create", 3)), 3)
}

// TestSearchKnowsTheTextOfFiles: words belong to the symbol that they stand in, and
// all of them to the file's module.
func TestSearchKnowsTheTextOfFiles(t *testing.T) {
	s := &source{text: words.Encode([]byte("package queue\n\nfunc push() {\n\tlock.Acquire()\n}\n\nfunc pop() {}\n"), []words.Span{{Start: 1, End: 7}, {Start: 3, End: 5}, {Start: 7, End: 7}})}
	for i, n := range []codegraph.Node{
		{ID: 2, Label: codegraph.LabelModule, QualifiedName: "q.queue", Name: "queue", Path: "queue.go"},
		{ID: 5, Label: codegraph.LabelFunction, QualifiedName: "q.queue.push", Name: "push", Path: "queue.go"},
		{ID: 7, Label: codegraph.LabelFunction, QualifiedName: "q.queue.pop", Name: "pop", Path: "queue.go"},
	} {
		s.nodes = append(s.nodes, store.Node{Node: n, File: 1, Ordinal: i})
	}
	snap := write(t, s)
	for question, want := range map[string][2][]codegraph.ID{
		"acquiring a lock": {{5}, {2}},
		"pop":              {{7}, {2}},
		"package":          {nil, {2}},
		"queue":            {{5, 7}, {2}}, // which are around both
	} {
		symbols, files := find(t, snap, question, 9)
		same(t, question, [2][]codegraph.ID{symbols, files}, want)
	}
	found, err := snap.Search(t.Context(), []snapshot.Term{{Text: "lock", Weight: 3}, {Text: "zebra", Weight: 1}}, 9)
	check(t, err)
	same(t, "the share that is known", found.Known, 0.75)
}

func TestDamagedWordsAreAnError(t *testing.T) {
	s := shop()
	s.text = []byte("no words")
	if err := snapshot.Write(t.Context(), t.TempDir()+"/graph.snap", s); err == nil {
		t.Error("no error")
	}
}

// TestTopHits compares with sorting all.
func TestTopHits(t *testing.T) {
	snap := write(t, random(rand.New(rand.NewPCG(3, 3)), 2000, 10))
	all, err := snap.Search(t.Context(), termsOf("worda wordb get"), 5000)
	check(t, err)
	if len(all.Symbols) != 2000 {
		t.Fatalf("%d hits", len(all.Symbols))
	}
	for _, limit := range []int{1, 2, 7, 100, 1999} {
		some, err := snap.Search(t.Context(), termsOf("worda wordb get"), limit)
		check(t, err)
		same(t, "the best", some.Symbols, all.Symbols[:limit])
	}
}
