package cypher_test

import (
	"fmt"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// labelled returns a predicate for declarations with any of the labels.
func labelled(labels ...string) func(d *declared) bool {
	return func(d *declared) bool { return d.is(labels...) }
}

func one(values ...value.Value) func(*pythonProject) []row {
	return func(*pythonProject) []row { return []row{values} }
}

// folders returns the folders that hold files.
func (p *pythonProject) folders() (all []string) {
	seen := map[string]bool{".": true}
	for _, f := range p.files {
		for dir := path.Dir(f.Path); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			all = append(all, dir)
		}
	}
	return all
}

// counts returns a row for each key with its number of occurrences.
func counts(keys func(p *pythonProject) []string, least int) func(p *pythonProject) []row {
	return func(p *pythonProject) (rows []row) {
		n := map[string]int{}
		for _, k := range keys(p) {
			n[k]++
		}
		for k, n := range n {
			if n >= least {
				rows = append(rows, row{k, int64(n)})
			}
		}
		return rows
	}
}

// internalQueries have the forms of the queries that code-graph-rag asks itself.
var internalQueries = []pythonCase{
	{
		query:      "MATCH (n) WHERE n.qualified_name = $qn OPTIONAL MATCH (m:Module)-[*]-(n) RETURN n.name AS name, n.start_line > 0 AS there, m.path IS NOT NULL AS connected LIMIT 1",
		parameters: map[string]value.Value{"qn": "lib.json.encoder.JSONEncoder"},
		more:       true,
		want:       one("JSONEncoder", true, true),
	},
	{
		query:      "MATCH (m:Module)-[:DEFINES|DEFINES_METHOD*]->(n) WHERE n.qualified_name = $qn RETURN m.path AS path",
		parameters: map[string]value.Value{"qn": "lib.json.encoder.JSONEncoder.default"},
		want:       one("json/encoder.py"),
	},
	{query: "MATCH (p:Project {name: $x}) RETURN p.name, labels(p)[0]", parameters: map[string]value.Value{"x": "lib"}, want: one("lib", "Project")},
	{
		query:      "MATCH (p:`Project` {name: $x})-[:CONTAINS_PACKAGE|CONTAINS_FOLDER|CONTAINS_FILE*]->(f:`File`) RETURN f.path",
		parameters: map[string]value.Value{"x": "lib"},
		want: func(p *pythonProject) []row {
			rows := []row{{"README.md"}}
			for _, f := range p.files {
				rows = append(rows, row{f.Path})
			}
			return rows
		},
	},
	{
		query: "MATCH (p:Class)-[:DEFINES_METHOD]->(m:Method) WITH m.name AS name, count(DISTINCT p) AS owners WHERE owners > 1 RETURN name, owners ORDER BY owners DESC LIMIT 100000",
		want: func(p *pythonProject) (rows []row) {
			owners := map[string]map[string]bool{}
			for _, d := range methodsOfClasses(p) {
				if owners[d.Name] == nil {
					owners[d.Name] = map[string]bool{}
				}
				owners[d.Name][fmt.Sprint(d.Path, d.OwnerLine)] = true
			}
			for name, of := range owners {
				if len(of) > 1 {
					rows = append(rows, row{name, int64(len(of))})
				}
			}
			return rows
		},
	},
	{
		query: "MATCH (n) WHERE NOT n:Variable AND NOT n:Type AND NOT n:ExternalPackage AND NOT n:ExternalType UNWIND labels(n) AS label RETURN label, count(*) AS n",
		want: counts(func(p *pythonProject) []string {
			labels := []string{"Project", "File"}
			for _, d := range p.declarations() {
				labels = append(labels, d.Label)
			}
			for range p.files {
				labels = append(labels, "File", "Module")
			}
			for range p.folders() {
				labels = append(labels, "Package")
			}
			return labels
		}, 1),
	},
	{
		query: "MATCH (f:File {path: 'README.md'}) UNWIND keys(f) AS key RETURN key",
		want: func(*pythonProject) []row {
			return []row{{"absolute_path"}, {"extension"}, {"name"}, {"path"}, {"qualified_name"}}
		},
	},
	{
		query: "MATCH (a:Class)-[r]->(b:Method) WHERE type(r) STARTS WITH 'DEFINES' RETURN labels(a)[0] AS a, type(r) AS r, labels(b)[0] AS b, count(*) AS n",
		want: func(p *pythonProject) []row {
			return []row{{"Class", "DEFINES_METHOD", "Method", int64(len(methodsOfClasses(p)))}}
		},
	},
	{query: "MATCH (f:File {name: 'README.md'}) RETURN properties(f).extension, coalesce(f.start_line, f.name), id(f) >= 0", want: one(".md", "README.md", true)},
	{query: "MATCH ()-[r]->() WITH count(r) AS all MATCH (a)-[r]-(b) WITH all, count(r) AS both MATCH (a)-[r]->(a) WITH all, both, count(r) AS loops RETURN 2 * all - loops = both", want: one(true)},
	{
		query: "MATCH (n:Package {path: 'json'})--(x) WHERE x:Folder OR x:File OR x:Module RETURN x.path, labels(x)",
		want: func(p *pythonProject) (rows []row) {
			for _, f := range p.files {
				if path.Dir(f.Path) == "json" {
					rows = append(rows, row{f.Path, list("File")}, row{f.Path, list("Module")})
				}
			}
			return rows
		},
	},
	{query: "MATCH (n) WHERE (n:Folder OR n:Project) AND NOT n:Project RETURN count(n)", want: one(int64(0))},
}

// methodsOfClasses returns the methods of nodes labelled Class.
func methodsOfClasses(p *pythonProject) (all []declared) {
	classes := map[string]bool{}
	for _, d := range p.declarations("Class") {
		classes[d.Path+"."+d.Qualified] = true
	}
	for _, d := range p.declarations("Method") {
		if classes[d.Path+"."+d.Owner] {
			all = append(all, d)
		}
	}
	return all
}

// wholeProject compares everything that both tell.
var wholeProject = []pythonCase{
	{
		query: "MATCH (n:Class|Enum|Interface|Function|Method) RETURN n.qualified_name, n.name, labels(n), n.path, n.start_line",
		want:  rowsOf(labelled(), "full", "name", "labels", "path", "line"),
	},
	{
		query: "MATCH (m:Module) RETURN m.qualified_name, m.path",
		want: func(p *pythonProject) (rows []row) {
			for _, f := range p.files {
				rows = append(rows, row{pythonModule(f.Path), f.Path})
			}
			return rows
		},
	},
	{
		query: "MATCH (c)-[:DEFINES_METHOD]->(m:Method) RETURN c.qualified_name, m.name",
		want: func(p *pythonProject) (rows []row) {
			for _, d := range p.declarations("Method") {
				rows = append(rows, row{strings.TrimSuffix(d.Full, "."+d.Name), d.Name})
			}
			return rows
		},
	},
	{
		query: "MATCH (n:Class|Enum|Interface|Function|Method) UNWIND n.decorators AS d RETURN n.path, n.start_line, d",
		want: func(p *pythonProject) (rows []row) {
			for _, d := range p.declarations() {
				for _, name := range d.Decorators {
					rows = append(rows, row{d.Path, d.Line, name})
				}
			}
			return rows
		},
	},
	{
		query: "MATCH (f:File) RETURN f.extension AS extension, count(*) AS n ORDER BY n DESC",
		want: func(p *pythonProject) []row {
			return []row{{".py", int64(len(p.files))}, {".md", int64(1)}}
		},
	},
}
