package ask

import (
	"fmt"
	"slices"
	"strings"
)

// rule is a whole question that is neither a relation nor a list.
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
	{"languages", compileAll("what language be? use|used?", "language be? use|used"), fixed(languageCounts)},
	{"overview", compileAll("overview"), fixed(overview)},
}

// pathPatterns are those of the way from one symbol to another.
var pathPatterns = compileAll(
	"path .. from $ .. to|and $", "from $ .. to|and $ .. path", "from $ .. to $", "path .. between|from|of? $ and|to $", "$ and|to $ between? own? what? .. path",
	"between $ and $ .. path?", "aux? $ path to? $", "aux $ .. path $", "path to $ from $", "path $ to|and $", "be $ about|path to? $",
)

// path finds the question for the way from one symbol to another. It is asked
// first: the words for it are those of other questions, too.
func (r *reading) path() *query {
	for _, p := range pathPatterns {
		if taken, ok := r.take(p); ok {
			r.drop("path", "call")
			return paths(taken)
		}
	}
	return nil
}

// fixed builds a query that is the same each time but for its conditions.
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

// paths is the shortest chain of calls from one symbol to another. What a type
// calls, its methods call.
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

// dependencies are the packages that the project asks for. A question that names
// something asks what that depends on, which is a relation.
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

// external tells whether words speak of packages from elsewhere and name nothing.
func external(tokens []token) bool {
	if _, named := first(tokens, "$", "/"); named {
		return false
	}
	for _, t := range tokens {
		if t.is == "kind" && t.kind != vocabulary["package"].kind {
			return false
		}
	}
	return true
}

// ranking is what things can have most of.
type ranking struct {
	patterns []pattern
	labels   string // where the question names no kind
	match    string
	columns  []string
	order    string
	counts   string // the word of the kind that is counted; "" where it is none
	where    string
}

// rankings are tried in this order.
var rankings = []ranking{
	{patterns: compileAll("most? own? biggest own? kind? by? lines?", "most lines", "lines most", "kind .. biggest"), labels: callableLabels, match: "(n)", columns: []string{lines + " AS lines"}, order: "lines DESC", where: "n.end_line IS NOT NULL"},
	{patterns: compileAll("with? most subclass", "subclass own? most", "most .. inherited|implemented", "inherited|implemented .. most", "by .. inherit|implement .. most", "most implementer", "implementer own? most"), labels: typeLabels, match: "(n)<-[:INHERITS|IMPLEMENTS]-(m)", columns: []string{"count(m) AS subclasses"}, order: "subclasses DESC"},
	{patterns: compileAll("most .. imported", "imported .. most", "by .. import .. most", "most importer"), labels: "Module", match: "(n)<-[:IMPORTS]-(m)", columns: []string{"count(m) AS importers"}, order: "importers DESC"},
	{patterns: compileAll("import|depend .. most", "most import|dependency"), labels: "Module", match: "(n)-[:IMPORTS]->(m)", columns: []string{"count(m) AS imports"}, order: "imports DESC"},
	{patterns: compileAll("most .. overridden", "overridden .. most", "by .. override .. most"), labels: "Method", match: "(n)<-[:OVERRIDES]-(m)", columns: []string{"count(m) AS overrides"}, order: "overrides DESC"},
	{patterns: compileAll("call kind? own? most", "most callee", "callee own? most"), labels: callableLabels, match: "(n)-[r:CALLS]->()", columns: []string{"count(r) AS callees", "sum(r.count) AS calls"}, order: "callees DESC, calls DESC"},
	{patterns: compileAll("most .. called|call|caller", "called|caller|call .. most", "by .. call .. most"), labels: callableLabels, match: "(n)<-[r:CALLS]-()", columns: []string{"count(r) AS callers", "sum(r.count) AS calls"}, order: "callers DESC, calls DESC"},
	{patterns: compileAll("most .. used|use", "used|use .. most", "by .. use .. most"), labels: codeLabels, match: "(n)<-[r:" + anyUse + "]-()", columns: []string{"count(r) AS uses"}, order: "uses DESC"},
	{patterns: compileAll("with? most .. kind", "with? own? kind own? most"), counts: "method", labels: "Class", match: "(n)-[:DEFINES_METHOD]->(m)", columns: []string{"count(m) AS methods"}, order: "methods DESC"},
	{patterns: compileAll("with? most .. kind", "kind own? most"), counts: "function", labels: "Module", match: "(n)-[:DEFINES|DEFINES_METHOD*1..2]->(m:Function|Method)", columns: []string{"count(m) AS functions"}, order: "functions DESC"},
	{patterns: compileAll("with? most .. kind", "kind own? most"), counts: "class", labels: "Module", match: "(n)-[:DEFINES]->(m:Class)", columns: []string{"count(m) AS classes"}, order: "classes DESC"},
}

