package cypher_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

// TestNeo4jConstructs runs the scenarios of testdata/neo4j: subqueries, map projections, conditions in patterns,
// procedures and SHOW give what Neo4j's manual says of them.
func TestNeo4jConstructs(t *testing.T) {
	for _, s := range neo4jScenarios(t) {
		c, err := s.Case()
		if err != nil {
			t.Fatal(err)
		}
		g := &memory.Graph{}
		if err := setUp(t.Context(), g, c); err != nil {
			t.Fatal(err)
		}
		if fault := runCase(t.Context(), g, c); fault != "" {
			t.Errorf("%s: %s\n%s", s.ID(), fault, c.Query)
		}
	}
}

func neo4jScenarios(t *testing.T) []tck.Scenario {
	t.Helper()
	scenarios, err := tck.Read(filepath.Join("testdata", "neo4j"))
	if err != nil {
		t.Fatal(err)
	}
	if len(scenarios) < 60 {
		t.Fatalf("%d scenarios", len(scenarios))
	}
	return scenarios
}

// TestProfileCountsTheRowsOfEachStep runs PROFILE, and EXPLAIN, which must not run anything.
func TestProfileCountsTheRowsOfEachStep(t *testing.T) {
	g := &memory.Graph{}
	for range 3 {
		f := g.Node([]string{"Function"}, value.Map{"lines": int64(9)})
		g.Relate(f, g.Node([]string{"Method"}, nil), "CALLS", nil)
	}
	g.Node([]string{"Function"}, value.Map{"lines": int64(1)})
	query := "MATCH (f:Function) WHERE f.lines > 2 CALL (f) { MATCH (f)-[:CALLS]->(m) RETURN count(m) AS n } RETURN f.lines AS lines, n LIMIT 2"
	got := planOf(t, g, "PROFILE "+query)
	for _, want := range []string{"Scan|(f:Function)|4|4", "Filter|f.lines > 2|-|3", "  Group|count(m)|-|3", "Limit|2|-|2"} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	explained := planOf(t, g, "EXPLAIN "+query)
	if want := strings.Count(got, "\n"); strings.Count(explained, "\n") != want || !strings.HasPrefix(explained, "Scan|(f:Function)|4\n") {
		t.Errorf("EXPLAIN gives\n%s", explained)
	}
}

// planOf returns the rows of a result, with the columns separated by bars.
func planOf(t *testing.T, g cypher.Graph, query string) string {
	t.Helper()
	r, err := cypher.Run(t.Context(), g, query, cypher.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range r.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case nil:
				cells[i] = "-"
			case string:
				cells[i] = v
			default:
				cells[i] = value.Format(v)
			}
		}
		b.WriteString(strings.Join(cells, "|") + "\n")
	}
	return b.String()
}

// TestProceduresHaveTheColumnsThatTheyDeclare runs each procedure.
func TestProceduresHaveTheColumnsThatTheyDeclare(t *testing.T) {
	g := &memory.Graph{}
	g.Relate(g.Node([]string{"A"}, value.Map{"x": int64(1)}), g.Node([]string{"B"}, nil), "R", nil)
	for _, p := range check.Procedures {
		r, err := cypher.Run(t.Context(), g, "CALL "+p.Name+"()", cypher.Options{})
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if len(r.Rows) == 0 || len(r.Rows[0]) != len(p.Columns) || p.Says.Empty() {
			t.Errorf("%s: %v", p.Name, r.Rows)
		}
	}
}

// TestSubqueriesInTransactionsAreRefusedInWords and so are procedures and forms of SHOW that there are not.
func TestSubqueriesInTransactionsAreRefusedInWords(t *testing.T) {
	for query, want := range map[string]string{
		"MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS OF 10 ROWS RETURN x": "IN TRANSACTIONS is not allowed",
		"CALL apoc.meta.schema()":                   "no procedure apoc.meta.schema",
		"CALL db.label()":                           "did you mean db.labels?",
		"SHOW DATABASES":                            "reverse-spec projects lists them",
		"SHOW DEFAULT DATABASE":                     "reverse-spec projects lists them",
		"SHOW USERS":                                "SHOW FUNCTIONS, SHOW PROCEDURES",
		"MATCH (a)-[r*1..2 WHERE r.x]->() RETURN a": "all(x IN r WHERE",
	} {
		_, err := cypher.Run(t.Context(), &memory.Graph{}, query, cypher.Options{})
		fault, ok := errors.AsType[*syntax.Error](err)
		if !ok || fault.Class != syntax.Unsupported || !strings.Contains(fault.Message.String()+" "+fault.Advice.String(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
}
