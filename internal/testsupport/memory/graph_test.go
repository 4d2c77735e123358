package memory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// small is a graph of three nodes: two relationships of one type from 1 to 2, one back,
// one from 2 to itself, and one that is gone.
func small() *memory.Graph {
	g := &memory.Graph{}
	a := g.Node([]string{"B", "A", "B"}, value.Map{"name": "start", "x": int64(1), "none": nil})
	b := g.Node([]string{"B"}, value.Map{"name": "stop"})
	g.Node(nil, value.Map{"name": int64(7)})
	g.Relate(a, b, "T", value.Map{"x": 2.5, "none": nil})
	g.Relate(a, b, "T", nil)
	g.Remove(g.Relate(a, b, "T", nil))
	g.Relate(b, a, "U", nil)
	g.Relate(b, b, "U", nil)
	return g
}

func TestNodesAreFound(t *testing.T) {
	for _, test := range []struct {
		lookup cypher.Lookup
		want   []codegraph.ID
	}{
		{cypher.Lookup{}, []codegraph.ID{1, 2, 3}},
		{cypher.Lookup{Labels: []string{"A", "C"}}, []codegraph.ID{1}},
		{cypher.Lookup{Labels: []string{"B"}}, []codegraph.ID{1, 2}},
		{cypher.Lookup{Labels: []string{"C"}}, nil},
		{cypher.Lookup{Property: "name", Text: "stop"}, []codegraph.ID{2}},
		{cypher.Lookup{Property: "name", By: cypher.Prefix, Text: "st"}, []codegraph.ID{1, 2}},
		{cypher.Lookup{Labels: []string{"B"}, Property: "name", By: cypher.Suffix, Text: "t"}, []codegraph.ID{1}},
	} {
		g := small()
		got, err := g.Find(t.Context(), test.lookup)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.lookup, diff)
		}
		n, indexed, err := g.Estimate(t.Context(), test.lookup)
		if n != len(test.want) || indexed || err != nil {
			t.Errorf("%+v: estimated as %d, %t, %v", test.lookup, n, indexed, err)
		}
	}
}

func TestNodesKeepWhatTheyHave(t *testing.T) {
	g, ids := small(), []codegraph.ID{1, 2, 3, 4, 0}
	labels, _ := g.Labels(t.Context(), ids)
	if diff := cmp.Diff([][]string{{"A", "B"}, {"B"}, nil, nil, nil}, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	keys, _ := g.Keys(t.Context(), ids)
	if diff := cmp.Diff([][]string{{"name", "x"}, {"name"}, {"name"}, nil, nil}, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	properties, _ := g.Properties(t.Context(), ids, "x", "name")
	want := [][]value.Value{{int64(1), "start"}, {nil, "stop"}, {nil, int64(7)}, {nil, nil}, {nil, nil}}
	if diff := cmp.Diff(want, properties); diff != "" {
		t.Errorf("properties (-want +got):\n%s", diff)
	}
}

func TestRelationshipsAreExpanded(t *testing.T) {
	t1, t2 := value.Key{From: 1, To: 2, Type: "T", Number: 1}, value.Key{From: 1, To: 2, Type: "T", Number: 2}
	back, loop := value.Key{From: 2, To: 1, Type: "U", Number: 4}, value.Key{From: 2, To: 2, Type: "U", Number: 5}
	for _, test := range []struct {
		name      string
		direction codegraph.Direction
		types     []string
		want      [][]value.Key // of the nodes 1, 3, 2
	}{
		{"out", codegraph.Out, nil, [][]value.Key{{t1, t2}, nil, {back, loop}}},
		{"in", codegraph.In, nil, [][]value.Key{{back}, nil, {t1, t2, loop}}},
		{"both, a loop once", codegraph.Both, nil, [][]value.Key{{t1, t2, back}, nil, {back, loop, t1, t2}}},
		{"of a type", codegraph.Both, []string{"U", "V"}, [][]value.Key{{back}, nil, {back, loop}}},
		{"of no type that is there", codegraph.Both, []string{"V"}, [][]value.Key{nil, nil, nil}},
	} {
		x, err := small().Expand(t.Context(), []codegraph.ID{1, 3, 2}, test.direction, test.types...)
		if err != nil {
			t.Fatal(err)
		}
		got := make([][]value.Key, 3)
		for i := range got {
			for _, r := range x.At(i) {
				got[i] = append(got[i], r.Key())
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	x, _ := small().Expand(t.Context(), []codegraph.ID{1}, codegraph.Out)
	first := x.At(0)[0]
	if diff := cmp.Diff([]string{"x"}, first.Properties()); diff != "" || first.Property("x") != 2.5 || first.Property("none") != nil {
		t.Errorf("properties %v, x %v", first.Properties(), first.Property("x"))
	}
}

func TestRelationshipsAreCounted(t *testing.T) {
	for want, types := range map[int][]string{4: nil, 2: {"T"}, 0: {"V"}} {
		if got, err := small().Size(t.Context(), types...); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", types, got, err, want)
		}
	}
}
