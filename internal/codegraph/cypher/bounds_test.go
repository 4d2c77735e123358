package cypher_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// crowd is a graph of 3,000 nodes with five relationships each, to anyone.
func crowd() *memory.Graph {
	g := &memory.Graph{}
	r := rand.New(rand.NewPCG(1, 2))
	const nodes = 3000
	for i := range nodes {
		g.Node([]string{"Person"}, value.Map{"x": int64(i)})
	}
	for range 5 * nodes {
		g.Relate(codegraph.ID(r.IntN(nodes)+1), codegraph.ID(r.IntN(nodes)+1), "KNOWS", nil)
	}
	return g
}

// These would run for minutes at least; most of them find nothing on the way.
func TestQueriesEndInTime(t *testing.T) {
	g := crowd()
	for _, query := range []string{
		"MATCH (a), (b), (c), (d) RETURN count(*)",
		"MATCH (a), (b), (c) WHERE a.x + b.x + c.x < 0 RETURN a",
		"MATCH (a), (b), (c) RETURN a.x ORDER BY a.x LIMIT 1",
		"MATCH (a)--(b)--(c)--(d)--(e)--(f)--(g) RETURN count(*)",
		"MATCH (a) WHERE EXISTS { MATCH (a)--()--()--()--()--(z) WHERE z.x < 0 } RETURN a",
		"MATCH (a) OPTIONAL MATCH (a)--()--()--()--()--(z) WHERE z.x < 0 RETURN count(z)",
		"MATCH (a), (b) WHERE (a)-[*]->(:Nobody) RETURN count(*)",
		"MATCH (a), (b), p = shortestPath((a)-[*]->(b)) RETURN count(p)",
		"WITH range(1, 1000000) AS l UNWIND l AS a UNWIND l AS b RETURN count(*)",
		"RETURN [x IN range(1, 1000000) WHERE any(y IN range(1, 1000000) WHERE y = -x)]",
		"RETURN 1 AS x UNION MATCH (a), (b), (c) RETURN count(a.x + b.x + c.x) AS x",
	} {
		_, err := cypher.Run(t.Context(), g, query, cypher.Options{Timeout: 20 * time.Millisecond})
		var late *cypher.TimeoutError
		if !errors.As(err, &late) || late.After != 20*time.Millisecond {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestQueriesAreBoundedInMemory(t *testing.T) {
	g := crowd()
	for _, query := range []string{
		"MATCH (a), (b) RETURN a.x ORDER BY b.x",
		"MATCH (a), (b) RETURN collect(a)",
		"MATCH (a), (b) RETURN a, b, count(*)",
		"MATCH p = (a)-[*]-(b) RETURN count(p)",
	} {
		_, err := cypher.Run(t.Context(), g, query, cypher.Options{MaxMemory: 1 << 20})
		var fault *syntax.Error
		if !errors.As(err, &fault) || fault.Message.String() != "the query holds more than 1 MiB of rows" {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestOneOfVeryManyShortestPathsIsFoundAtOnce(t *testing.T) {
	g := &memory.Graph{}
	from := g.Node([]string{"Start"}, nil)
	for range 60 { // 2^60 ways
		to := g.Node(nil, nil)
		g.Relate(from, to, "T", nil)
		g.Relate(from, to, "T", nil)
		from = to
	}
	result, err := cypher.Run(t.Context(), g, "MATCH (a:Start), (b) WHERE NOT (b)-->() MATCH p = allShortestPaths((a)-[*]->(b)) RETURN length(p) LIMIT 1", cypher.Options{})
	if err != nil || len(result.Rows) != 1 || result.Rows[0][0] != value.Value(int64(60)) {
		t.Errorf("%v, %v", result, err)
	}
}
