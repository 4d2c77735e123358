package cypher_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// row is a row that is wanted.
type row []value.Value

// pythonCase is a query and the rows that it has according to Python's parser. LIMIT
// may cut some of them off.
type pythonCase struct {
	query      string
	parameters map[string]value.Value
	more       bool                         // LIMIT leaves out more than is worth counting
	want       func(p *pythonProject) []row // nil for no rows
}

// TestDocumentedQueriesOnPython runs the queries that code-graph-rag documents on a real
// project: as they are written, and with names that there are.
func TestDocumentedQueriesOnPython(t *testing.T) {
	p := openPython(t)
	for _, c := range slices.Concat(documentedQueries, internalQueries, wholeProject) {
		t.Run("", func(t *testing.T) { c.run(t, p) })
	}
}

// places are what a qualified name ends in where several things have one name, which
// Python's parser does not tell.
var places = regexp.MustCompile(`(@\d+)+`)

// run runs a query and compares the rows, in any order.
func (c *pythonCase) run(t *testing.T, p *pythonProject) {
	result, err := cypher.Run(t.Context(), p.graph, c.query, cypher.Options{Parameters: c.parameters, MaxRows: 100_000, CountCut: !c.more})
	if err != nil {
		t.Fatalf("%s\n%v", c.query, err)
	}
	want := map[string]int{}
	total := 0
	if c.want != nil {
		for _, r := range c.want(p) {
			want[shown(r)]++
			total++
		}
	}
	if len(result.Rows)+result.Cut != total || result.AtLeast {
		t.Errorf("%s\nhas %d rows and %d cut off; Python has %d", c.query, len(result.Rows), result.Cut, total)
	}
	for _, r := range result.Rows {
		want[shown(r)]--
	}
	wrong := map[string]int{} // more than there should be are negative
	for text, n := range want {
		if n < 0 || n > 0 && result.Cut == 0 {
			wrong[text] = n
		}
	}
	if diff := cmp.Diff(map[string]int{}, wrong); diff != "" && len(wrong) < 50 {
		t.Errorf("%s\nrows that are missing, and rows too many (negative):\n%s", c.query, diff)
	} else if diff != "" {
		t.Errorf("%s\n%d rows differ", c.query, len(wrong))
	}
}

func shown(r []value.Value) string { return places.ReplaceAllString(value.Format(value.List(r)), "") }

