package graphs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// shop is a project with a function and its caller.
func shop(t *testing.T) *project.Project {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc Pay() {}\n\nfunc Buy() { Pay() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func TestTheStoreIsOpenedOnceWhenItIsNeeded(t *testing.T) {
	opened, home := 0, t.TempDir()
	g := graphs.New(graphs.Options{Store: func() (store.Store, error) {
		opened++
		return sqlite.Open(sqlite.Options{Home: home})
	}})
	if opened != 0 {
		t.Error("opened before it is needed")
	}
	for range 2 {
		if names, err := g.Projects(t.Context()); err != nil || len(names) != 0 {
			t.Error(names, err)
		}
	}
	if err := g.Close(); err != nil || opened != 1 {
		t.Errorf("opened %d times: %v", opened, err)
	}
	if err := graphs.New(graphs.Options{}).Close(); err != nil {
		t.Errorf("nothing was opened: %v", err)
	}
}

func TestAStoreThatCannotBeOpenedIsNotClosed(t *testing.T) {
	broken := errors.New("broken")
	g := graphs.New(graphs.Options{Store: func() (store.Store, error) {
		var none *sqlite.Store // as sqlite.Open returns it
		return none, broken
	}})
	if _, err := g.Index(t.Context(), shop(t), false); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := g.Wipe(t.Context()); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

func TestQuestionsBringTheGraphUpToDate(t *testing.T) {
	p := shop(t)
	for _, shared := range []bool{false, true} {
		home := t.TempDir()
		g := graphs.New(graphs.Options{Shared: shared, Store: func() (store.Store, error) { return sqlite.Open(sqlite.Options{Home: home}) }})
		snippet, err := g.Snippet(t.Context(), p, "", "Pay")
		if err != nil || snippet.SourceCode != "func Pay() {}" {
			t.Errorf("%+v %v", snippet, err)
		}
		var callers []string
		err = g.With(t.Context(), p, graphs.OpenOptions{}, func(g *graphs.Graph) error {
			chain, err := g.CallChain(t.Context(), "Pay", rag.ChainOptions{Direction: "callers", Depth: 1})
			if err == nil {
				for _, h := range chain.Chain[0].Callers {
					callers = append(callers, h.Symbol)
				}
			}
			return err
		})
		if diff := cmp.Diff([]string{"shop.a.Buy"}, callers); diff != "" || err != nil {
			t.Error(err, diff)
		}
		const query = "MATCH (f:Function) RETURN f.name AS name ORDER BY name"
		answer, err := g.Ask(t.Context(), p, graphs.Question{Text: query, Project: "shop", Bytes: 1, Size: func(any) int { return 1 }})
		if err != nil || len(answer.Results) != 1 || answer.Omitted != 1 {
			t.Errorf("%+v %v", answer, err)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWithoutGraphsThereIsNoModel(t *testing.T) {
	var none *graphs.Graphs
	if m, notes, err := none.Model(context.Background(), nil); none.AsksModels() || m != nil || notes != nil || err != nil {
		t.Error(m, notes, err)
	}
}
