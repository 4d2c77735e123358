package cypher_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// TestPlansDoNotChangeAnswers compares random queries on random graphs with an exhaustive evaluation. QUERIES is
// their number, SEED the seed.
func TestPlansDoNotChangeAnswers(t *testing.T) {
	queries, seed := fromEnvironment("QUERIES", 1500), fromEnvironment("SEED", 1)
	for i := range queries {
		q := &questioner{Rand: rand.New(rand.NewPCG(seed, i))}
		g := q.graph()
		sameAnswers(t, q.query(), g, g, indexed{g})
	}
}

// TestCodeGraphsAnswerAsPropertyGraphs does the same with code graphs and in-memory copies of them.
func TestCodeGraphsAnswerAsPropertyGraphs(t *testing.T) {
	queries, seed := fromEnvironment("QUERIES", 1500), fromEnvironment("SEED", 1)
	const each = 50 // queries to a graph
	for i := range queries / each {
		random := rand.New(rand.NewPCG(seed, i))
		g := (&questioner{Rand: random}).code().open(t)
		same := copied(t, g)
		for range each {
			sameAnswers(t, (&questioner{Rand: random}).query(), same, g)
		}
	}
}

// TestRegressionsOfRandomQueries runs queries that once had wrong results.
func TestRegressionsOfRandomQueries(t *testing.T) {
	for i := range uint64(50) {
		g := (&questioner{Rand: rand.New(rand.NewPCG(1, i))}).graph()
		for _, text := range []string{
			// A walk gives the rows of a batch in another order.
			"MATCH (a) OPTIONAL MATCH (b:Class)-[*0..3 {line: 1}]-(a) RETURN a, b",
			// The node at both ends of a known relationship is not known.
			"MATCH ()-[r]-() MATCH (a)-[r]->(a) RETURN r, a",
			"MATCH ()-[r]-() MATCH (a)-[r]-(a) RETURN r, a",
		} {
			sameAnswers(t, text, g, g)
		}
	}
}

// sameAnswers compares the answers of graphs with the same content.
func sameAnswers(t *testing.T, text string, reference *memory.Graph, graphs ...cypher.Graph) {
	t.Helper()
	tree, err := syntax.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	want := lines(newReference(t.Context(), reference).answer(tree.Parts[0].Clauses, []bindings{{}}), columnsOf(tree))
	for _, g := range graphs {
		result, err := cypher.Run(t.Context(), g, text, cypher.Options{MaxRows: 1_000_000})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		var rows []bindings
		for _, values := range result.Rows {
			row := bindings{}
			for c, name := range result.Columns {
				row[name] = values[c]
			}
			rows = append(rows, row)
		}
		if got := lines(rows, result.Columns); !slices.Equal(got, want) {
			t.Errorf("%s\n%s\nrows (-want +got):\n%s", text, explained(t, g, text), cmp.Diff(counted(want), counted(got)))
			return
		}
		few, err := cypher.Run(t.Context(), g, text, cypher.Options{MaxRows: 3})
		if err != nil || len(few.Rows) != min(3, len(want)) || !few.AtLeast && few.Cut != len(want)-len(few.Rows) {
			t.Errorf("%s: of %d rows there are %d and %d cut (%v)", text, len(want), len(few.Rows), few.Cut, err)
			return
		}
	}
}

// invented is a code graph that is made up.
type invented struct {
	nodes []store.Node
	edges []store.Edge
}

func (g invented) State(context.Context) (store.State, error) {
	return store.State{Identity: "invented", Serial: 1, Project: "p"}, nil
}

func (invented) Words(context.Context, []store.FileID, func(store.FileID, []byte) error) error {
	return nil
}

func (invented) Touched(context.Context, uint64) ([]store.FileID, error) { return nil, nil }

func (g invented) All(_ context.Context, _ []store.FileID, node func(store.Node) error, edge func(store.Edge) error) error {
	for _, n := range g.nodes {
		if err := node(n); err != nil {
			return err
		}
	}
	for _, e := range g.edges {
		if err := edge(e); err != nil {
			return err
		}
	}
	return nil
}

// open returns the graph as it is mapped into memory.
func (g invented) open(t *testing.T) cypher.Graph {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.snap")
	if err := snapshot.Write(t.Context(), path, g); err != nil {
		t.Fatal(err)
	}
	snap, err := snapshot.Open(path, 1, "invented")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = snap.Close() })
	return cypher.Code(snap, "")
}

// copied returns a graph in memory that has the same in it.
func copied(t *testing.T, g cypher.Graph) *memory.Graph {
	t.Helper()
	same := &memory.Graph{}
	ids := must(g.Find(t.Context(), cypher.Lookup{}))
	keys := must(g.Keys(t.Context(), ids))
	labels := must(g.Labels(t.Context(), ids))
	for i, id := range ids {
		values := must(g.Properties(t.Context(), ids[i:i+1], keys[i]...))[0]
		properties := value.Map{}
		for k, key := range keys[i] {
			properties[key] = values[k]
		}
		if same.Node(labels[i], properties) != id {
			t.Fatalf("the ids of nodes are not 1, 2, 3, ...: %v", ids)
		}
	}
	for _, r := range must(g.Expand(t.Context(), ids, codegraph.Out)).Relationships {
		properties := value.Map{}
		for _, key := range r.Properties() {
			properties[key] = r.Property(key)
		}
		same.Relate(r.Key().From, r.Key().To, r.Key().Type, properties)
	}
	return same
}

func fromEnvironment(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

func explained(t *testing.T, g cypher.Graph, text string) string {
	query, err := cypher.Prepare(t.Context(), g, text, cypher.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return query.Explain()
}

// columnsOf returns the names of the columns of a query.
func columnsOf(q *syntax.Query) (names []string) {
	clauses := q.Parts[0].Clauses
	for _, item := range clauses[len(clauses)-1].(*syntax.Projection).Items {
		names = append(names, item.Name())
	}
	return names
}

// counted returns how often each line is there.
func counted(lines []string) map[string]int {
	counts := map[string]int{}
	for _, line := range lines {
		counts[line]++
	}
	return counts
}

// lines writes rows such that they can be compared, whatever their order.
func lines(rows []bindings, columns []string) []string {
	all := []string{}
	for _, row := range rows {
		var cells []string
		for _, name := range columns {
			cells = append(cells, value.Format(row[name]))
		}
		all = append(all, strings.Join(cells, ", "))
	}
	slices.Sort(all)
	return all
}

// indexed is a graph that has an index of labels and of names.
type indexed struct{ *memory.Graph }

func (g indexed) Estimate(ctx context.Context, l cypher.Lookup) (nodes int, known bool, err error) {
	nodes, _, err = g.Graph.Estimate(ctx, l)
	return nodes, l.Property != "start_line", err
}
