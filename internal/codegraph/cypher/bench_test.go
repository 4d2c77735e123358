package cypher_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// town is a made-up code graph: of each ten nodes one is a class, eight are its
// methods, and one is a function; each has calls to others, five edges a node.
type town struct{ nodes int }

func (t town) State(context.Context) (store.State, error) {
	return store.State{Identity: "town", Serial: 1, Project: "town"}, nil
}

func (t town) All(_ context.Context, _ []store.FileID, node func(store.Node) error, edge func(store.Edge) error) error {
	for i := range t.nodes {
		if err := node(t.node(i)); err != nil {
			return err
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range t.nodes {
		for _, e := range t.edges(i, r) {
			if err := edge(store.Edge{Edge: e}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t town) Words(context.Context, []store.FileID, func(store.FileID, []byte) error) error {
	return nil
}

func (town) Touched(context.Context, uint64) ([]store.FileID, error) { return nil, nil }

func (t town) node(i int) store.Node {
	n := codegraph.Node{ID: codegraph.ID(i + 1), Label: codegraph.LabelMethod, Name: fmt.Sprintf("method%d", i), StartLine: i%1000 + 1, EndLine: i%1000 + 9}
	class := fmt.Sprintf("town.street%d.Class%d", i/1000, i/10)
	n.QualifiedName = class + "." + n.Name
	switch i % 10 {
	case 0:
		n.Label, n.QualifiedName, n.Name = codegraph.LabelClass, class, fmt.Sprintf("Class%d", i/10)
	case 9:
		n.Label, n.Name = codegraph.LabelFunction, fmt.Sprintf("function%d", i)
		n.QualifiedName = fmt.Sprintf("town.street%d.%s", i/1000, n.Name)
	}
	n.Path = fmt.Sprintf("street%d.py", i/1000)
	return store.Node{Node: n}
}

func (t town) edges(i int, r *rand.Rand) (edges []codegraph.Edge) {
	from := codegraph.ID(i + 1)
	if i%10 == 0 {
		for m := 1; m < 9 && i+m < t.nodes; m++ {
			edges = append(edges, codegraph.Edge{From: from, To: from + codegraph.ID(m), Type: codegraph.DefinesMethod})
		}
		return edges
	}
	seen := map[codegraph.ID]bool{}
	for range 4 + i%2 {
		if to := codegraph.ID(r.IntN(t.nodes) + 1); !seen[to] {
			seen[to] = true
			edges = append(edges, codegraph.Edge{From: from, To: to, Type: codegraph.Calls, Line: 7, Count: 1, Rule: "import", Confidence: 0.9})
		}
	}
	return edges
}

// townGraph returns a town of 100,000 nodes, or of as many as BENCH_NODES says, mapped
// into memory.
func townGraph(b *testing.B) cypher.Graph {
	b.Helper()
	nodes := 100_000
	if text := os.Getenv("BENCH_NODES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		nodes = n
	}
	path := filepath.Join(b.TempDir(), "town.snap")
	if err := snapshot.Write(b.Context(), path, town{nodes}); err != nil {
		b.Fatal(err)
	}
	snap, err := snapshot.Open(path, 1, "town")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = snap.Close() })
	return cypher.Code(snap, "/town")
}

// benchmarked are queries, some with what a program would do that asks the graph
// itself: the baseline.
var benchmarked = []struct {
	name, text string
	direct     func(ctx context.Context, g cypher.Graph, name string) error
}{
	{"constant", "RETURN 1 AS one", nil},
	{"name", "MATCH (m:Method {name: $name}) RETURN m.qualified_name AS qualified_name, m.path AS path, m.start_line AS line", directName},
	{"suffix", "MATCH (m) WHERE m.qualified_name ENDS WITH '.' + $name RETURN m.path AS path", nil},
	{"3hops", "MATCH (m:Method {name: $name})-[:CALLS]->()-[:CALLS]->()-[:CALLS]->(far) RETURN count(far) AS n", directHops},
	{"3hopsDistinct", "MATCH (m:Method {name: $name})-[:CALLS*1..3]->(far) RETURN count(DISTINCT far) AS n", nil},
	{"mostMethods", "MATCH (c:Class)-[:DEFINES_METHOD]->(m) RETURN c.name, count(m) ORDER BY count(m) DESC LIMIT 10", directMost},
	{"contains", "MATCH (n) WHERE toLower(n.name) CONTAINS 'class77' RETURN n.name AS name LIMIT 50", nil},
	{"uncalled", "MATCH (f:Function) WHERE NOT ()-[:CALLS]->(f) RETURN count(f) AS n", nil},
	{"shortest", "MATCH (a:Method {name: $name}), (b:Method {name: 'method501'}), p = shortestPath((a)-[:CALLS*..6]->(b)) RETURN length(p) AS steps", nil},
}

// directName looks a method up.
func directName(ctx context.Context, g cypher.Graph, name string) error {
	ids, err := g.Find(ctx, cypher.Lookup{Labels: []string{"Method"}, Property: "name", Text: name})
	if err != nil {
		return err
	}
	_, err = g.Properties(ctx, ids, "qualified_name", "path", "start_line")
	return err
}

// directHops follows three calls.
func directHops(ctx context.Context, g cypher.Graph, name string) error {
	ids, err := g.Find(ctx, cypher.Lookup{Labels: []string{"Method"}, Property: "name", Text: name})
	for range 3 {
		if err != nil {
			return err
		}
		var x cypher.Expansion
		x, err = g.Expand(ctx, ids, codegraph.Out, "CALLS")
		ids = ids[:0]
		for _, r := range x.Relationships {
			ids = append(ids, r.Key().To)
		}
	}
	return err
}

// directMost counts the methods of all classes, and sorts.
func directMost(ctx context.Context, g cypher.Graph, _ string) error {
	ids, err := g.Find(ctx, cypher.Lookup{Labels: []string{"Class"}})
	if err != nil {
		return err
	}
	names, err := g.Properties(ctx, ids, "name")
	if err != nil {
		return err
	}
	methods := map[string]int{}
	x, err := g.Expand(ctx, ids, codegraph.Out, "DEFINES_METHOD")
	for i := range ids {
		methods[names[i][0].(string)] += len(x.At(i))
	}
	sorted := slices.SortedFunc(maps.Keys(methods), func(a, b string) int { return methods[b] - methods[a] })
	_ = sorted[:min(10, len(sorted))]
	return err
}

// BenchmarkQuery answers queries, each from its text to its rows.
func BenchmarkQuery(b *testing.B) {
	g := townGraph(b)
	for _, q := range benchmarked {
		run := func(how string, f func(name string) error) {
			b.Run(q.name+"/"+how, func(b *testing.B) {
				names := rand.New(rand.NewPCG(1, 2))
				b.ReportAllocs()
				for b.Loop() {
					if err := f(fmt.Sprintf("method%d", 10*names.IntN(10_000)+1+names.IntN(8))); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("cypher", func(name string) error {
			_, err := cypher.Run(b.Context(), g, q.text, cypher.Options{Parameters: map[string]value.Value{"name": name}})
			return err
		})
		if q.direct != nil {
			run("direct", func(name string) error { return q.direct(b.Context(), g, name) })
		}
	}
}