// ranked puts together the query for what has most of something; nil when none is
// asked for.
func (r *reading) ranked() *query {
	if !r.has("most") && !r.has("biggest") {
		return nil
	}
	for i := range rankings {
		k := &rankings[i]
		for _, p := range k.patterns {
			from, to, ok := r.find(p)
			if !ok || k.counts != "" && !speaksOfLast(r.tokens[from:to], k.counts) || k.counts == "" && r.byWhom(p, k) {
				continue
			}
			return r.rank(k, from, to)
		}
	}
	return nil
}

// byWhom tells whether "calls most" is said with "by", which turns it round.
func (r *reading) byWhom(p pattern, k *ranking) bool {
	from, _, _ := r.find(p)
	return strings.Contains(k.match, "(n)-[") && r.at(from-1).is == "by"
}

// speaksOfLast tells whether the last kind of the tokens is the one that is counted.
func speaksOfLast(tokens []token, word string) bool {
	for i := len(tokens) - 1; i >= 0; i-- {
		if tokens[i].is == "kind" {
			return tokens[i].kind == vocabulary[word].kind
		}
	}
	return false
}

func (r *reading) rank(k *ranking, from, to int) *query {
	taken := slices.Clone(r.tokens[from:to])
	r.tokens = slices.Delete(r.tokens, from, to)
	counted := false
	for i := len(taken) - 1; i >= 0; i-- { // other kinds are asked for
		if taken[i].is == "kind" {
			if k.counts == "" || counted {
				r.tokens = append(r.tokens, taken[i])
			}
			counted = true
		}
	}
	labels, conditions := r.kindsAsked()
	if labels == "" {
		labels = k.labels
	}
	if k.where != "" {
		conditions = append(conditions, k.where)
	}
	return &query{
		rule: "most", match: k.match, labels: strings.Replace(labels, "File", "Module", 1), where: conditions,
		columns: append(slices.Clone(symbolColumns), k.columns...), order: append([]string{k.order}, symbolOrder...),
	}
}

// contents are the patterns of what is in something, and held those of what holds
// something.
var (
	contents = compileAll("kind+ own? with? aux? in|of|from|by? $|/ own? in? with? aux?", "$|/ own? in? own? aux? be? with|contain|define? own? what? with|be? kind+", "what aux? be? with? in|of $|/", "what aux? $|/ with|contain|define",
		"$|/ own? in? be? with|contain|define what", "contain|in $|/", "$|/ own? in own? with? define? what?", "/ with? what", "define|with kind? in $|/")
	held = compileAll("what kind contain|define|with $", "$ own? of|in what kind", "what kind aux? $ of|in")
)

// inside puts together the query for what is in a file, a folder, a module or a
// type.
func (r *reading) inside() *query {
	for _, p := range held {
		if from, to, ok := r.find(p); ok && r.holder(r.tokens[from:to]) {
			taken, _ := r.take(p)
			return holders(taken)
		}
	}
	for _, p := range contents {
		taken, ok := r.take(p)
		if !ok {
			continue
		}
		name, _ := first(taken, "$", "/")
		for _, t := range taken {
			if t.is == "kind" || t.is == "count" {
				r.tokens = append(r.tokens, t)
			}
		}
		labels, conditions := r.kindsAsked()
		if labels == "Function" {
			labels = callableLabels
		}
		return contained(name, labels, conditions)
	}
	return nil
}

