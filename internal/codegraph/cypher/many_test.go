package cypher_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// several returns random graphs as one, some of them without nodes, and a graph that has all that is in them.
func several(t *testing.T, random *rand.Rand) (cypher.Graph, *memory.Graph) {
	t.Helper()
	many, err := cypher.Many(t.Context(), []cypher.Part{
		{Name: "none", Graph: &memory.Graph{}},
		{Name: "first", Graph: indexed{(&questioner{Rand: random}).graph()}},
		{Name: "empty", Graph: &memory.Graph{}},
		{Name: "second", Graph: (&questioner{Rand: random}).graph()},
		{Name: "third", Graph: indexed{(&questioner{Rand: random}).graph()}},
		{Name: "last", Graph: &memory.Graph{}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return many, copied(t, many)
}

// TestManyGraphsAnswerAsOne compares queries on several graphs with an exhaustive evaluation on one that has all of them.
func TestManyGraphsAnswerAsOne(t *testing.T) {
	queries, seed := fromEnvironment("QUERIES", 1500), fromEnvironment("SEED", 1)
	const each = 50 // queries to a graph
	for i := range queries / each {
		random := rand.New(rand.NewPCG(seed, i))
		many, one := several(t, random)
		for range each {
			sameAnswers(t, (&questioner{Rand: random}).query(), one, many)
		}
	}
}

// TestManyGraphsAreCounted and put in order across all of them, by project or not.
func TestManyGraphsAreCounted(t *testing.T) {
	for i := range uint64(20) {
		many, one := several(t, rand.New(rand.NewPCG(2, i)))
		queries := []string{
			"MATCH (n) RETURN count(*), count(DISTINCT n.name), min(n.name), max(n.start_line), sum(n.start_line), avg(n.start_line)",
			"MATCH (n) RETURN n.project AS project, count(*) AS n, collect(DISTINCT n.name) AS names ORDER BY n DESC, project LIMIT 2",
			"MATCH (n) RETURN DISTINCT n.name AS name ORDER BY name DESC SKIP 1 LIMIT 3",
			"MATCH (n {project: 'second'}) RETURN count(n)",
			"MATCH (n) WHERE n.project STARTS WITH 'th' OR n.project = 'first' RETURN id(n)",
			"MATCH (a)-[r]->(b) WHERE a.project <> b.project RETURN r",
			"MATCH (a), (b) WHERE a.project < b.project AND a.name = b.name RETURN id(a), id(b)",
			"MATCH (n) RETURN keys(n), properties(n), labels(n), id(n)",
			"MATCH p = (a)-[*1..2]->(b) RETURN p, [n IN nodes(p) | n.project]",
		}
		for _, group := range equivalent {
			queries = append(queries, group[0])
		}
		for _, query := range queries {
			want, got := answered(t, one, query), answered(t, many, query)
			if !slices.Equal(want, got) {
				t.Fatalf("graphs %d: %s (-want +got):\n%s\n%s", i, query, cmp.Diff(want, got), explained(t, many, query))
			}
		}
	}
}

// TestTooManyNodes: the ids of all graphs together are of 32 bits.
func TestTooManyNodes(t *testing.T) {
	if _, err := cypher.Many(t.Context(), []cypher.Part{{Name: "a", Graph: last(1 << 31)}, {Name: "b", Graph: last(1 << 31)}}, nil); err == nil {
		t.Error("ids that are too large are taken")
	}
	if _, err := cypher.Many(t.Context(), []cypher.Part{{Name: "a", Graph: last(1 << 31)}, {Name: "b", Graph: last(1<<31 - 1)}}, nil); err != nil {
		t.Error(err)
	}
}

// farGraph is a graph of one node with an id.
type farGraph struct {
	memory.Graph
	id codegraph.ID
}

func last(id codegraph.ID) cypher.Graph { return &farGraph{id: id} }

func (g *farGraph) Find(context.Context, cypher.Lookup) ([]codegraph.ID, error) {
	return []codegraph.ID{g.id}, nil
}
