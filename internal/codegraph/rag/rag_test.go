package rag_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// project is a project with its stored graph.
type testProject struct {
	*project.Project
	t     *testing.T
	store store.Store
}

// write makes a project of an archive.
func write(t *testing.T, archive string) *testProject {
	t.Helper()
	a := txtar.Parse([]byte(archive))
	dir := filepath.Join(t.TempDir(), "shop")
	for _, f := range a.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
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
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return &testProject{p, t, s}
}

// open opens the graph, brought up to date.
func (p *testProject) open() *explore.Graph {
	p.t.Helper()
	g, err := explore.Open(p.t.Context(), p.Project, p.store, explore.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = g.Close() })
	return g
}

// query runs a query and checks invariants of the answer.
func query(t *testing.T, g *explore.Graph, text string, change func(*rag.Options)) *rag.Answer {
	t.Helper()
	opts := rag.Defaults()
	opts.CKB = ckb.Status{Reason: ckb.Disabled}
	if change != nil {
		change(&opts)
	}
	a, err := rag.Query(t.Context(), g, text, opts)
	if err != nil {
		t.Fatal(err)
	}
	if a.Metadata.TokenCount > opts.Budget || a.Metadata.Total != len(a.Candidates) {
		t.Errorf("%d candidates, said to be %d, of %d tokens within %d", len(a.Candidates), a.Metadata.Total, a.Metadata.TokenCount, opts.Budget)
	}
	if sent := sentTokens(t, a, opts.Indent); len(a.Candidates) > 0 && sent > opts.Budget {
		t.Errorf("%q: %d tokens are sent, of a budget of %d", text, sent, opts.Budget)
	}
	return a
}

// sentTokens returns the tokens of an answer's JSON.
func sentTokens(t *testing.T, a *rag.Answer, indent string) int {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(a); err != nil {
		t.Fatal(err)
	}
	return prompt.Tokens(b.String())
}

// lines are candidates, one a line: source, distance, place, symbol.
func lines(a *rag.Answer) []string {
	var out []string
	for _, c := range a.Candidates {
		line := string(c.Source) + " " + strings.TrimPrefix(c.Symbol, "shop.")
		if c.Via != nil {
			line += " by " + string(c.Via.Type) + " " + strings.TrimPrefix(c.Via.From, "shop.")
		}
		out = append(out, line)
	}
	return out
}

const shop = `
-- go.mod --
module example.com/shop
-- cart.go --
package shop

// Checkout turns a basket into an order.
func Checkout(b Basket) (Order, error) {
	sum := b.Amount()
	return place(sum)
}

func place(sum int) (Order, error) {
	return Order{sum}, nil
}

// Order is bought.
type Order struct{ sum int }
-- basket.go --
package shop

// Basket holds things.
type Basket struct{ prices []int }

// Amount adds up.
func (b Basket) Amount() int {
	n := 0
	for _, p := range b.prices {
		n += p
	}
	return n
}
-- main.go --
package shop

func serve() {
	_, _ = Checkout(Basket{})
}
-- other/other.go --
package other

func Unrelated() {}
`

func TestAnAnswerHasTheNeighboursOfWhatTheSearchFinds(t *testing.T) {
	a := query(t, write(t, shop).open(), "checkout", func(o *rag.Options) { o.TopK = 4 })
	want := []string{
		"embedding cart.Checkout",
		"graph basket.Basket.Amount by CALLS cart.Checkout",
		"graph cart.place by CALLS cart.Checkout",
		"graph basket.Basket by REFERENCES cart.Checkout",
		"graph cart.Order by REFERENCES cart.Checkout",
		"embedding main.serve", // which says the word
	}
	if diff := cmp.Diff(want, lines(a)); diff != "" {
		t.Error(diff)
	}
}

