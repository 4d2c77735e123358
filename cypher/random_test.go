package cypher_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/cypher"
	"github.com/reverse-spec/reverse-spec/cypher/internal/memory"
	"github.com/reverse-spec/reverse-spec/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/cypher/value"
	"github.com/reverse-spec/reverse-spec/graph"
)

// TestPlansDoNotChangeAnswers asks random graphs random questions and compares with what
// trying everything answers. QUERIES says how many there are, SEED which.
func TestPlansDoNotChangeAnswers(t *testing.T) {
	queries, seed := fromEnvironment("QUERIES", 1500), fromEnvironment("SEED", 1)
	for i := range queries {
		q := &questioner{Rand: rand.New(rand.NewPCG(seed, i))}
		g := q.graph()
		text := q.query()
		tree, err := syntax.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := lines(newReference(t.Context(), g).answer(tree.Parts[0].Clauses, []bindings{{}}), columnsOf(tree))
		for _, g := range []cypher.Graph{g, indexed{g}} {
			result, err := cypher.Run(t.Context(), g, text, cypher.Options{MaxRows: 1_000_000})
			if err != nil {
				t.Errorf("query %d: %s: %v", i, text, err)
				break
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
				t.Errorf("query %d: %s\n%s\nrows (-want +got):\n%s", i, text, explained(t, g, text), cmp.Diff(counted(want), counted(got)))
				break
			}
		}
	}
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
	return nodes, l.Property != "x", err
}

// questioner makes graphs and queries up.
type questioner struct {
	*rand.Rand
	nodes []string // the variables that are bound: of nodes,
	rels  []string // of one relationship,
	lists []string // of several,
	paths []string // and of paths
	known []string // the variables of one relationship that the MATCH at hand may use again
	count int      // how many names there are that are not of nodes
}

// graph makes a small graph.
func (q *questioner) graph() *memory.Graph {
	g := &memory.Graph{}
	var ids []graph.ID
	for i := range 4 + q.IntN(3) {
		var labels []string
		for _, label := range []string{"A", "B"} {
			if q.IntN(2) == 0 {
				labels = append(labels, label)
			}
		}
		properties := value.Map{"name": fmt.Sprintf("n%d", i%5)}
		if q.IntN(4) > 0 {
			properties["x"] = int64(q.IntN(3))
		}
		ids = append(ids, g.Node(labels, properties))
	}
	for range 4 + q.IntN(5) {
		g.Relate(pick(q, ids...), pick(q, ids...), pick(q, "T", "T", "U"), value.Map{"w": int64(q.IntN(2))})
	}
	return g
}

func pick[T any](q *questioner, of ...T) T { return of[q.IntN(len(of))] }

// maybe returns the text one time in n.
func (q *questioner) maybe(n int, text string) string {
	if q.IntN(n) == 0 {
		return text
	}
	return ""
}

// query makes a query.
func (q *questioner) query() string {
	var b strings.Builder
	for i := range 1 + q.IntN(3) {
		if i > 0 && q.IntN(3) == 0 {
			b.WriteString(q.with())
		}
		if i > 0 && len(q.nodes) > 1 && q.IntN(6) == 0 {
			b.WriteString(q.shortest())
			continue
		}
		b.WriteString(q.match(i))
	}
	return b.String() + q.projection()
}

// match makes a MATCH or OPTIONAL MATCH.
func (q *questioner) match(i int) string {
	text := "MATCH "
	if i > 0 {
		text = q.maybe(3, "OPTIONAL ") + text
	}
	bound := slices.Clone(q.nodes)
	q.known = slices.Clone(q.rels)
	text += q.path(bound, 3-i)
	if q.IntN(4) == 0 {
		text += ", " + q.path(bound, 1)
	}
	if q.IntN(2) == 0 {
		text += " WHERE " + q.condition()
	}
	return text + "\n"
}

// path makes a path of up to so many relationships. The properties in it may use what
// was bound before.
func (q *questioner) path(bound []string, most int) string {
	text := q.node(bound)
	for range q.IntN(most + 1) {
		text += q.rel() + q.node(bound)
	}
	if q.IntN(6) > 0 {
		return text
	}
	name := q.name("p")
	q.paths = append(q.paths, name)
	return name + " = " + text
}

func (q *questioner) name(prefix string) string {
	q.count++
	return prefix + strconv.Itoa(q.count)
}

func (q *questioner) node(bound []string) string {
	name := q.maybe(1, pick(q, "a", "b", "c", "d", ""))
	if name != "" && !slices.Contains(q.nodes, name) {
		q.nodes = append(q.nodes, name)
	}
	return "(" + name + q.labels() + q.properties("x", 3, bound) + ")"
}

func (q *questioner) labels() string { return pick(q, "", "", "", "", ":A", ":B", ":A:B", ":A|B") }

func (q *questioner) properties(key string, values int, bound []string) string {
	if q.IntN(6) > 0 {
		return ""
	}
	if len(bound) > 0 && q.IntN(2) == 0 {
		return fmt.Sprintf(" {%s: %s.x}", key, pick(q, bound...))
	}
	return fmt.Sprintf(" {%s: %d}", key, q.IntN(values))
}