// documentedQueries are the examples that code-graph-rag gives to its model, as written, and adapted to the names
// of this project. Variables and type aliases, which Python's parser does not report, are excluded.
var documentedQueries = []pythonCase{
	{query: "MATCH (c:Class) RETURN count(c) AS total", want: func(p *pythonProject) []row {
		return []row{{int64(len(p.declarations("Class")))}}
	}},
	{query: "MATCH (n:Function|Method) WHERE ANY(d IN n.decorators WHERE toLower(d) IN ['flow','task']) RETURN n.name AS name, n.qualified_name AS qualified_name, labels(n) AS type LIMIT 50"},
	{
		query: "MATCH (n:Function|Method) WHERE ANY(d IN n.decorators WHERE toLower(d) IN ['property','staticmethod']) RETURN n.name AS name, n.qualified_name AS qualified_name, labels(n) AS type LIMIT 50",
		want:  rowsOf(decoratedWith("property", "staticmethod"), "name", "full", "labels"),
	},
	{query: "MATCH (n) WHERE n.path IS NOT NULL AND n.path STARTS WITH 'workflows' RETURN n.name AS name, n.path AS path, labels(n) AS type LIMIT 50"},
	{
		query: "MATCH (n) WHERE n.path IS NOT NULL AND n.path STARTS WITH 'json' AND NOT n:Variable AND NOT n:Type RETURN n.name AS name, n.path AS path, labels(n) AS type LIMIT 500",
		want: func(p *pythonProject) []row {
			rows := rowsOf(func(d *declared) bool { return strings.HasPrefix(d.Path, "json") }, "name", "path", "labels")(p)
			rows = append(rows, row{"json", "json", list("Package")})
			for _, f := range p.files {
				if strings.HasPrefix(f.Path, "json") {
					rows = append(rows, row{path.Base(f.Path), f.Path, list("File")}, row{strings.TrimSuffix(path.Base(f.Path), ".py"), f.Path, list("Module")})
				}
			}
			return rows
		},
	},
	{
		query: "MATCH (n) WHERE toLower(n.name) CONTAINS 'database' OR (n.qualified_name IS NOT NULL AND toLower(n.qualified_name) CONTAINS 'database') RETURN n.name AS name, n.qualified_name AS qualified_name, labels(n) AS type LIMIT 50",
		want:  rowsOf(called("database"), "name", "full", "labels"),
	},
	{
		query: "MATCH (n:Class|Method|Function) WHERE toLower(n.name) CONTAINS 'decode' OR (n.qualified_name IS NOT NULL AND toLower(n.qualified_name) CONTAINS 'decode') RETURN n.name AS name, n.qualified_name AS qualified_name, labels(n) AS type LIMIT 50",
		want:  rowsOf(called("decode"), "name", "full", "labels"),
	},
	{
		query: "MATCH (f:File) WHERE toLower(f.name) = 'readme.md' AND f.path = 'README.md' RETURN f.path as path, f.name as name, labels(f) as type",
		want:  func(*pythonProject) []row { return []row{{"README.md", "README.md", list("File")}} },
	},
	{
		query: "MATCH (f:File) WHERE f.extension = '.py' RETURN f.path AS path, f.name AS name, labels(f) AS type LIMIT 50",
		want: func(p *pythonProject) (rows []row) {
			for _, f := range p.files {
				rows = append(rows, row{f.Path, path.Base(f.Path), list("File")})
			}
			return rows
		},
	},
	{query: "MATCH (n:Function|Method) WHERE 'task' IN n.decorators RETURN n.qualified_name AS qualified_name, n.name AS name, labels(n) AS type LIMIT 50"},
	{
		query: "MATCH (n:Function|Method) WHERE 'functools.wraps' IN n.decorators RETURN n.qualified_name AS qualified_name, n.name AS name, labels(n) AS type LIMIT 50",
		want:  rowsOf(decoratedWith("functools.wraps"), "full", "name", "labels"),
	},
	{query: "MATCH (c:Class)-[:DEFINES_METHOD]->(m:Method) WHERE c.name = 'UserService' RETURN c.name AS className, m.name AS methodName, m.qualified_name AS qualified_name, labels(m) AS type LIMIT 50"},
	{
		query: "MATCH (c:Class)-[:DEFINES_METHOD]->(m:Method) WHERE c.name = 'Logger' RETURN c.name AS className, m.name AS methodName, m.qualified_name AS qualified_name, labels(m) AS type LIMIT 50",
		want: func(p *pythonProject) (rows []row) {
			for _, d := range p.declarations("Method") {
				if d.Owner == "Logger" {
					rows = append(rows, row{"Logger", d.Name, d.Full, list("Method")})
				}
			}
			return rows
		},
	},
	{query: "MATCH (c:Class) WHERE c.qualified_name STARTS WITH 'myproject.' RETURN c.name AS name, c.qualified_name AS qualified_name, labels(c) AS type LIMIT 50"},
	{
		query: "MATCH (c:Class) WHERE c.qualified_name STARTS WITH 'lib.http.' RETURN c.name AS name, c.qualified_name AS qualified_name, labels(c) AS type LIMIT 50",
		want: rowsOf(func(d *declared) bool {
			return d.Label == "Class" && strings.HasPrefix(d.Full, "lib.http.")
		}, "name", "full", "labels"),
	},
	{query: "MATCH (m:Module)-[:HAS_VULNERABILITY]->(s:SecurityIssue) RETURN m.path AS path, s.name AS rule, s.start_line AS line, s.message AS message LIMIT 50"},
}

// decoratedWith returns a predicate for functions and methods with one of the decorators.
func decoratedWith(names ...string) func(d *declared) bool {
	return func(d *declared) bool {
		return d.is("Function", "Method") && slices.ContainsFunc(d.Decorators, func(name string) bool { return slices.Contains(names, name) })
	}
}

// called returns a predicate for declarations whose lower-case qualified name contains part.
func called(part string) func(d *declared) bool {
	return func(d *declared) bool {
		return d.is("Class", "Function", "Method") && strings.Contains(strings.ToLower(d.Full), part)
	}
}

// rowsOf returns a row for each wanted declaration.
func rowsOf(wanted func(d *declared) bool, columns ...string) func(p *pythonProject) []row {
	return func(p *pythonProject) (rows []row) {
		for _, d := range p.declarations() {
			if !wanted(&d) {
				continue
			}
			of := map[string]value.Value{"name": d.Name, "full": d.Full, "labels": list(d.Label), "label": d.Label, "path": d.Path, "line": d.Line}
			r := make(row, len(columns))
			for i, c := range columns {
				r[i] = of[c]
			}
			rows = append(rows, r)
		}
		return rows
	}
}