// holder tells whether the kind that is asked for holds other things.
func (r *reading) holder(tokens []token) bool {
	k, _ := first(tokens, "kind")
	return k.kind != nil && (k.kind.types || k.kind.holds)
}

// holders are the types or modules that define a name.
func holders(taken []token) *query {
	kind, _ := first(taken, "kind")
	name, _ := first(taken, "$")
	labels := strings.Replace(kind.kind.labels, "File", "Module", 1)
	q := &query{
		rule: "holder", match: "(n)-[:DEFINES|DEFINES_METHOD*1..3]->(member)", labels: labels,
		columns: append(slices.Clone(symbolColumns), "member.qualified_name AS member", "member.start_line AS line"),
		order:   append(slices.Clone(symbolOrder), "member"),
	}
	q.and(name, "member")
	return q
}

// contained is what is in one thing.
func contained(owner token, labels string, conditions []string) *query {
	if owner.is == "/" || owner.says != nil && (owner.says.labels == folderLabels || owner.says.labels == "File" && owner.isFile()) {
		return inPath(owner, labels, conditions)
	}
	edges, from := "DEFINES|DEFINES_METHOD*1..3", "(owner)"
	switch {
	case owner.says != nil && owner.says.holds || labels == "File" || labels == "Module" || labels == folderLabels:
		edges, from = "CONTAINS_FOLDER|CONTAINS_PACKAGE|CONTAINS_MODULE|CONTAINS_FILE|DEFINES|DEFINES_METHOD*1..6", "(owner:"+holderLabels+")"
		if labels == "" {
			labels = codeLabels
		}
	case labels == "Method" || labels == callableLabels && owner.isType():
		edges, labels = "DEFINES_METHOD", "Method"
	}
	q := &query{
		rule: "contents", match: from + "-[:" + edges + "]->(n)", labels: labels, where: conditions,
		columns: append(slices.Clone(symbolColumns), "owner.qualified_name AS owner"), order: symbolOrder,
	}
	q.where = append([]string{owner.meant("owner")}, conditions...)
	q.symbols = append(q.symbols, owner.text)
	return q
}

// inPath is what is in a file or folder: in a folder its files, where no kind is
// asked for.
func inPath(owner token, labels string, conditions []string) *query {
	if labels == "" {
		labels = codeLabels
		if !owner.isFile() {
			labels = "File"
		}
	}
	q := listed(labels, append([]string{owner.within("n")}, conditions...))
	q.rule, q.paths = "contents", []string{owner.text}
	return q
}

// listed lists nodes of some labels.
func listed(labels string, conditions []string) *query {
	q := &query{rule: "list", match: "(n)", labels: labels, where: conditions, columns: symbolColumns, order: symbolOrder}
	if labels == "File" || labels == folderLabels {
		q.columns, q.order = fileColumns, fileOrder
	}
	return q
}

// named looks symbols up by their name.
func (r *reading) named() *query {
	taken, ok := r.take(compileAll("$|/")[0])
	if !ok {
		return nil
	}
	q := &query{
		rule: "where", match: "(n)", order: symbolOrder,
		columns: append(slices.Clone(symbolColumns), "n.end_line AS end_line", "n.signature AS signature"),
	}
	if r.has("explain") || r.has("aux") || r.has("doc") {
		q.columns = append(q.columns, "n.docstring AS docstring")
	}
	if k := taken[0].says; k != nil {
		q.labels = k.named
	}
	if taken[0].is == "/" && !taken[0].isFile() {
		q.where = []string{fmt.Sprintf("(n.path = %s OR n.path ENDS WITH %s)", text(taken[0].text), text("/"+taken[0].text))}
		q.paths = []string{taken[0].text}
		return q
	}
	q.and(taken[0], "n")
	return q
}
