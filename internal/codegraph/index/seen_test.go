package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// counting counts what is read of graphs.
type counting struct {
	store.Store
	files, facts, structure int
}

type countingGraph struct {
	store.Graph
	of *counting
}

func (s *counting) Open(ctx context.Context, root string) (store.Graph, error) {
	g, err := s.Store.Open(ctx, root)
	if err != nil {
		return nil, err
	}
	return countingGraph{g, s}, nil
}

func (g countingGraph) Files(ctx context.Context) ([]store.File, error) {
	g.of.files++
	return g.Graph.Files(ctx)
}

func (g countingGraph) Facts(ctx context.Context, ids []store.FileID, yield func(id store.FileID, facts []byte) error) error {
	g.of.facts++
	return g.Graph.Facts(ctx, ids, yield)
}

func (g countingGraph) NodesOf(ctx context.Context, file store.FileID) ([]store.Node, error) {
	if file == 0 {
		g.of.structure++
	}
	return g.Graph.NodesOf(ctx, file)
}

// settle waits until the files that were just written are old enough for their times to tell.
func settle() { time.Sleep(50 * time.Millisecond) }

func TestNothingIsReadWhereNothingChanged(t *testing.T) {
	p, inner := crowd(t)
	s := &counting{Store: inner}
	settle()
	run := func(want index.Mode) {
		t.Helper()
		*s = counting{Store: inner}
		sum, err := index.Run(t.Context(), p, s, index.Options{})
		if err != nil || sum.Mode != want {
			t.Fatalf("%+v, %v", sum, err)
		}
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(p.Root(), name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		settle()
	}
	run(index.Full)
	run(index.Unchanged)
	if s.files+s.facts+s.structure > 0 {
		t.Errorf("unchanged, and read: %+v", s)
	}
	put("data.bin", "\x00") // the path matters
	run(index.Incremental)
	put("data.bin", "\x00\x00") // and the content does not
	run(index.Unchanged)
	if s.files+s.facts+s.structure > 0 {
		t.Errorf("a data file changed, and read: %+v", s)
	}
	put("f3.go", "package p\n\nfunc F3() {}\n") // written anew, the same
	run(index.Unchanged)
	if s.facts+s.structure > 0 || s.files != 1 {
		t.Errorf("a source was touched, and read: %+v", s)
	}
	run(index.Unchanged)
	if s.files > 0 {
		t.Error("what was touched is compared again")
	}
	put("f3.go", "package p\n\nfunc F3() { F4() }\n")
	run(index.Incremental)
	if s.structure > 1 {
		t.Errorf("the listing is the same, and is read %d times", s.structure)
	}
	put(".gitattributes", "f3.go linguist-vendored\n")
	run(index.Incremental)
	put(".gitattributes", "f4.go linguist-vendored\n")
	run(index.Incremental)
	run(index.Unchanged)
	if s.files > 0 {
		t.Errorf("unchanged, and read: %+v", s)
	}
}

// A file that is written twice within a tick of the clock has one time for two contents.
func TestAFileWrittenWhileItIsIndexedIsLookedAtAgain(t *testing.T) {
	p, s := crowd(t)
	settle()
	file := filepath.Join(p.Root(), "f5.go")
	distrusted := 0 // a busy machine may look at a file so late that its stamp is good
	for round := range 5 {
		text := []string{"package p\n\nfunc G5() {}\n", "package p\n\nfunc F5() {}\n"}[round%2]
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := index.Run(t.Context(), p, s, index.Options{}); err != nil {
			t.Fatal(err)
		}
		g, err := s.Open(t.Context(), p.Root())
		if err != nil {
			t.Fatal(err)
		}
		files, err := g.Files(t.Context())
		for _, f := range files {
			hash, err2 := p.Hash(f.Path)
			if f.Hash != hash {
				t.Errorf("round %d: %s is stored as it was: %v", round, f.Path, err2)
			}
			if f.Path == "f5.go" && f.Stamp == 0 {
				distrusted++
			}
		}
		if err := errors.Join(err, g.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if distrusted == 0 {
		t.Error("the stamp of a file that was written just now is trusted")
	}
	settle()
	if sum, err := index.Run(t.Context(), p, s, index.Options{}); err != nil || sum.Mode != index.Unchanged {
		t.Errorf("%+v, %v", sum, err)
	}
}

// A graph that was replaced, or written by another version, is compared anew.
func TestARecordCountsForItsGraphAlone(t *testing.T) {
	p, inner := crowd(t)
	s := &counting{Store: inner}
	settle()
	for _, opts := range []index.Options{{}, {Force: true}, {Version: "other"}} {
		if _, err := index.Run(t.Context(), p, s, opts); err != nil {
			t.Fatal(err)
		}
	}
	records, err := filepath.Glob(filepath.Join(filepath.Dir(derived(t, s, p.Root())), "*.seen"))
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	if err := os.WriteFile(records[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.files = 0
	if sum, err := index.Run(t.Context(), p, s, index.Options{Version: "other"}); err != nil || sum.Mode != index.Unchanged || s.files != 1 {
		t.Errorf("%+v, %v, files read %d times", sum, err, s.files)
	}
	s.files = 0
	if sum, err := index.Run(t.Context(), p, s, index.Options{Version: "other"}); err != nil || sum.Mode != index.Unchanged || s.files != 0 {
		t.Errorf("the record is not made again: %+v, %v, files read %d times", sum, err, s.files)
	}
}

func derived(t *testing.T, s store.Store, root string) string {
	t.Helper()
	g, err := s.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Close() }()
	return g.Derived()
}