func (q *questioner) rel() string {
	if len(q.known) > 0 && q.IntN(8) == 0 {
		at := q.IntN(len(q.known))
		name := q.known[at]
		q.known = slices.Delete(q.known, at, at+1) // twice in one MATCH finds nothing
		return pick(q, "-["+name+"]->", "<-["+name+"]-", "-["+name+"]-")
	}
	length := pick(q, "", "", "", "", "", "*", "*1..2", "*2", "*0..1", "*0..2", "*..3")
	name := ""
	if q.IntN(3) == 0 {
		name = q.name("r")
		if length == "" {
			q.rels = append(q.rels, name)
		} else {
			q.lists = append(q.lists, name)
		}
	}
	inner := name + pick(q, "", "", ":T", ":U", ":T|U") + length + q.properties("w", 2, nil)
	if inner != "" {
		inner = "[" + inner + "]"
	}
	return pick(q, "-"+inner+"->", "<-"+inner+"-", "-"+inner+"-")
}

// condition makes a condition on what is bound.
func (q *questioner) condition() string {
	if q.IntN(5) == 0 {
		return "(" + q.condition() + pick(q, " AND ", " OR ", " XOR ") + q.condition() + ")"
	}
	if q.IntN(8) == 0 {
		return "NOT " + q.condition()
	}
	if len(q.rels) > 0 && q.IntN(4) == 0 {
		return pick(q, q.rels...) + pick(q, ".w = 1", ".w IS NULL", " IS NOT NULL", ":T")
	}
	if len(q.lists) > 0 && q.IntN(4) == 0 {
		list := pick(q, q.lists...)
		return pick(q, "size("+list+") = 2", "all(r IN "+list+" WHERE r.w = 1)", list+" IS NULL")
	}
	if len(q.paths) > 0 && q.IntN(4) == 0 {
		path := pick(q, q.paths...)
		return pick(q, "length("+path+") > 1", "nodes("+path+")[0].x = 1", "none(n IN nodes("+path+") WHERE n:A)", path+" IS NULL")
	}
	if len(q.nodes) == 0 {
		return pick(q, "true", "1 = 1", "null")
	}
	a, b := pick(q, q.nodes...), pick(q, q.nodes...)
	return pick(
		q,
		a+".x = 1", a+".x > "+b+".x", a+".x = "+b+".x", a+".x IS NULL", a+".x IN [0, 2, null]", a+":A", a+":A|B",
		a+" <> "+b, a+" = "+b, a+" IS NULL", "id("+a+") = 3",
		a+".name = 'n1'", "'n2' = "+a+".name", a+".name STARTS WITH 'n'", a+".name ENDS WITH '3'", a+".name IN ['n0', 'n4']",
		"("+a+")-->("+b+")", "("+a+")-[:T*1..2]-(:A)", "("+a+")<--()-[:U]->()",
		"size([("+a+")-[r]->(z) WHERE r.w = 1 | z.x]) = 1", "2 IN [("+a+")--("+b+")-[*0..1]->(z) | z.x]",
		"EXISTS { ("+a+")-->(z:B) WHERE z.x = "+b+".x }", "EXISTS { MATCH ("+a+")--(z) MATCH (z)-->("+b+") RETURN z }",
	)
}

// with makes a WITH that keeps some of the nodes.
func (q *questioner) with() string {
	if len(q.nodes) == 0 {
		return ""
	}
	q.Shuffle(len(q.nodes), func(i, j int) { q.nodes[i], q.nodes[j] = q.nodes[j], q.nodes[i] })
	q.nodes = q.nodes[:1+q.IntN(len(q.nodes))]
	q.rels, q.lists, q.paths = nil, nil, nil
	text := "WITH " + q.maybe(3, "DISTINCT ") + strings.Join(q.nodes, ", ")
	if q.IntN(4) == 0 {
		return text + ", count(*) AS " + q.name("n") + "\n"
	}
	if q.IntN(3) == 0 {
		text += " WHERE " + q.condition()
	}
	return text + "\n"
}

// shortest makes a MATCH of shortest paths between two different nodes.
func (q *questioner) shortest() string {
	a, b := q.nodes[0], q.nodes[1]
	name := q.name("p")
	q.paths = append(q.paths, name)
	return fmt.Sprintf("MATCH %s = allShortestPaths((%s)-[%s*..%d]%s(%s)) WHERE %s <> %s\n", name, a, pick(q, "", ":T"), 1+q.IntN(4), pick(q, "->", "-"), b, a, b)
}

// projection makes a RETURN.
func (q *questioner) projection() string {
	if len(q.nodes) == 0 {
		return "RETURN count(*) AS n"
	}
	all := strings.Join(slices.Concat(q.nodes, q.rels, q.lists, q.paths), ", ")
	a, b := pick(q, q.nodes...), pick(q, q.nodes...)
	return pick(
		q,
		"RETURN "+all,
		"RETURN DISTINCT "+a,
		"RETURN DISTINCT "+a+".x AS x, "+b+" AS y",
		"RETURN count(*) AS n",
		"RETURN "+a+" AS v, count(*) AS n",
		"RETURN "+a+".x AS x, count("+b+".x) AS n, count(DISTINCT "+b+") AS m",
		"RETURN "+a+".x AS x, "+b+".name AS y ORDER BY y, x DESC SKIP 1 LIMIT 4",
		"RETURN "+a+".name AS y ORDER BY y LIMIT 3",
	)
}