func TestCandidateFields(t *testing.T) {
	a := query(t, write(t, shop).open(), "checkout", nil)
	got := a.Candidates[2]
	got.Relevance, got.Tokens = 0, 0
	want := rag.Candidate{
		File: "cart.go", Source: rag.FromGraph, Distance: 1,
		Content: "func place(sum int) (Order, error) {\n\treturn Order{sum}, nil\n}",
		Symbol:  "shop.cart.place", Label: codegraph.LabelFunction, StartLine: 9, EndLine: 11, Signature: "func place(sum int) (Order, error)",
		Via: &rag.Via{Type: codegraph.Calls, From: "shop.cart.Checkout", Forward: true, Rule: "file", Confidence: 0.99, Line: 6},
		Callers: []rag.Related{
			{Symbol: "shop.cart.Checkout", File: "cart.go", Line: 4, Depth: 1, Confidence: 0.99},
			{Symbol: "shop.main.serve", File: "main.go", Line: 3, Depth: 2, Confidence: 0.9801},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNoNeighbourIsMoreRelevantThanTheBestAnchor(t *testing.T) {
	g := write(t, shop).open()
	for _, text := range []string{"checkout", "basket", "order of a basket", "amount adds up"} {
		a := query(t, g, text, nil)
		last := 1.0
		for i, c := range a.Candidates {
			if c.Relevance > last || c.Relevance <= 0 || i == 0 && c.Source != rag.Embedding {
				t.Errorf("%s: %v", text, lines(a))
			}
			last = c.Relevance
		}
	}
}

func TestDepthZeroIsTheSearchAlone(t *testing.T) {
	a := query(t, write(t, shop).open(), "checkout", func(o *rag.Options) { o.TopK, o.FusionDepth, o.Depth = 1, 0, 0 })
	if diff := cmp.Diff([]string{"embedding cart.Checkout"}, lines(a)); diff != "" {
		t.Error(diff)
	}
	if c := a.Candidates[0]; c.Callers != nil || c.Callees != nil || a.Metadata.FallbackMode != "vector_only" {
		t.Errorf("%+v", a)
	}
}

func TestBudget(t *testing.T) {
	g := write(t, shop).open()
	whole := query(t, g, "checkout", nil)
	all := sentTokens(t, whole, "")
	for _, indent := range []string{"", "  "} {
		last, budget := 0, 0
		for ; last < whole.Metadata.TokenCount && budget < 2*all; budget += 7 {
			a := query(t, g, "checkout", func(o *rag.Options) { o.Budget, o.Indent = budget, indent })
			if a.Metadata.TokenCount < last {
				t.Errorf("%d tokens within %d, %d within less", a.Metadata.TokenCount, budget, last)
			}
			if last = a.Metadata.TokenCount; a.Metadata.Truncated != (amount(a) < amount(whole)) {
				t.Errorf("budget %d: truncated is %v", budget, a.Metadata.Truncated)
			}
		}
		if last < whole.Metadata.TokenCount {
			t.Errorf("%d tokens at last, not %d", last, whole.Metadata.TokenCount)
		}
	}
	if slack := 20 + 12*len(whole.Candidates); whole.Metadata.TokenCount == 0 || whole.Metadata.Truncated ||
		query(t, g, "checkout", func(o *rag.Options) { o.Budget = all + slack }).Metadata.TokenCount < whole.Metadata.TokenCount {
		t.Errorf("a budget of %d+%d does not hold an answer of %[1]d", all, slack)
	}
}

// amount is how much is in an answer.
func amount(a *rag.Answer) int {
	n := 0
	for _, c := range a.Candidates {
		n += 1 + len(c.Content) + len(c.Callers) + len(c.Callees)
	}
	return n
}

func TestGeneratedAndVendoredCodeIsLeftOut(t *testing.T) {
	const archive = `
-- package.json --
{"name": "shop"}
-- src/checkout.js --
export function checkout() {}
-- dist/checkout.js --
export function checkout() {}
-- src/checkout.min.js --
export function checkout() {}
-- src/checkout_generated.js --
export function checkout() {}
-- src/marked.js --
// @generated by a program
export function checkout() {}
`
	g := write(t, archive).open()
	a := query(t, g, "checkout", nil)
	if diff := cmp.Diff([]string{"embedding src.checkout.checkout"}, lines(a)[:1]); diff != "" || a.Metadata.BoundaryFiltered < 4 {
		t.Errorf("%s\n%d filtered", diff, a.Metadata.BoundaryFiltered)
	}
	for _, c := range a.Candidates {
		if c.File != "src/checkout.js" {
			t.Errorf("%s is there", c.File)
		}
	}
	a = query(t, g, "checkout", func(o *rag.Options) { o.Foreign = true })
	if a.Metadata.BoundaryFiltered != 0 || a.Metadata.EmbeddingCandidates < 5 {
		t.Errorf("%v, %d filtered", lines(a), a.Metadata.BoundaryFiltered)
	}
}

func TestGoMayHaveAPackageOfTheNameBuild(t *testing.T) {
	a := query(t, write(t, "-- go.mod --\nmodule x\n-- build/build.go --\npackage build\n\nfunc Compile() {}\n").open(), "compile", nil)
	if a.Metadata.BoundaryFiltered != 0 || a.Candidates[0].Symbol != "shop.build.build.Compile" {
		t.Errorf("%v", lines(a))
	}
}

func TestEmptyAnswersSayWhy(t *testing.T) {
	shop, empty := write(t, shop).open(), write(t, "-- .git/config --\n").open()
	for _, c := range []struct {
		g      *explore.Graph
		text   string
		change func(o *rag.Options)
		want   string
	}{
		{empty, "checkout", nil, "has no code that can be indexed"},
		{shop, "quaternion", nil, "no word of the query"},
		{shop, "checkout", func(o *rag.Options) { o.Budget = 0 }, "budget of 0 tokens"},
		{shop, "checkout", func(o *rag.Options) { o.TopK = 0 }, "top-k is 0"},
		{shop, "checkout quaternion vector", func(o *rag.Options) { o.MinRelevance = 1 }, "nothing is as relevant as 1"},
	} {
		a := query(t, c.g, c.text, c.change)
		if len(a.Candidates) != 0 || !strings.Contains(a.Metadata.Warning, c.want) {
			t.Errorf("%s: %v %q", c.want, lines(a), a.Metadata.Warning)
		}
	}
}

func TestInvalidParameters(t *testing.T) {
	g := write(t, shop).open()
	for want, change := range map[string]func(o *rag.Options){
		"invalid fusion-depth: must be integer 0-5":    func(o *rag.Options) { o.FusionDepth = -1 },
		"invalid depth: must be integer 0-5":           func(o *rag.Options) { o.Depth = -1 },
		"invalid top-k: must be an integer, 0 or more": func(o *rag.Options) { o.TopK = -1 },
		"invalid budget: must be an integer":           func(o *rag.Options) { o.Budget = -1 },
		"invalid min-relevance: must be a number":      func(o *rag.Options) { o.MinRelevance = 1.5 },
	} {
		opts := rag.Defaults()
		change(&opts)
		_, err := rag.Query(t.Context(), g, "checkout", opts)
		if param := (*rag.ParamError)(nil); !errors.As(err, &param) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for text, want := range map[string]string{
		"": "query must not be empty", " \n": "query must not be empty", strings.Repeat("x", rag.MaxQuery+1): "query too long",
	} {
		if _, err := rag.Query(t.Context(), g, text, rag.Defaults()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if a := query(t, g, strings.Repeat("checkout ", rag.MaxQuery/9), nil); len(a.Candidates) == 0 {
		t.Error("a long query finds nothing")
	}
	if a := query(t, g, "checkout\xff", nil); a.Metadata.Query != "checkout\uFFFD" || len(a.Candidates) == 0 {
		t.Errorf("%+v", a.Metadata)
	}
}

func TestParametersAreCapped(t *testing.T) {
	g := write(t, shop).open()
	a := query(t, g, "checkout", func(o *rag.Options) { o.FusionDepth, o.Depth = 10, 9 })
	m := a.Metadata
	if m.Warning != "fusion-depth capped at maximum 5; depth capped at maximum 5" || m.FusionDepth != 1 || m.FusionDepthAsked != 10 || m.Depth != 5 {
		t.Errorf("%+v", m)
	}
	a = query(t, g, "checkout", func(o *rag.Options) { o.FusionDepth, o.CKB = 10, ckb.Status{Available: true} })
	if m := a.Metadata; m.FusionDepth != 5 || !m.Available || m.FallbackMode != "" {
		t.Errorf("%+v", m)
	}
}

// far is a location in CKB's form.
type far struct{}

func (far) Expand(_ context.Context, anchors []rag.Anchor, depth int) ([]rag.Neighbour, error) {
	return []rag.Neighbour{{
		Node:     codegraph.Node{QualifiedName: "shop.other.other.Unrelated", Label: codegraph.LabelFunction, Path: "other/other.go", StartLine: 3, EndLine: 3},
		Distance: depth, Relevance: 0.8 * anchors[0].Relevance, Via: rag.Via{Type: codegraph.Calls, From: anchors[0].Node.QualifiedName},
	}}, nil
}

func TestAnotherExpanderAddsToTheGraph(t *testing.T) {
	a := query(t, write(t, shop).open(), "checkout", func(o *rag.Options) {
		o.TopK, o.FusionDepth, o.CKB, o.Expander = 1, 2, ckb.Status{Available: true}, far{}
	})
	want := []string{
		"embedding cart.Checkout",
		"graph other.other.Unrelated by CALLS cart.Checkout",
	}
	if diff := cmp.Diff(want, lines(a)); diff != "" {
		t.Error(diff)
	}
}
