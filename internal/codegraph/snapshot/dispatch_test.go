package snapshot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// TestCallsThroughInterfaces asks for calls that are not stored: run calls Doer.Do, which three methods implement, one of them by
// overriding another.
func TestCallsThroughInterfaces(t *testing.T) {
	const (
		doer codegraph.ID = iota + 1
		do
		fast
		slow
		slower
		run
		exact
	)
	node := func(id codegraph.ID, label codegraph.Label, name string) codegraph.Node {
		return codegraph.Node{ID: id, Label: label, Name: name, QualifiedName: "p." + name}
	}
	edge := func(from, to codegraph.ID, typ codegraph.Relationship, line int, rule string) codegraph.Edge {
		return codegraph.Edge{From: from, To: to, Type: typ, Line: line, Count: 1, Rule: rule, Confidence: 1}
	}
	g := &source{state: store.State{Serial: 1, Identity: "dispatch"}}
	for _, n := range []codegraph.Node{
		node(doer, codegraph.LabelInterface, "Doer"), node(do, codegraph.LabelMethod, "Doer.Do"), node(fast, codegraph.LabelMethod, "fast.Do"),
		node(slow, codegraph.LabelMethod, "slow.Do"), node(slower, codegraph.LabelMethod, "slower.Do"), node(run, codegraph.LabelFunction, "run"),
		node(exact, codegraph.LabelFunction, "exact"),
	} {
		g.nodes = append(g.nodes, store.Node{Node: n, File: 1})
	}
	for _, e := range []codegraph.Edge{
		edge(doer, do, codegraph.DefinesMethod, 1, "file"),
		edge(fast, do, codegraph.Overrides, 2, "declared"),
		edge(slow, do, codegraph.Overrides, 3, "declared"),
		edge(slower, slow, codegraph.Calls, 5, "inherited"), // super.Do()
		edge(slower, slow, codegraph.Overrides, 4, "inherited"),
		edge(run, do, codegraph.Calls, 6, "declared"),
		edge(run, fast, codegraph.Calls, 7, "declared"),
		edge(exact, slow, codegraph.Calls, 8, "constructed"),
	} {
		g.edges = append(g.edges, store.Edge{Edge: e, File: 1})
	}
	s := write(t, g)
	half := codegraph.Edge{Type: codegraph.Calls, From: run, Line: 6, Count: 1, Rule: "implementation", Confidence: 0.3}
	toSlow, toSlower := half, half
	toSlow.To, toSlower.To = slow, slower
	for _, c := range []struct {
		name string
		id   codegraph.ID
		way  codegraph.Direction
		want []codegraph.Edge
	}{
		{"from the caller", run, codegraph.Out, []codegraph.Edge{
			edge(run, do, codegraph.Calls, 6, "declared"), edge(run, fast, codegraph.Calls, 7, "declared"), toSlow, toSlower,
		}},
		{"to what is called by name", fast, codegraph.In, []codegraph.Edge{edge(run, fast, codegraph.Calls, 7, "declared")}},
		{"to what overrides", slower, codegraph.In, []codegraph.Edge{toSlower}},
		{"of a receiver whose type is known", exact, codegraph.Out, []codegraph.Edge{edge(exact, slow, codegraph.Calls, 8, "constructed")}},
		{"of the method that is overridden", slower, codegraph.Out, []codegraph.Edge{edge(slower, slow, codegraph.Calls, 5, "inherited")}},
	} {
		x, err := s.Expand(t.Context(), []codegraph.ID{c.id}, c.way, codegraph.Calls)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, x.Edges); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}
