package rag_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
)

// loop has two functions that call each other, below one that calls both, and one
// that calls itself.
const loop = `
-- go.mod --
module example.com/shop
-- a.go --
package shop

func top() {
	left()
	right()
}

func left() { right() }

func right() { left() }

func self() { self() }
-- a_test.go --
package shop

func TestTop() { top() }
-- b/b.go --
package b

func self() {}
`

// tree is a chain, one hop a line.
func tree(hops []*rag.Hop) string {
	var b strings.Builder
	for _, h := range hops {
		mark := ""
		switch {
		case h.IsCycle:
			mark = " cycle"
		case h.Repeated:
			mark = " repeated"
		}
		at := ""
		if h.Call != nil {
			at = fmt.Sprintf(" %s:%d", h.Call.File, h.Call.Line)
		}
		fmt.Fprintf(&b, "%s%s%s%s\n", strings.Repeat(" ", h.Depth), strings.TrimPrefix(h.Symbol, "shop."), at, mark)
		b.WriteString(tree(h.Callers) + tree(h.Callees))
	}
	return b.String()
}

func chain(t *testing.T, g *explore.Graph, symbol, direction string, depth int) *rag.Chain {
	t.Helper()
	c, err := rag.CallChain(t.Context(), g, symbol, rag.ChainOptions{Direction: direction, Depth: depth})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCallChain(t *testing.T) {
	g := write(t, loop).open()
	for _, c := range []struct {
		symbol, direction string
		depth             int
		cycle             bool
		want              string
	}{
		{"top", "both", 3, true, "a.top\n a_test.TestTop a_test.go:3\n a.left a.go:4\n  a.right a.go:8 cycle\n a.right a.go:5\n  a.left a.go:10 cycle\n"},
		{"top", "callees", 1, false, "a.top\n a.left a.go:4\n a.right a.go:5\n"},
		{"top", "callers", 9, false, "a.top\n a_test.TestTop a_test.go:3\n"},
		{"left", "callers", 2, true, "a.left\n a.top a.go:4\n  a_test.TestTop a_test.go:3\n a.right a.go:10\n  a.top a.go:5 repeated\n  a.left a.go:8 cycle\n"},
		{"a.self", "callees", 3, true, "a.self\n a.self a.go:12 cycle\n"},
		{"top", "both", 0, false, "a.top\n"},
	} {
		got := chain(t, g, c.symbol, c.direction, c.depth)
		if diff := cmp.Diff(c.want, tree(got.Chain)); diff != "" || got.CycleDetected != c.cycle {
			t.Errorf("%s %s %d: cycle %v\n%s", c.symbol, c.direction, c.depth, got.CycleDetected, diff)
		}
	}
}

func TestHopConfidence(t *testing.T) {
	c := chain(t, write(t, loop).open(), "top", "callers", 1)
	h := c.Chain[0].Callers[0]
	want := rag.Call{File: "a_test.go", Line: 3, Count: 1, Rule: "package", Confidence: 0.99, Source: rag.OfLocal}
	if *h.Call != want || h.File != "a_test.go" || h.Line != 3 || !h.Test || h.Callers == nil || h.Callees == nil {
		t.Errorf("%+v %+v", h, h.Call)
	}
	m := c.Metadata
	if m.Available || m.Reason != ckb.HealthCheckFailed || m.FallbackMode != "local_graph" || m.MaxDepth != 1 || m.FusionDepth != 1 || m.Hops != 1 {
		t.Errorf("%+v", m)
	}
}

func TestCallChainOfAmbiguousName(t *testing.T) {
	g := write(t, loop).open()
	ask := func(symbol, direction string, depth int) error {
		_, err := rag.CallChain(t.Context(), g, symbol, rag.ChainOptions{Direction: direction, Depth: depth})
		return err
	}
	if several := (*explore.AmbiguousError)(nil); !errors.As(ask("self", "both", 1), &several) || len(several.Candidates) != 2 {
		t.Errorf("%v", ask("self", "both", 1))
	}
	if none := (*explore.NotFoundError)(nil); !errors.As(ask("bottom", "both", 1), &none) {
		t.Errorf("%v", ask("bottom", "both", 1))
	}
	for _, err := range []error{ask("", "both", 1), ask("top", "up", 1), ask("top", "both", -1)} {
		if param := (*rag.ParamError)(nil); !errors.As(err, &param) {
			t.Errorf("%v", err)
		}
	}
}

func TestALongChainIsCut(t *testing.T) {
	var b strings.Builder
	b.WriteString("-- go.mod --\nmodule x\n-- a.go --\npackage a\n\nfunc hub() {}\n")
	for i := range 40 {
		fmt.Fprintf(&b, "func f%d() { hub() }\n", i)
	}
	g := write(t, b.String()).open()
	c, err := rag.CallChain(t.Context(), g, "hub", rag.ChainOptions{Direction: "both", Depth: 11, Limit: 30})
	if err != nil {
		t.Fatal(err)
	}
	if m := c.Metadata; m.Hops != 30 || m.Dropped != 10 || m.Warning != "depth capped at maximum 10" || m.FusionDepth != 1 {
		t.Errorf("%+v", m)
	}
}
