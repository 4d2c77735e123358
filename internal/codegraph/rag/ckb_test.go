package rag_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
)

// tower is a project whose functions call each other through a table, which only a compiler resolves.
const tower = `
-- go.mod --
module example.com/shop
-- floors.go --
package shop

var floors = map[string]func(){}
-- elevator.go --
package shop

func elevator() { lift() }
-- lift.go --
package shop

func lift() { floors["first"]() }
-- first.go --
package shop

func first() { floors["second"]() }
-- second.go --
package shop

func second() { floors["roof"]() }
-- roof.go --
package shop

func roof() {}
`

// callees are the calls in tower, as CKB knows them. Each function is on line 3 of its own file.
var callees = map[string]string{
	"elevator": "lift", "lift": "first", "first": "second", "second": "roof", "roof": "",
}

// towerCKB is a CKB that answers a number of getCallGraph calls, and then exits.
type towerCKB struct {
	root  string
	lasts int
}

func (c *towerCKB) Close() error { return nil }

func (c *towerCKB) Call(_ context.Context, tool string, arguments map[string]any) (string, error) {
	id := func(name string) string { return "scip-go gomod example.com/shop 1 `example.com/shop`/" + name + "()." }
	switch tool {
	case "getActiveRepo":
		return fmt.Sprintf(`{"schemaVersion":"1.0","data":{"path":%q}}`, c.root), nil
	case "getStatus":
		return `{"schemaVersion":"1.0","data":{"healthy":true,"index":{"exists":true,"fresh":true}}}`, nil
	case "searchSymbols":
		name := arguments["query"].(string)
		if _, known := callees[name]; !known {
			return `{"data":{"symbols":[]}}`, nil
		}
		return fmt.Sprintf(`{"data":{"symbols":[{"stableId":%q,"name":%q,"location":{"fileId":"%[2]s.go","startLine":3}}]}}`, id(name), name), nil
	}
	if c.lasts--; c.lasts < 0 {
		return "", errors.New("the server ended")
	}
	for name, callee := range callees {
		if id(name) == arguments["symbolId"] && callee != "" {
			return fmt.Sprintf(`{"data":{"nodes":[{"id":%q,"location":{"fileId":%q,"startLine":3}}],"edges":[{"from":%q,"to":%[1]q}]}}`,
				id(callee), callee+".go", id(name)), nil
		}
	}
	return `{"data":{"nodes":[],"edges":[]}}`, nil
}

// access returns access to a CKB of the tower.
func (p *testProject) access(c *towerCKB) *ckb.Access {
	p.t.Helper()
	c.root = p.Root()
	client := ckb.New(ckb.Options{Root: p.Root(), Configured: func(context.Context) (ckb.Session, error) { return c, nil }})
	p.t.Cleanup(func() { _ = client.Close() })
	return client.Reach(p.t.Context())
}

func TestExpandWithCKB(t *testing.T) {
	own := []string{"embedding elevator.elevator", "graph lift.lift by CALLS elevator.elevator"}
	deeper := append(own[:2:2], "graph first.first by CALLS lift.lift", "graph second.second by CALLS first.first", "graph roof.roof by CALLS second.second")
	for _, c := range []struct {
		depth int
		want  []string
	}{{0, own[:1]}, {1, own}, {2, deeper[:3]}, {3, deeper[:4]}, {4, deeper}, {5, deeper}} {
		p := write(t, tower)
		g := p.open()
		a := query(t, g, "elevator", func(o *rag.Options) {
			o.TopK, o.FusionDepth = 100, c.depth
			*o = o.With(g, p.access(&towerCKB{lasts: 100}))
		})
		if diff := cmp.Diff(c.want, symbols(a)); diff != "" {
			t.Errorf("depth %d: -want +got:\n%s", c.depth, diff)
		}
		if m := a.Metadata; !m.Available || m.FusionDepth != c.depth || m.FallbackMode != "" || m.Cache.Enabled {
			t.Errorf("depth %d: %+v", c.depth, m)
		}
	}
}

// symbols are the lines of an answer except the file's own.
func symbols(a *rag.Answer) []string {
	var out []string
	for i, l := range lines(a) {
		if a.Candidates[i].Label == "Function" {
			out = append(out, l)
		}
	}
	return out
}

func TestEdgesFromCKBAreMarked(t *testing.T) {
	p := write(t, tower)
	g := p.open()
	a := query(t, g, "elevator", func(o *rag.Options) {
		o.FusionDepth = 2
		*o = o.With(g, p.access(&towerCKB{lasts: 100}))
	})
	rules := map[string]string{}
	for _, c := range a.Candidates {
		if c.Via != nil {
			rules[c.Symbol] = c.Via.Rule
		}
	}
	if rules["shop.lift.lift"] == "ckb" || rules["shop.lift.lift"] == "" || rules["shop.first.first"] != "ckb" {
		t.Errorf("%v", rules)
	}
}

func TestFailingCKBIsIgnored(t *testing.T) {
	p := write(t, tower)
	g := p.open()
	a := query(t, g, "elevator", func(o *rag.Options) {
		o.FusionDepth = 4
		*o = o.With(g, p.access(&towerCKB{lasts: 2}))
	})
	want := ckb.Metadata{Reason: ckb.MCPError, LastError: "getCallGraph: the server ended", FallbackMode: ckb.LocalGraph, FusionDepth: 1}
	if a.Metadata.Metadata != want || a.Metadata.FusionDepthAsked != 4 {
		t.Errorf("%+v", a.Metadata)
	}
	for _, c := range a.Candidates {
		if c.Distance > 1 {
			t.Errorf("%s at distance %d", c.Symbol, c.Distance)
		}
	}
}

func TestCallChainThroughCKB(t *testing.T) {
	p := write(t, tower)
	ask := func(direction string, lasts int) *rag.Chain {
		c, err := rag.CallChain(t.Context(), p.open(), "elevator.elevator", rag.ChainOptions{Direction: direction, Depth: 9, CKB: p.access(&towerCKB{lasts: lasts})})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const own = "elevator.elevator\n lift.lift elevator.go:3\n"
	for _, c := range []struct {
		direction string
		lasts     int
		want      string
		depth     int
	}{
		{"callees", 100, own + "  first.first lift.go:0\n   second.second first.go:0\n    roof.roof second.go:0\n", 4},
		{"callers", 100, "elevator.elevator\n", 0},
		{"both", 3, own, 1}, // it fails during the walk, and is then ignored
	} {
		got := ask(c.direction, c.lasts)
		if diff := cmp.Diff(c.want, tree(got.Chain)); diff != "" || got.Metadata.Available != (c.lasts == 100) || got.Metadata.FusionDepth != c.depth {
			t.Errorf("%s, %d calls: %s%+v", c.direction, c.lasts, diff, got.Metadata)
		}
		if c.lasts < 100 && (got.Metadata.Reason != ckb.MCPError || got.Metadata.FallbackMode != ckb.LocalGraph) {
			t.Errorf("%+v", got.Metadata)
		}
	}
	lift := ask("callees", 100).Chain[0].Callees[0]
	if first := lift.Callees[0]; lift.Call.Source != rag.OfBoth || first.Call.Source != rag.OfCKB || first.Call.Rule != "ckb" {
		t.Errorf("%+v %+v", lift.Call, first.Call)
	}
}
