package cypher_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// questioner generates random graphs and queries.
type questioner struct {
	*rand.Rand
	nodes []string // the variables that are bound: of nodes,
	rels  []string // of one relationship,
	lists []string // of several,
	paths []string // and of paths
	known []string // the variables of one relationship that the MATCH at hand may use again
	count int      // how many names there are that are not of nodes
}

// graph generates a small graph.
func (q *questioner) graph() *memory.Graph {
	g := &memory.Graph{}
	var ids []codegraph.ID
	for i := range 4 + q.IntN(3) {
		var labels []string
		for _, label := range []string{"Class", "Method"} {
			if q.IntN(2) == 0 {
				labels = append(labels, label)
			}
		}
		properties := value.Map{"name": fmt.Sprintf("n%d", i%5)}
		if q.IntN(4) > 0 {
			properties["start_line"] = int64(q.IntN(3))
		}
		ids = append(ids, g.Node(labels, properties))
	}
	for range 4 + q.IntN(5) {
		g.Relate(pick(q, ids...), pick(q, ids...), pick(q, "CALLS", "CALLS", "IMPORTS"), value.Map{"line": int64(q.IntN(2))})
	}
	return g
}

// code generates a small code graph.
func (q *questioner) code() invented {
	var made invented
	for i := range 5 + q.IntN(3) {
		n := codegraph.Node{ID: codegraph.ID(i + 1), Label: pick(q, codegraph.LabelClass, codegraph.LabelMethod), Name: fmt.Sprintf("n%d", i%5), StartLine: q.IntN(3)}
		n.QualifiedName, n.Path = fmt.Sprintf("p.m%d.%s", i/2, n.Name), fmt.Sprintf("m%d.go", i/2)
		made.nodes = append(made.nodes, store.Node{Node: n})
	}
	seen := map[codegraph.Edge]bool{}
	for range 6 + q.IntN(6) {
		e := codegraph.Edge{From: pick(q, made.nodes...).ID, To: pick(q, made.nodes...).ID, Type: pick(q, codegraph.Calls, codegraph.Imports)}
		if !seen[e] {
			seen[e] = true
			e.Line = q.IntN(3)
			made.edges = append(made.edges, store.Edge{Edge: e})
		}
	}
	return made
}

func pick[T any](q *questioner, of ...T) T { return of[q.IntN(len(of))] }

// maybe returns text with probability 1/n.
func (q *questioner) maybe(n int, text string) string {
	if q.IntN(n) == 0 {
		return text
	}
	return ""
}

// query generates a query.
func (q *questioner) query() string {
	var b strings.Builder
	for i := range 1 + q.IntN(3) {
		if i > 0 && q.IntN(3) == 0 {
			b.WriteString(q.with())
		}
		if i > 0 && len(q.nodes) > 1 && q.IntN(5) == 0 {
			b.WriteString(q.shortest())
			continue
		}
		b.WriteString(q.match(i))
	}
	return b.String() + q.projection()
}

// match generates a MATCH or OPTIONAL MATCH.
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

// path generates a path with at most most relationships. Its properties may use bound variables.
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
	return "(" + name + q.labels() + q.properties("start_line", 3, bound) + ")"
}

func (q *questioner) labels() string {
	return pick(q, "", "", "", "", ":Class", ":Method", ":Class:Method", ":Class|Method")
}

