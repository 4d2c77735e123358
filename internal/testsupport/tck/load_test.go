package tck_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

func TestStatementsSetUpGraphs(t *testing.T) {
	for _, test := range []struct {
		name       string
		statements []string
		want       string
	}{
		{
			"nodes and relationships, both ways",
			[]string{"CREATE (a:A {x: 1 + 1, gone: null}), (a)-[:T {y: 'z'}]->(:B:C)<-[:U]-(b)\nCREATE (a)-[:T]->(a);"},
			`1 (:A {x: 2})
2 (:B:C)
3 ()
1-[:T {y: 'z'}]->2
1-[:T]->1
3-[:U]->2
`,
		},
		{
			"for each row",
			[]string{"UNWIND [1, 2] AS i CREATE (n {i: i})", "MATCH (n) WHERE n.i = 2 CREATE (n)-[:T]->({i: n.i + 1})"},
			`1 ({i: 1})
2 ({i: 2})
3 ({i: 3})
2-[:T]->3
`,
		},
		{
			"in turns",
			[]string{"CREATE (a), (b) WITH a, b UNWIND [1, 2] AS i CREATE (a)-[:T {i: i}]->(b)"},
			`1 ()
2 ()
1-[:T {i: 1}]->2
1-[:T {i: 2}]->2
`,
		},
		{
			"a relationship turned round",
			[]string{"CREATE ()-[:T]->()", "MATCH (a)-[r]->(b) DELETE r CREATE (b)-[:U]->(a)"},
			`1 ()
2 ()
2-[:U]->1
`,
		},
	} {
		g := &memory.Graph{}
		for _, statement := range test.statements {
			if err := tck.Load(t.Context(), g, statement); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(test.want, dump(t, g)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	for statement, want := range map[string]string{
		"MERGE (n)":           "MERGE (n): MERGE cannot set up a graph",
		"CREATE (n) DELETE n": "DELETE n: n is no relationship",
	} {
		if err := tck.Load(t.Context(), &memory.Graph{}, statement); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", statement, err, want)
		}
	}
}

// dump writes a graph: its nodes, then its relationships, each by where it begins.
func dump(t *testing.T, g *memory.Graph) string {
	t.Helper()
	write := func(v value.Value) string {
		detached, err := tck.Detach(t.Context(), g, v)
		if err != nil {
			t.Fatal(err)
		}
		return tck.Format(detached, false)
	}
	ids, err := g.Find(t.Context(), cypher.Lookup{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := g.Expand(t.Context(), ids, codegraph.Out)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintln(&b, id, write(value.Node(id)))
	}
	for _, r := range x.Relationships {
		fmt.Fprintf(&b, "%d-%s->%d\n", r.Key().From, write(r), r.Key().To)
	}
	return b.String()
}

func TestPathsAreDetached(t *testing.T) {
	g := &memory.Graph{}
	a, b := g.Node([]string{"A"}, nil), g.Node(nil, value.Map{"x": int64(1)})
	r := g.Relate(a, b, "T", nil)
	path := &value.Path{
		Nodes:         []value.Node{value.Node(b), value.Node(a), value.Node(b)},
		Relationships: []value.Relationship{r, r},
	}
	got, err := tck.Detach(t.Context(), g, value.Map{"p": value.List{path}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "{p: [<({x: 1})<-[:T]-(:A)-[:T]->({x: 1})>]}"; tck.Format(got, false) != want {
		t.Errorf("%s, want %s", tck.Format(got, false), want)
	}
}
