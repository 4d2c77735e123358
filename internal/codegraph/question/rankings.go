package question

import (
	"slices"
	"strings"
)

// ranking is a measure by which things are ranked.
type ranking struct {
	patterns []pattern
	labels   string // default labels
	match    string
	columns  []string
	order    string
	counts   string // word of the counted kind; "" if it is not a kind
	where    string
}

// rankings are tried in this order.
var rankings = []ranking{
	{patterns: compileAll("most? own? biggest own? kind? by? lines?", "most lines", "lines most", "kind .. biggest"), labels: callableLabels, match: "(n)", columns: []string{lines + " AS lines"}, order: "lines DESC", where: "n.end_line IS NOT NULL"},
	{patterns: compileAll("with? most subclass", "subclass own? most", "most .. inherited|implemented", "inherited|implemented .. most", "by .. inherit|implement .. most", "most implementer", "implementer own? most"), labels: typeLabels, match: "(n)<-[:INHERITS|IMPLEMENTS]-(m)", columns: []string{"count(m) AS subclasses"}, order: "subclasses DESC"},
	{patterns: compileAll("most .. imported", "imported .. most", "by .. import .. most", "most importer"), labels: importedLabels, match: "(n)<-[:IMPORTS]-(m)", columns: []string{"count(m) AS importers"}, order: "importers DESC"},
	{patterns: compileAll("import|depend .. most", "most import|dependency"), labels: "Module", match: "(n)-[:IMPORTS]->(m)", columns: []string{"count(m) AS imports"}, order: "imports DESC"},
	{patterns: compileAll("most .. overridden", "overridden .. most", "by .. override .. most"), labels: "Method", match: "(n)<-[:OVERRIDES]-(m)", columns: []string{"count(m) AS overrides"}, order: "overrides DESC"},
	{patterns: compileAll("call own? kind own? most", "call most kind", "most callee", "callee own? most"), labels: callableLabels, match: "(n)-[r:CALLS]->()", columns: []string{"count(r) AS callees", "sum(r.count) AS calls"}, order: "callees DESC, calls DESC"},
	{patterns: compileAll("most .. called|call|caller", "called|caller|call .. most", "by .. call .. most"), labels: callableLabels, match: "(n)<-[r:CALLS]-()", columns: []string{"count(r) AS callers", "sum(r.count) AS calls"}, order: "callers DESC, calls DESC"},
	{patterns: compileAll("most .. used|use", "used|use .. most", "by .. use .. most"), labels: codeLabels, match: "(n)<-[r:" + anyUse + "]-()", columns: []string{"count(r) AS uses"}, order: "uses DESC"},
	{patterns: compileAll("with most .. kind", "with? own? kind own? most"), counts: "method", labels: "Class", match: "(n)-[:DEFINES_METHOD]->(m)", columns: []string{"count(m) AS methods"}, order: "methods DESC"},
	{patterns: compileAll("with most .. kind", "kind own? most"), counts: "function", labels: "Module", match: "(n)-[:DEFINES|DEFINES_METHOD*1..2]->(m:Function|Method)", columns: []string{"count(m) AS functions"}, order: "functions DESC"},
	{patterns: compileAll("with most .. kind", "kind own? most"), counts: "class", labels: "Module", match: "(n)-[:DEFINES]->(m:Class)", columns: []string{"count(m) AS classes"}, order: "classes DESC"},
}

// ranked builds the query for a ranking; nil if none is requested.
func (r *reading) ranked() *query {
	if !r.has("most") && !r.has("biggest") {
		return nil
	}
	for i := range rankings {
		k := &rankings[i]
		for _, p := range k.patterns {
			from, to, ok := r.find(p)
			if !ok || k.counts != "" && !lastKindIs(r.tokens[from:to], k.counts) || k.counts == "" && r.byWhom(p, k) {
				continue
			}
			if k.order == "lines DESC" && !r.hasLines() {
				return nil
			}
			return r.rank(k, from, to)
		}
	}
	return nil
}

// hasLines reports whether the subject has lines: folders do not, and "long name" does not mean lines.
func (r *reading) hasLines() bool {
	return !r.has("name") && !slices.ContainsFunc(r.tokens, func(t token) bool {
		return t.is == "kind" && (t.kind.labels == folderLabels || t.kind.labels == "Package")
	})
}

// byWhom reports whether "calls most" is used with "by", which inverts it.
func (r *reading) byWhom(p pattern, k *ranking) bool {
	from, _, _ := r.find(p)
	return strings.Contains(k.match, "(n)-[") && r.at(from-1).is == "by"
}

// lastKindIs reports whether the last kind among tokens is the counted one.
func lastKindIs(tokens []token, word string) bool {
	for _, t := range slices.Backward(tokens) {
		if t.is == "kind" {
			return t.kind == vocabulary()[word].kind
		}
	}
	return false
}

func (r *reading) rank(k *ranking, from, to int) *query {
	taken := slices.Clone(r.tokens[from:to])
	r.tokens = slices.Delete(r.tokens, from, to)
	counted := false
	for _, t := range slices.Backward(taken) { // other kinds are requested
		if t.is == "kind" {
			if k.counts == "" || counted {
				r.tokens = append(r.tokens, t)
			}
			counted = true
		}
	}
	labels, conditions := r.kindsAsked()
	if labels == "" || k.labels == importedLabels && among(labels, importedLabels+"|File") {
		labels = k.labels
	}
	if k.where != "" {
		conditions = append(conditions, k.where)
	}
	q := &query{
		rule: "most", match: k.match, labels: strings.Replace(labels, "File", "Module", 1), where: conditions,
		columns: append(slices.Clone(symbolColumns), k.columns...), order: append([]string{k.order}, symbolOrder...),
	}
	if r.over != "" {
		q.then = "WITH n, " + strings.Join(k.columns, ", ") + " WHERE " + alias(k.columns[0]) + " > " + r.over
		q.columns = slices.Clone(symbolColumns)
		for _, c := range k.columns {
			q.columns = append(q.columns, alias(c))
		}
	}
	return q
}

// alias returns the name of a column.
func alias(column string) string { return column[strings.LastIndex(column, " ")+1:] }
