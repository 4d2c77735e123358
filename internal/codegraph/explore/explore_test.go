package explore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// shop is a project with a type, an interface, and a test.
var shop = map[string]string{
	"go.mod": "module example.com/shop\n",
	"cart.go": `package shop

// Cart holds what is bought.
type Cart struct{ prices []int }

// Add adds a price.
func (c *Cart) Add(p int) { c.prices = append(c.prices, p) }

type Adder interface{ Add(p int) }

func Fill(a Adder) { a.Add(1) }

func New() *Cart {
	c := &Cart{}
	c.Add(2)
	return c
}
`,
	"cart_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New() }\n",
}

// opened writes files and opens their code graph.
func opened(t *testing.T, files map[string]string) (*explore.Graph, *project.Project, store.Store) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	g, err := explore.Open(t.Context(), p, s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(g.Close(), s.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return g, p, s
}

func TestSymbolByTheEndOfItsName(t *testing.T) {
	g, _, _ := opened(t, shop)
	for name, want := range map[string]string{
		"shop.cart.Cart": "shop.cart.Cart", "Cart": "shop.cart.Cart", "Cart.Add": "shop.cart.Cart.Add", "cart.New": "shop.cart.New",
	} {
		n, err := g.Symbol(t.Context(), name)
		if err != nil || n.QualifiedName != want {
			t.Errorf("%s is %s, %v; want %s", name, n.QualifiedName, err, want)
		}
	}
	_, err := g.Symbol(t.Context(), "Add")
	if ambiguous := (*explore.AmbiguousError)(nil); !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
		t.Errorf("Add: %v", err)
	}
	_, err = g.Symbol(t.Context(), "shop.cart.Basket.Add")
	if missing := (*explore.NotFoundError)(nil); !errors.As(err, &missing) || len(missing.Near) == 0 {
		t.Errorf("Basket.Add: %v", err)
	}
}

// A change of a type includes its methods and affects the interfaces that they implement.
func TestImpactOfAType(t *testing.T) {
	g, _, _ := opened(t, shop)
	i, err := g.Impact(t.Context(), "Cart", explore.ImpactOptions{})
	if err != nil {
		t.Fatal(err)
	}
	type felt struct {
		Name     string
		Distance int
		By       codegraph.Relationship
		Test     bool
	}
	var got []felt
	for _, a := range i.Affected {
		got = append(got, felt{a.Name, a.Distance, a.By, a.Test})
	}
	want := []felt{
		{"New", 1, codegraph.References, false},
		{"Fill", 1, codegraph.Calls, false},
		{"TestNew", 2, codegraph.Calls, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if i.Tests != 1 || i.Files != 2 {
		t.Errorf("%d tests in %d files", i.Tests, i.Files)
	}
	sure, err := g.Impact(t.Context(), "Cart", explore.ImpactOptions{MinConfidence: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range sure.Affected {
		if a.Name == "Fill" {
			t.Errorf("Fill is felt with %.2f", a.Reach)
		}
	}
}

func TestSubgraphInEachFormat(t *testing.T) {
	g, _, _ := opened(t, shop)
	s, err := g.Around(t.Context(), "New", explore.AroundOptions{Depth: 1, Direction: codegraph.Both})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range explore.Formats() {
		var b strings.Builder
		if err := s.Write(&b, format, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, "around."+format, b.String())
	}
	if err := s.Write(&strings.Builder{}, "svg", time.Now()); err == nil {
		t.Error("svg was written")
	}
}

func TestSubgraphDropped(t *testing.T) {
	g, _, _ := opened(t, shop)
	s, err := g.Around(t.Context(), "Cart", explore.AroundOptions{Depth: 3, Direction: codegraph.Both, Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Nodes) != 2 || s.Dropped == 0 {
		t.Errorf("%d nodes, %d dropped", len(s.Nodes), s.Dropped)
	}
}

// While another process indexes, the older graph is used and marked as stale.
func TestAGraphBeingIndexedIsStale(t *testing.T) {
	_, p, s := opened(t, shop)
	release, err := s.Lock(t.Context(), p.Root())
	if err != nil {
		t.Fatal(err)
	}
	g, err := explore.Open(t.Context(), p, s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !g.Index.Stale || !strings.Contains(g.Index.Why, "this process has been indexing") {
		t.Errorf("%+v", g.Index)
	}
	if err := errors.Join(g.Close(), release()); err != nil {
		t.Error(err)
	}
}

func TestOpenWaitsForFirstGraph(t *testing.T) {
	p, err := project.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	home := t.TempDir()
	other, err := sqlite.Open(sqlite.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	s, err := sqlite.Open(sqlite.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	release, err := other.Lock(t.Context(), p.Root())
	if err != nil {
		t.Fatal(err)
	}
	ctx := progress.With(t.Context(), func(e progress.Event) {
		if e.Stage == "wait" && release != nil {
			if err := release(); err != nil {
				t.Error(err)
			}
			release = nil
		}
	})
	g, err := explore.Open(ctx, p, s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if release != nil || g.Index.Stale {
		t.Errorf("not waited for: %+v", g.Index)
	}
}

func TestOpenDoesNotWaitForSlowIndex(t *testing.T) {
	_, p, s := opened(t, shop)
	g, err := explore.Open(t.Context(), p, s, explore.Options{Wait: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if !g.Index.Stale || !strings.Contains(g.Index.Why, "takes longer than 1ns") {
		t.Errorf("%+v", g.Index)
	}
}
