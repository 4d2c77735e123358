package rag_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// edge is a virtual edge from Checkout.
func edge(id, target string, kind store.VirtualType, confidence float64) store.VirtualEdge {
	return store.VirtualEdge{
		ID: id, SourceRepo: "shop", SourceSymbol: "shop.cart.Checkout", TargetRepo: "pay", TargetSymbol: target, Type: kind, Contract: "go",
		Confidence: confidence, Level: "high", Rule: "import", SourceLine: 5, TargetFile: "pay.go", StartLine: 4, EndLine: 4, Signature: "func Charge()",
	}
}

func TestVirtualEdgesLeadIntoOtherRepositories(t *testing.T) {
	pay := t.TempDir()
	if err := os.WriteFile(filepath.Join(pay, "pay.go"), []byte("package pay\n\n// Charge charges.\nfunc Charge() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := write(t, shop)
	g := p.open()
	charge := edge("1", "pay.pay.Charge", store.VirtualCalls, 0.97)
	charge.TargetRoot = pay
	gone := edge("3", "pay.pay.Gone", store.VirtualCalls, 0.5)
	gone.TargetRoot, gone.StartLine, gone.EndLine = filepath.Join(pay, "gone"), 9, 9
	imported := charge
	imported.ID, imported.Type = "2", store.VirtualImports
	release, err := p.store.Lock(t.Context(), p.Root())
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Stored().SetVirtual(t.Context(), []store.VirtualEdge{charge, imported, gone}); err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}

	a := query(t, g, "checkout", func(o *rag.Options) { o.IncludeVirtual, o.TopK = true, 2 })
	if a.Metadata.VirtualCandidates != 2 || !a.Metadata.IncludeVirtual {
		t.Fatalf("%+v", a.Metadata)
	}
	var got rag.Candidate
	for _, c := range a.Candidates {
		if c.Symbol == "pay.pay.Charge" {
			got = c
		}
		if c.Symbol == "pay.pay.Gone" && (c.Content != "" || c.File != "pay://pay.go") {
			t.Errorf("%+v", c)
		}
	}
	got.Relevance, got.Tokens = 0, 0
	want := rag.Candidate{
		File: "pay://pay.go", Content: "func Charge() {}", Source: rag.Virtual, Distance: 1, Symbol: "pay.pay.Charge",
		StartLine: 4, EndLine: 4, Signature: "func Charge()",
		Via: &rag.Via{Type: "VIRTUAL_CALLS", From: "shop.cart.Checkout", Forward: true, Rule: "import", Confidence: 0.97, Line: 5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	if a := query(t, g, "checkout", nil); a.Metadata.VirtualCandidates != 0 {
		t.Error("not asked for")
	}
	a = query(t, g, "checkout", func(o *rag.Options) { o.IncludeVirtual, o.FusionDepth = true, 0 })
	if a.Metadata.VirtualCandidates != 0 || a.Metadata.Warning != "fusion-depth 0: virtual edges are not followed" {
		t.Errorf("%+v", a.Metadata)
	}
}
