package question

import (
	"fmt"
	"slices"
	"strings"
)

// contents are the patterns for the contents of something, held those for its container.
var (
	contents = compileAll("kind+ own? be? with? aux? in|of|from|by? $|/ own? in? with? aux?", "$|/ own? in? own? aux? be? with|contain|define? own? what? with|be? kind+", "what aux? be? with? in|of $|/", "what aux? $|/ with|contain|define", "what aux /",
		"$|/ own? in? be? with|contain|define what", "contain|in $|/", "$|/ own? in own? with? define? what?", "/ with? what", "define|with kind? in $|/")
	holding = compile("what kind contain|define $")
	held    = compileAll("what|list kind contain|define|with $", "$ own? of|in what kind", "what kind be|aux? $ of|in")
)

// holder builds the query for the module or folder that contains something. It runs before the filters: "which
// package contains UserService" is not about a package's name.
func (r *reading) holder() *query {
	from, to, ok := r.find(holding)
	if !ok || !holds(r.tokens[from:to]) || !r.tokens[from+1].kind.holds && r.tokens[to-1].qualifier == nil {
		return nil
	}
	taken := slices.Clone(r.tokens[from:to])
	r.tokens = slices.Delete(r.tokens, from, to)
	return holders(taken)
}

// inside builds the query for the contents of a file, folder, module or type.
func (r *reading) inside() *query {
	for _, p := range held {
		if from, to, ok := r.find(p); ok && holds(r.tokens[from:to]) {
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

// holds reports whether the requested kind is a container.
func holds(tokens []token) bool {
	k, _ := first(tokens, "kind")
	return k.kind != nil && (k.kind.types || k.kind.holds) && (!k.plural || tokens[0].is == "what")
}

// holders returns the query for the types or modules that define a name.
func holders(taken []token) *query {
	kind, _ := first(taken, "kind")
	name, _ := first(taken, "$")
	labels := strings.Replace(kind.kind.labels, "File", "Module", 1)
	edges := "DEFINES|DEFINES_METHOD*1..3"
	if labels == folderLabels || labels == "Package" {
		edges = "CONTAINS_MODULE|DEFINES|DEFINES_METHOD*1..4"
	}
	q := &query{
		rule: "holder", match: "(n)-[:" + edges + "]->(member)", labels: labels,
		columns: append(slices.Clone(symbolColumns), "member.qualified_name AS member", "member.start_line AS line"),
		order:   append(slices.Clone(symbolOrder), "member"),
	}
	q.and(name, "member")
	return q
}

// contained returns the query for the contents of a container.
func contained(owner token, labels string, conditions []string) *query {
	if owner.is == "/" || owner.qualifier != nil && (owner.qualifier.labels == folderLabels || owner.qualifier.labels == "File" && owner.isFile()) {
		return inPath(owner, labels, conditions)
	}
	if !owner.isType() || labels == "File" || labels == "Module" || labels == folderLabels {
		return inModule(owner, labels, conditions)
	}
	edges := "DEFINES|DEFINES_METHOD*1..3"
	if labels == "Method" || labels == callableLabels {
		edges, labels = "DEFINES_METHOD", "Method"
	}
	q := &query{
		rule: "contents", match: "(owner)-[:" + edges + "]->(n)", labels: labels, where: conditions,
		columns: append(slices.Clone(symbolColumns), "owner.qualified_name AS owner"), order: symbolOrder,
	}
	q.where = append([]string{owner.meant("owner")}, conditions...)
	q.mean(owner)
	return q
}

// inPath returns the query for the contents of a file or folder. For a folder these are its files, unless a kind is
// requested.
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

// inModule returns the query for the contents of something other than a type: a module, a folder, a function.
func inModule(owner token, labels string, conditions []string) *query {
	if labels == "" {
		labels = codeLabels
	}
	q := listed(labels, nil)
	q.rule = "contents"
	q.mean(owner)
	where := owner.within("n")
	if labels == "File" || labels == folderLabels {
		owner.qualifier = vocabulary()["folder"].kind
		where = owner.within("n")
	}
	q.where = append([]string{where}, conditions...)
	return q
}

// listed returns the query for nodes with the labels.
func listed(labels string, conditions []string) *query {
	q := &query{rule: "list", match: "(n)", labels: labels, where: conditions, columns: symbolColumns, order: symbolOrder}
	if labels == "File" || labels == folderLabels {
		q.columns, q.order = fileColumns, fileOrder
	}
	return q
}

var name = compile("$|/")

// named builds the query for symbols with a name.
func (r *reading) named() *query {
	taken, ok := r.take(name)
	if !ok {
		return nil
	}
	if r.has("where") || r.has("define") { // "the file where ... is defined"
		r.tokens = slices.DeleteFunc(r.tokens, func(t token) bool { return t.is == "kind" && t.kind.holds })
	}
	q := &query{
		rule: "where", match: "(n)", order: symbolOrder,
		columns: append(slices.Clone(symbolColumns), "n.end_line AS end_line", "n.signature AS signature"),
	}
	if r.has("explain") || r.has("aux") || r.has("doc") {
		q.columns = append(q.columns, "n.docstring AS docstring")
	}
	if k := taken[0].qualifier; k != nil {
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
