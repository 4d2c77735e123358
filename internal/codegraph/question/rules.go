package question

import (
	"slices"
)

// rule matches a whole question that is neither a relation nor a list.
type rule struct {
	name     string
	patterns []pattern
	build    func(r *reading, taken []token) *query
}

// rules are tried in this order, before the relations.
var rules = []rule{
	{"cycles", compileAll("cycle with|kind?", "kind? import cycle"), fixed(cycles)},
	{"external dependencies", compileAll(
		"external .. kind|library|dependency|depend", "what? external dependency", "depend .. external .. kind|library?", "depend what? kind|library",
		"what|list dependency", "dependency with|aux?", "library|kind with|aux|be? depend|use|used|dependency", "use what library", "what library", "depend",
	), dependencies},
	{"entry points", compileAll("entry own? be? where?"), fixed(entryPoints)},
	{"languages", compileAll("use? what language be? use|used?", "language be? use|used"), fixed(languageCounts)},
	{"overview", compileAll("overview"), func(r *reading, taken []token) *query {
		r.counts = false
		return fixed(overview)(r, taken)
	}},
}

// pathPatterns are the patterns for the path between two symbols.
var pathPatterns = compileAll(
	"path .. from $ .. to|and $", "from $ .. to|and $ .. path", "from? $ to $", "from $ .. to $", "path .. between|from|of? $ and|to $", "$ and|to $ between? own? what? .. path",
	"between $ and $ .. path?", "aux? $ path to? $", "aux $ .. path $", "path to $ from $", "path $ to|and $", "be $ about|path to? $",
)

// path builds the query for the path between two symbols. It runs first, because its words also occur in other
// questions.
func (r *reading) path() *query {
	for _, p := range pathPatterns {
		if taken, ok := r.take(p); ok {
			r.drop("path", "call")
			return paths(taken)
		}
	}
	return nil
}

// fixed returns a builder of a constant query.
func fixed(q query) func(*reading, []token) *query {
	return func(r *reading, _ []token) *query {
		r.kindsAsked()
		c := q
		return &c
	}
}

var (
	entryPoints = query{
		match: "(n)", labels: callableLabels, columns: symbolColumns,
		where: []string{"(n.name IN ['main', 'Main'] OR n:Function AND n.is_exported = true AND " + notTest +
			" AND (n)-[:CALLS]->() AND NOT (n)<-[:" + anyUse + "]-())"},
		order: append([]string{"CASE WHEN name IN ['main', 'Main'] THEN 0 ELSE 1 END"}, symbolOrder...),
	}
	cycles = query{
		match: "p = (n)-[:IMPORTS*2..5]->(n)", labels: "Module", where: []string{"all(x IN nodes(p) WHERE n.path <= x.path)"},
		columns: []string{"[x IN nodes(p) | x.path] AS cycle", "n.path AS path", "length(p) AS length"}, order: []string{"length", "cycle"}, counted: "p",
	}
	languageCounts = query{
		match: "(n)", labels: "File", where: []string{"n.language IS NOT NULL"}, counted: "DISTINCT n.language",
		columns: []string{"n.language AS language", "count(n) AS files"}, order: []string{"files DESC", "language"},
	}
	overview = query{match: "(n)", columns: []string{"labels(n) AS type", "count(n) AS total"}, order: []string{"total DESC", "type"}}
)

// paths returns the query for the shortest call path between two symbols. A type makes the calls of its methods.
func paths(taken []token) *query {
	names := slices.DeleteFunc(slices.Clone(taken), func(t token) bool { return t.is != "$" })
	from, to := names[0], names[1]
	if i := slices.IndexFunc(taken, func(t token) bool { return t.is == "from" }); i > 0 && slices.IndexFunc(taken, func(t token) bool { return t.is == "$" }) < i {
		from, to = to, from // "to b from a"
	}
	types := "CALLS"
	if from.isType() || to.isType() {
		types = "CALLS|DEFINES_METHOD"
	}
	q := &query{
		rule:    "path",
		match:   "(a), (b)",
		then:    "MATCH p = shortestPath((a)-[:" + types + "*1..10]->(b))",
		columns: []string{"[x IN nodes(p) | x.qualified_name] AS path", "[x IN nodes(p) | x.path + ':' + toString(x.start_line)] AS places", "[x IN relationships(p) | x.line] AS lines", "length(p) AS length"},
		order:   []string{"length", "path"},
		counted: "p",
	}
	q.and(from, "a")
	q.and(to, "b")
	return q
}

// dependencies returns the query for the packages that the project requires. A question with a name is about a
// relation instead.
func dependencies(r *reading, taken []token) *query {
	if _, named := first(append(slices.Clone(taken), r.tokens...), "$", "/", "kind"); named && !external(append(taken, r.tokens...)) {
		return nil
	}
	r.kindsAsked()
	r.drop("use", "used", "depend", "import", "imported", "library", "external")
	return &query{
		match:   "(p:Project)-[:DEPENDS_ON_EXTERNAL]->(n)",
		labels:  "ExternalPackage",
		columns: []string{"n.name AS name", "n.version_spec AS version_spec", "labels(n) AS type", "p.name AS project"},
		order:   []string{"name", "version_spec", "project"},
	}
}

// external reports whether words mention external packages and no name.
func external(tokens []token) bool {
	if _, named := first(tokens, "$", "/"); named {
		return false
	}
	for _, t := range tokens {
		if t.is == "kind" && t.kind != vocabulary()["package"].kind {
			return false
		}
	}
	return true
}