func (q *questioner) properties(key string, values int, bound []string) string {
	if q.IntN(6) > 0 {
		return ""
	}
	if len(bound) > 0 && q.IntN(2) == 0 {
		return fmt.Sprintf(" {%s: %s.start_line}", key, pick(q, bound...))
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
	inner := name + pick(q, "", "", ":CALLS", ":IMPORTS", ":CALLS|IMPORTS") + length + q.properties("line", 2, nil)
	if inner != "" {
		inner = "[" + inner + "]"
	}
	return pick(q, "-"+inner+"->", "<-"+inner+"-", "-"+inner+"-")
}

// condition generates a condition on bound variables.
func (q *questioner) condition() string {
	if q.IntN(5) == 0 {
		return "(" + q.condition() + pick(q, " AND ", " OR ", " XOR ") + q.condition() + ")"
	}
	if q.IntN(8) == 0 {
		return "NOT " + q.condition()
	}
	if len(q.rels) > 0 && q.IntN(4) == 0 {
		return pick(q, q.rels...) + pick(q, ".line = 1", ".line IS NULL", " IS NOT NULL", ":CALLS")
	}
	if len(q.lists) > 0 && q.IntN(4) == 0 {
		list := pick(q, q.lists...)
		return pick(q, "size("+list+") = 2", "all(r IN "+list+" WHERE r.line = 1)", list+" IS NULL")
	}
	if len(q.paths) > 0 && q.IntN(4) == 0 {
		path := pick(q, q.paths...)
		return pick(q, "length("+path+") > 1", "nodes("+path+")[0].start_line = 1", "none(n IN nodes("+path+") WHERE n:Class)", path+" IS NULL")
	}
	if len(q.nodes) == 0 {
		return pick(q, "true", "1 = 1", "null")
	}
	a, b := pick(q, q.nodes...), pick(q, q.nodes...)
	return pick(
		q,
		a+".start_line = 1", a+".start_line > "+b+".start_line", a+".start_line = "+b+".start_line", a+".start_line IS NULL", a+".start_line IN [0, 2, null]", a+":Class", a+":Class|Method",
		a+" <> "+b, a+" = "+b, a+" IS NULL", "id("+a+") = 3",
		a+".name = 'n1'", "'n2' = "+a+".name", a+".name STARTS WITH 'n'", a+".name ENDS WITH '3'", a+".name IN ['n0', 'n4']",
		a+".qualified_name ENDS WITH '.n1'", a+".qualified_name STARTS WITH 'p.m1'", a+".qualified_name = 'p.m1.n1'",
		a+".path = 'm1.go'", a+".path STARTS WITH 'm'", a+".path IN ['m1.go', "+b+".path]",
		"("+a+")-->("+b+")", "("+a+")-[:CALLS*1..2]-(:Class)", "("+a+")<--()-[:IMPORTS]->()",
		"size([("+a+")-[r]->(z) WHERE r.line = 1 | z.start_line]) = 1", "2 IN [("+a+")--("+b+")-[*0..1]->(z) | z.start_line]",
		"EXISTS { ("+a+")-->(z:Method) WHERE z.start_line = "+b+".start_line }", "EXISTS { MATCH ("+a+")--(z) MATCH (z)-->("+b+") RETURN z }",
	)
}

// with generates a WITH that keeps some of the nodes.
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

// shortest generates a MATCH of shortest paths between two nodes, which differ unless the path is directed.
func (q *questioner) shortest() string {
	a, b := q.nodes[0], q.nodes[1]
	name := q.name("p")
	q.paths = append(q.paths, name)
	end, where := "->", ""
	if q.IntN(2) == 0 {
		end, where = "-", fmt.Sprintf(" WHERE %s <> %s", a, b)
	}
	return fmt.Sprintf("MATCH %s = allShortestPaths((%s)-[%s*%s]%s(%s))%s\n",
		name, a, pick(q, "", ":CALLS"), pick(q, "", "..1", "..2", "..3", "0..", "0..2"), end, b, where)
}

// projection generates a RETURN.
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
		"RETURN DISTINCT "+a+".start_line AS line, "+b+" AS y",
		"RETURN count(*) AS n",
		"RETURN "+a+" AS v, count(*) AS n",
		"RETURN "+a+".start_line AS line, count("+b+".start_line) AS n, count(DISTINCT "+b+") AS m",
		"RETURN "+a+".start_line AS line, "+b+".name AS y ORDER BY y, line DESC SKIP 1 LIMIT 4",
		"RETURN "+a+".name AS y ORDER BY y LIMIT 3",
	)
}
