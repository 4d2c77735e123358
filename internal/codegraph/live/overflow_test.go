package live

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Events that the system lost are made up for by one comparison of all files and new watches, and nobody waits for
// them in vain.
func TestLostEventsMeanACompleteComparison(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		text := "package p\n\nfunc " + name + "() {}\n"
		if err := os.WriteFile(filepath.Join(dir, name+".go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("A")
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	x := New(s, Options{Still: 10 * time.Millisecond})
	defer x.Close()
	functions := func() int {
		t.Helper()
		g, err := x.Open(t.Context(), p, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = g.Close() }()
		counts, err := g.Reader().Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return counts.Nodes["Function"]
	}
	treeOf := func() *tree {
		t.Helper()
		for range 1000 {
			if n := functions(); n < 1 {
				t.Fatal(n)
			}
			i, err := x.of(p.Root())
			if err != nil {
				t.Fatal(err)
			}
			i.mu.Lock()
			w, why := i.tree, i.why
			i.mu.Unlock()
			switch {
			case why != nil:
				t.Skipf("no events here: %v", why)
			case w != nil && !w.isPending():
				return w
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatal("it is not watched")
		return nil
	}
	w := treeOf()
	if err := w.watcher.Remove(p.Root()); err != nil { // from now on all events are lost
		t.Fatal(err)
	}
	write("B")
	if n := functions(); n != 1 {
		t.Fatalf("%d functions: the events are not lost, and the test tests nothing", n)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				_ = w.catchUp(t.Context()) // an error, or done: but not for ever
			}
		})
	}
	w.fail(fsnotify.ErrEventOverflow)
	wg.Wait()
	if n := functions(); n != 2 {
		t.Errorf("%d functions after the overflow", n)
	}
	if again := treeOf(); again == w {
		t.Error("the broken tree is used on")
	}
	write("C")
	if n := functions(); n != 3 {
		t.Errorf("%d functions with the new watches", n)
	}
}
