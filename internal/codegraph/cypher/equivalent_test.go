package cypher_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// equivalent are groups of queries with the same rows in any order, which the engine plans differently.
var equivalent = [][]string{
	{ // a pattern from either end, and in parts
		"MATCH (a:Class)-[r:CALLS]->(b:Method) RETURN a.name AS a, b.name AS b, r.line AS l",
		"MATCH (b:Method)<-[r:CALLS]-(a:Class) RETURN a.name AS a, b.name AS b, r.line AS l",
		"MATCH (a:Class), (b:Method), (a)-[r:CALLS]->(b) RETURN a.name AS a, b.name AS b, r.line AS l",
		"MATCH (b:Method) MATCH (a)-[r:CALLS]->(b) WHERE a:Class RETURN a.name AS a, b.name AS b, r.line AS l",
		"MATCH (a)-[r]->(b) WHERE type(r) = 'CALLS' AND a:Class AND b:Method RETURN a.name AS a, b.name AS b, r.line AS l",
		"MATCH ()-[r:CALLS]->() WITH startNode(r) AS a, endNode(r) AS b, r WHERE a:Class AND b:Method RETURN a.name AS a, b.name AS b, r.line AS l",
	},
	{ // a chain, rotated
		"MATCH (a)-[:CALLS]->(b)-[:IMPORTS]->(c) RETURN a.name AS a, b.name AS b, c.name AS c",
		"MATCH (c)<-[:IMPORTS]-(b)<-[:CALLS]-(a) RETURN a.name AS a, b.name AS b, c.name AS c",
		"MATCH (b)-[:IMPORTS]->(c), (a)-[:CALLS]->(b) RETURN a.name AS a, b.name AS b, c.name AS c",
		"MATCH (a)-[:CALLS]->(b) MATCH (b)-[:IMPORTS]->(c) RETURN a.name AS a, b.name AS b, c.name AS c",
	},
	{ // a ring, from each of its nodes
		"MATCH (a)-[:CALLS]->(b)-[:CALLS]->(c)-->(a) RETURN a.name AS a, b.name AS b, c.name AS c",
		"MATCH (b)-[:CALLS]->(c)-->(a)-[:CALLS]->(b) RETURN a.name AS a, b.name AS b, c.name AS c",
		"MATCH (c)-->(a)-[:CALLS]->(b)-[:CALLS]->(c) RETURN a.name AS a, b.name AS b, c.name AS c",
		"MATCH (a)-[:CALLS]->(b), (c)<-[:CALLS]-(b), (c)-->(a) RETURN a.name AS a, b.name AS b, c.name AS c",
	},
	{ // a star
		"MATCH (a)-->(m), (b)-->(m), (m)-->(c) RETURN a.name AS a, b.name AS b, c.name AS c, m.name AS m",
		"MATCH (a)-->(m)<--(b), (m)-->(c) RETURN a.name AS a, b.name AS b, c.name AS c, m.name AS m",
		"MATCH (c)<--(m), (m)<--(b), (m)<--(a) RETURN a.name AS a, b.name AS b, c.name AS c, m.name AS m",
	},
	{ // variable length, and its lengths one by one
		"MATCH (a)-[r:CALLS*1..3]->(b) RETURN a.name AS a, b.name AS b, size(r) AS n",
		"MATCH (b)<-[r:CALLS*1..3]-(a) RETURN a.name AS a, b.name AS b, size(r) AS n",
		"MATCH p = (a)-[:CALLS*1..3]->(b) RETURN a.name AS a, b.name AS b, length(p) AS n",
		"MATCH (a)-[:CALLS]->(b) RETURN a.name AS a, b.name AS b, 1 AS n UNION ALL MATCH (a)-[:CALLS*2]->(b) RETURN a.name AS a, b.name AS b, 2 AS n UNION ALL MATCH (a)-[:CALLS*3..3]->(b) RETURN a.name AS a, b.name AS b, 3 AS n",
		"MATCH (a)-[:CALLS]->(b) RETURN a.name AS a, b.name AS b, 1 AS n UNION ALL MATCH (a)-[:CALLS]->()-[:CALLS]->(b) RETURN a.name AS a, b.name AS b, 2 AS n UNION ALL MATCH (a)-[:CALLS]->()-[:CALLS]->()-[:CALLS]->(b) RETURN a.name AS a, b.name AS b, 3 AS n",
	},
	{ // either way
		"MATCH (a)-[r*2]-(b) RETURN id(a) AS a, id(b) AS b",
		"MATCH (a)--()--(b) RETURN id(a) AS a, id(b) AS b",
		"MATCH (b)-[r*2]-(a) RETURN id(a) AS a, id(b) AS b",
	},
	{ // no step, and some
		"MATCH (a:Class)-[:CALLS*0..2]->(b) RETURN id(a) AS a, id(b) AS b",
		"MATCH (a:Class) RETURN id(a) AS a, id(a) AS b UNION ALL MATCH (a:Class)-[:CALLS*1..2]->(b) RETURN id(a) AS a, id(b) AS b",
	},
	{ // ends, each once
		"MATCH (a:Class)-[:CALLS*]->(b) RETURN DISTINCT id(a) AS a, id(b) AS b",
		"MATCH (a:Class)-[r:CALLS*]->(b) WITH DISTINCT a, b, size(r) AS n RETURN DISTINCT id(a) AS a, id(b) AS b",
		"MATCH p = (b)<-[:CALLS*]-(a:Class) WITH a, b, collect(p) AS paths RETURN id(a) AS a, id(b) AS b",
		"MATCH (a:Class)-[:CALLS*]->(b) WITH a, collect(DISTINCT b) AS found UNWIND found AS b RETURN id(a) AS a, id(b) AS b",
		"MATCH (a:Class), (b) WHERE EXISTS { MATCH (a)-[:CALLS*]->(b) } RETURN id(a) AS a, id(b) AS b",
		"MATCH (a:Class), (b) WHERE (b)<-[:CALLS*]-(a) RETURN id(a) AS a, id(b) AS b",
		"MATCH (a:Class)-[:CALLS]->(m) MATCH (m)-[:CALLS*0..]->(b) RETURN DISTINCT id(a) AS a, id(b) AS b",
	},
	{ // ends, counted
		"MATCH (a)-[*1..4]->(b:Method) RETURN id(a) AS a, count(DISTINCT b) AS n",
		"MATCH (a)-[r*1..4]->(b:Method) WITH DISTINCT a, b RETURN id(a) AS a, count(b) AS n",
		"MATCH (b:Method)<-[*1..4]-(a) WITH id(a) AS a, collect(DISTINCT b) AS found RETURN a, size(found) AS n",
	},
	{ // optional, and what there is with what there is not
		"MATCH (a) OPTIONAL MATCH (a)-[:CALLS]->(b:Class) RETURN id(a) AS a, id(b) AS b",
		"MATCH (a)-[:CALLS]->(b:Class) RETURN id(a) AS a, id(b) AS b UNION ALL MATCH (a) WHERE NOT EXISTS { (a)-[:CALLS]->(:Class) } RETURN id(a) AS a, null AS b",
		"MATCH (a) OPTIONAL MATCH (b:Class)<-[:CALLS]-(a) RETURN id(a) AS a, id(b) AS b",
		"MATCH (a) WITH a, [(a)-[:CALLS]->(b:Class) | id(b)] AS found UNWIND CASE size(found) WHEN 0 THEN [null] ELSE found END AS b RETURN id(a) AS a, b",
	},
	{ // found or not
		"MATCH (a) WHERE (a)-[:CALLS]->(:Method) RETURN id(a) AS a",
		"MATCH (a)-[:CALLS]->(b:Method) RETURN DISTINCT id(a) AS a",
		"MATCH (a) WHERE EXISTS { MATCH (b:Method)<-[:CALLS]-(a) } RETURN id(a) AS a",
		"MATCH (a) OPTIONAL MATCH (a)-[:CALLS]->(b:Method) WITH a, count(b) AS n WHERE n > 0 RETURN id(a) AS a",
		"MATCH (a) WHERE size([(a)-[:CALLS]->(b:Method) | b]) > 0 RETURN id(a) AS a",
	},
	{ // by an index, or by a look at each
		"MATCH (a) WHERE a.name IN ['n1', 'n3'] RETURN id(a) AS a",
		"MATCH (a) WHERE a.name = 'n1' OR a.name = 'n3' RETURN id(a) AS a",
		"UNWIND ['n3', 'n1', 'n3'] AS x WITH DISTINCT x MATCH (a {name: x}) RETURN id(a) AS a",
		"MATCH (a) WHERE any(x IN ['n1', 'n3'] WHERE x = a.name) RETURN id(a) AS a",
		"MATCH (a) WITH a, a.name AS name WHERE name =~ 'n[13]' RETURN id(a) AS a",
		"MATCH (a) WHERE a.name STARTS WITH 'n1' OR a.name ENDS WITH '3' RETURN id(a) AS a",
	},
	{ // a property of one node that is that of another
		"MATCH (a), (b) WHERE a.name = b.name RETURN id(a) AS a, id(b) AS b",
		"MATCH (a) MATCH (b {name: a.name}) RETURN id(a) AS a, id(b) AS b",
		"MATCH (a) WITH a.name AS name, collect(a) AS all UNWIND all AS a UNWIND all AS b RETURN id(a) AS a, id(b) AS b",
	},
	{ // shortest
		"MATCH p = shortestPath((a:Class)-[:CALLS*]->(b:Method)) WHERE a <> b RETURN id(a) AS a, id(b) AS b, length(p) AS n",
		"MATCH p = (a:Class)-[:CALLS*]->(b:Method) WHERE a <> b WITH a, b, min(length(p)) AS n RETURN id(a) AS a, id(b) AS b, n",
	},
	{ // all of the shortest
		"MATCH p = allShortestPaths((a:Class)-[*]-(b:Method)) WHERE a <> b RETURN [r IN relationships(p) | id(startNode(r)) + '>' + id(endNode(r)) + type(r) + r.line] AS way",
		"MATCH p = (a:Class)-[*]-(b:Method) WHERE a <> b WITH a, b, collect(p) AS paths, min(length(p)) AS n UNWIND [p IN paths WHERE length(p) = n] AS p RETURN [r IN relationships(p) | id(startNode(r)) + '>' + id(endNode(r)) + type(r) + r.line] AS way",
	},
}

// TestEquivalentQueries asks random graphs in every way that there is to say a thing.
func TestEquivalentQueries(t *testing.T) {
	graphs, seed := fromEnvironment("GRAPHS", 40), fromEnvironment("SEED", 1)
	for i := range graphs {
		q := &questioner{Rand: rand.New(rand.NewPCG(seed, i))}
		g := q.graph()
		for _, group := range equivalent {
			want := answered(t, g, group[0])
			for _, query := range group {
				for _, g := range []cypher.Graph{g, indexed{g}} {
					if got := answered(t, g, query); !slices.Equal(want, got) {
						t.Fatalf("graph %d: %s\nand %s\ndiffer (-first +second):\n%s\n%s", i, group[0], query, cmp.Diff(want, got), explained(t, g, query))
					}
				}
			}
		}
	}
}

// answered runs a query for its rows, sorted.
func answered(t *testing.T, g cypher.Graph, query string) []string {
	result, err := cypher.Run(t.Context(), g, query, cypher.Options{MaxRows: 1_000_000})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	rows := make([]string, len(result.Rows))
	for i, row := range result.Rows {
		rows[i] = value.Format(value.List(row))
	}
	slices.Sort(rows)
	return rows
}
