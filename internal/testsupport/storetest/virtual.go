package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// virtual generates a virtual edge.
func virtual(source string, target int) store.VirtualEdge {
	at := time.Unix(1_700_000_000+int64(target), 5).UTC()
	return store.VirtualEdge{
		ID: fmt.Sprintf("%s-%d", source, target), SourceRepo: "shop", SourceSymbol: source, TargetRepo: "仓库", TargetSymbol: fmt.Sprintf("api.v1.T%d", target),
		Type: store.VirtualCalls, Contract: "proto", Confidence: 0.8125, Level: "high", ExactMatch: 1, SignatureSimilarity: 0.5, ContractBonus: 0.75,
		Rule: "client", SourceFile: "src/a.go", SourceLine: 7, TargetRoot: "/在/api", TargetFile: "api/v1.proto", StartLine: 3, EndLine: 9,
		Signature: `rpc "T"(A) returns (B)`, CreatedAt: at, UpdatedAt: at.Add(time.Hour),
	}
}

func wantVirtual(t *testing.T, g store.Graph, symbols []string, want ...store.VirtualEdge) {
	t.Helper()
	got, err := g.Virtual(t.Context(), symbols)
	check(t, err)
	if diff := cmp.Diff(append([]store.VirtualEdge{}, want...), got); diff != "" {
		t.Errorf("of %v: -want +got\n%s", symbols, diff)
	}
}

func virtualEdgesAreSet(t *testing.T, s store.Store) {
	a := newAuthor(21)
	g, _ := built(t, s, a, 2, 2)
	wantVirtual(t, g, nil)
	one, two, three := virtual("shop.a", 1), virtual("shop.a", 2), virtual(`shop."b", c`, 1)
	serial := func() uint64 {
		state, err := g.State(t.Context())
		check(t, err)
		return state.Serial
	}
	before := serial()
	check(t, g.SetVirtual(t.Context(), []store.VirtualEdge{two, three, one}))
	if serial() != before {
		t.Error("virtual edges are an update")
	}
	wantModel(t, g, a)
	wantVirtual(t, g, nil, three, one, two)
	wantVirtual(t, g, []string{"shop.a", "nobody", "shop.a"}, one, two)
	wantVirtual(t, g, []string{three.SourceSymbol}, three)
	wantVirtual(t, g, []string{})

	if g.SetVirtual(t.Context(), []store.VirtualEdge{one, one}) == nil {
		t.Error("takes two of one ID")
	}
	wantVirtual(t, g, nil, three, one, two)
	two.Confidence, two.Level, two.CreatedAt = 0.5, "low", time.Time{}
	check(t, g.SetVirtual(t.Context(), []store.VirtualEdge{two}))
	wantVirtual(t, g, nil, two)
	check(t, g.SetVirtual(t.Context(), nil))
	wantVirtual(t, g, nil)
}

func virtualEdgesAreKept(t *testing.T, s store.Store) {
	a := newAuthor(22)
	g, root := built(t, s, a, 2, 2)
	edge := virtual("shop.a", 1)
	check(t, g.SetVirtual(t.Context(), []store.VirtualEdge{edge}))
	u := a.change()
	a.m.apply(u)
	check(t, g.Update(t.Context(), u))
	wantVirtual(t, g, nil, edge)

	name, err := s.Name(t.Context(), root)
	check(t, err)
	build(t, s, root, a.graph(name, root, 3, 3))
	h := open(t, s, root)
	wantModel(t, h, a)
	wantVirtual(t, h, nil, edge)
	wantError(t, g.SetVirtual(t.Context(), nil), store.ErrReplaced)
}
