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

// TestCallsOnTypesThatHaveTheirMethodsFromOthers asks for calls of methods of Closer and of io.Closer, which a library declares: on a Session,
// which builds on both, they run what is below a Session alone, and all where one below it has the method from elsewhere.
func TestCallsOnTypesThatHaveTheirMethodsFromOthers(t *testing.T) {
	const (
		closer codegraph.ID = iota + 1
		closes
		outside
		outsideCloses
		session
		local
		localCloses
		file
		fileCloses
		onSession
		onBoth
		onOutside
		wide
		holder
		onWide
	)
	node := func(id codegraph.ID, label codegraph.Label, name string) codegraph.Node {
		return codegraph.Node{ID: id, Label: label, Name: name, QualifiedName: name}
	}
	edge := func(from, to codegraph.ID, typ codegraph.Relationship, rule string) codegraph.Edge {
		return codegraph.Edge{From: from, To: to, Type: typ, Line: 1, Count: 1, Rule: rule, Confidence: 1}
	}
	g := &source{state: store.State{Serial: 1, Identity: "receivers"}}
	for _, n := range []codegraph.Node{
		node(closer, codegraph.LabelInterface, "p.Closer"), node(closes, codegraph.LabelMethod, "p.Closer.Close"),
		node(outside, codegraph.LabelExternalType, "external.io.Closer"), node(outsideCloses, codegraph.LabelExternalMethod, "external.io.Closer.Close"),
		node(session, codegraph.LabelInterface, "p.Session"),
		node(local, codegraph.LabelClass, "p.local"), node(localCloses, codegraph.LabelMethod, "p.local.Close"),
		node(file, codegraph.LabelClass, "p.file"), node(fileCloses, codegraph.LabelMethod, "p.file.Close"),
		node(onSession, codegraph.LabelFunction, "p.onSession"), node(onBoth, codegraph.LabelFunction, "p.onBoth"), node(onOutside, codegraph.LabelFunction, "p.onOutside"),
		node(wide, codegraph.LabelInterface, "p.Wide"), node(holder, codegraph.LabelClass, "p.holder"), node(onWide, codegraph.LabelFunction, "p.onWide"),
	} {
		g.nodes = append(g.nodes, store.Node{Node: n, File: 1})
	}
	for _, e := range []codegraph.Edge{
		edge(closer, closes, codegraph.DefinesMethod, ""), edge(local, localCloses, codegraph.DefinesMethod, ""), edge(file, fileCloses, codegraph.DefinesMethod, ""),
		edge(session, closer, codegraph.Inherits, "file"), edge(session, outside, codegraph.Inherits, "file"),
		edge(local, session, codegraph.Implements, "declared"), edge(local, closer, codegraph.Implements, "declared"), edge(file, closer, codegraph.Implements, "declared"),
		edge(localCloses, closes, codegraph.Overrides, "declared"), edge(fileCloses, closes, codegraph.Overrides, "declared"),
		edge(localCloses, outsideCloses, codegraph.Overrides, "declared"), edge(fileCloses, outsideCloses, codegraph.Overrides, "declared"),
		edge(onSession, closes, codegraph.Calls, "inherited"), edge(onSession, session, codegraph.CallsOn, "declared"),
		edge(onBoth, closes, codegraph.Calls, "declared"), edge(onBoth, session, codegraph.CallsOn, "declared"), edge(onBoth, closer, codegraph.CallsOn, "declared"),
		edge(onOutside, outsideCloses, codegraph.Calls, "inherited"), edge(onOutside, session, codegraph.CallsOn, "declared"),
		edge(wide, closer, codegraph.Inherits, "file"), edge(holder, wide, codegraph.Implements, "declared"), edge(holder, closer, codegraph.Implements, "file"),
		edge(onWide, closes, codegraph.Calls, "inherited"), edge(onWide, wide, codegraph.CallsOn, "declared"),
	} {
		g.edges = append(g.edges, store.Edge{Edge: e, File: 1})
	}
	s := write(t, g)
	for _, c := range []struct {
		of   codegraph.ID
		way  codegraph.Direction
		want []codegraph.ID
	}{
		{onSession, codegraph.Out, []codegraph.ID{localCloses}},
		{onBoth, codegraph.Out, []codegraph.ID{localCloses, fileCloses}},
		{onOutside, codegraph.Out, []codegraph.ID{localCloses}},
		{onWide, codegraph.Out, []codegraph.ID{localCloses, fileCloses}},
		{localCloses, codegraph.In, []codegraph.ID{onSession, onBoth, onOutside, onWide}},
		{fileCloses, codegraph.In, []codegraph.ID{onBoth, onWide}},
	} {
		x, err := s.Expand(t.Context(), []codegraph.ID{c.of}, c.way, codegraph.Calls)
		if err != nil {
			t.Fatal(err)
		}
		var got []codegraph.ID
		for _, e := range x.Edges {
			if e.Rule != codegraph.RuleDispatch {
				continue
			}
			got = append(got, map[codegraph.Direction]codegraph.ID{codegraph.Out: e.To, codegraph.In: e.From}[c.way])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("of %d: -want +got\n%s", c.of, diff)
		}
	}
}
