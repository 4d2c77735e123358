package question

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// query is a Cypher query under construction. Its subject is the variable n.
type query struct {
	rule     string
	match    string   // patterns, including "(n)"
	labels   string   // of n; "" for any
	where    []string // conditions
	then     string   // text between WHERE and RETURN
	columns  []string // columns of a row
	order    []string // sort columns
	distinct bool
	counted  string  // what to count if a number is requested; "" for n
	total    string  // the requested number, if it is not a count
	symbols  []token // the names in the query
	paths    []string
}

// The columns of a symbol, and of a file or folder: enough to open the place.
var (
	symbolColumns = []string{"n.name AS name", "n.qualified_name AS qualified_name", "labels(n) AS type", "n.path AS path", "n.start_line AS start_line"}
	symbolOrder   = []string{"path", "start_line", "qualified_name"}
	fileColumns   = []string{"n.name AS name", "labels(n) AS type", "n.path AS path"}
	fileOrder     = []string{"path"}
)

// cypher returns the text of the query: its rows from skip on, or their number.
func (q *query) cypher(count bool, skip, limit int) string {
	var b strings.Builder
	match := q.match
	if q.labels != "" {
		match = strings.Replace(match, "(n)", "(n:"+q.labels+")", 1)
	}
	b.WriteString("MATCH " + match)
	if len(q.where) > 0 {
		b.WriteString(" WHERE " + strings.Join(q.where, " AND "))
	}
	if q.then != "" {
		b.WriteString(" " + q.then)
	}
	if count && q.total != "" {
		return b.String() + " RETURN " + q.total + " AS total"
	}
	if count {
		what := q.counted
		switch {
		case what == "" && q.match == "(n)":
			what = "n"
		case what == "":
			what = "DISTINCT n"
		}
		b.WriteString(" RETURN count(" + what + ") AS total")
		return b.String()
	}
	b.WriteString(" RETURN ")
	if q.distinct {
		b.WriteString("DISTINCT ")
	}
	fmt.Fprintf(&b, "%s ORDER BY %s", strings.Join(q.columns, ", "), strings.Join(q.order, ", "))
	if skip > 0 {
		fmt.Fprintf(&b, " SKIP %d", skip)
	}
	fmt.Fprintf(&b, " LIMIT %d", limit)
	return b.String()
}

// with returns the query with another condition in place of one.
func (q *query) with(condition, other string) *query {
	out := *q
	out.where = slices.Clone(q.where)
	for i := range out.where {
		if out.where[i] == condition {
			out.where[i] = other
		}
	}
	return &out
}

// text returns a string literal.
func text(s string) string {
	return "'" + escapes.Replace(s) + "'"
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// mean records the meaning of a name or path.
func (q *query) mean(name token) {
	if name.is == "/" {
		q.paths = append(q.paths, name.text)
		return
	}
	q.symbols = append(q.symbols, name)
}

// meaning returns the clause that finds the symbols of a name.
func (t token) meaning() Meaning {
	labels := ""
	if t.module {
		labels = ":" + importedLabels
	}
	return Meaning{"MATCH (n" + labels + ") WHERE " + t.meant("n"), t.module}
}

// meant returns the condition that a variable is the symbol or path of a name. The qualified name of an overload
// ends in "@" and its line.
func (t token) meant(variable string) string {
	switch {
	case t.module:
		return t.imported(variable)
	case t.is == "/":
		return t.within(variable)
	}
	dot := strings.LastIndexByte(t.text, '.')
	name, _, _ := strings.Cut(t.text[dot+1:], "@")
	if dot < 0 {
		return fmt.Sprintf("%s.name = %s", variable, text(name))
	}
	return fmt.Sprintf("%[1]s.name = %[2]s AND (%[1]s.qualified_name = %[3]s OR %[1]s.qualified_name ENDS WITH %[4]s OR %[1]s.qualified_name CONTAINS %[5]s%[6]s)",
		variable, text(name), text(t.text), text("."+t.text), text("."+t.text+"@"), t.inFolder(variable))
}

// inFolder extends a dotted name for Go's usage, in which the first part may be the folder: graph.Reader is in
// graph/reader.go, and its qualified name contains "reader". It matches top-level symbols of a file, and members of
// such.
func (t token) inFolder(variable string) string {
	parts := strings.Split(t.text, ".")
	last := len(parts) - 1
	var b strings.Builder
	if !isCapital(parts[last-1]) || last == 1 && isCapital(parts[last]) { // UserService.create_user is a member
		fmt.Fprintf(&b, " OR %s AND (%s)<-[:DEFINES]-(:Module)", directlyIn(variable, parts[:last]), variable)
	}
	if last > 1 {
		fmt.Fprintf(&b, " OR %s AND (%s)<-[:DEFINES|DEFINES_METHOD]-({name: %s})<-[:DEFINES]-(:Module)", directlyIn(variable, parts[:last-1]), variable, text(parts[last-1]))
	}
	return b.String()
}

// imported returns the condition that a variable is the module, package, folder or external package of a name or
// path. For a folder, its direct contents are included. A path may omit the file's extension.
func (t token) imported(variable string) string {
	switch {
	case t.is == "/" && t.isFile():
		return t.within(variable)
	case t.is == "/":
		return fmt.Sprintf("(%[1]s.path =~ %[2]s OR %[1]s.name =~ %[3]s)", variable, text("(.*/)?"+regexp.QuoteMeta(t.text)+"(/.*|[.][^/.]+)?"), t.versioned())
	case !strings.Contains(t.text, "."):
		return fmt.Sprintf("(%[1]s.name =~ %[2]s OR %[1]s:Module AND %[3]s)", variable, t.versioned(), directlyIn(variable, []string{t.text}))
	}
	return fmt.Sprintf("(%[1]s.name = %[2]s OR %[1]s.qualified_name = %[2]s OR %[1]s.qualified_name ENDS WITH %[3]s OR %[1]s:Module AND %[4]s)",
		variable, text(t.text), text("."+t.text), directlyIn(variable, strings.Split(t.text, ".")))
}

// versioned returns a pattern for the name of an external package: cobra is github.com/spf13/cobra, and yaml is
// go.yaml.in/yaml/v3.
func (t token) versioned() string { return text("(.*/)?" + regexp.QuoteMeta(t.text) + "(/v[0-9]+)?") }

// directlyIn returns the condition that a node's file is directly in a folder. The project's name denotes the root
// folder.
func directlyIn(variable string, folder []string) string {
	return fmt.Sprintf("split(%[1]s.qualified_name, '.')[0] + '/' + %[1]s.path =~ %[2]s", variable, text("(.*/)?"+regexp.QuoteMeta(strings.Join(folder, "/"))+"/[^/]+"))
}

// within returns the condition that a node is in a file or folder.
func (t token) within(variable string) string {
	if t.is == "$" && (t.qualifier == nil || t.qualifier.labels != folderLabels) {
		return fmt.Sprintf("(%[1]s.qualified_name STARTS WITH %[2]s OR %[1]s.qualified_name CONTAINS %[3]s)", variable, text(t.text+"."), text("."+t.text+"."))
	}
	if t.isFile() {
		return fmt.Sprintf("(%[1]s.path = %[2]s OR %[1]s.path ENDS WITH %[3]s)", variable, text(t.text), text("/"+t.text))
	}
	folder := t.text
	if t.is == "$" {
		folder = strings.ReplaceAll(folder, ".", "/")
	}
	return fmt.Sprintf("(%[1]s.path STARTS WITH %[2]s OR %[1]s.path CONTAINS %[3]s)", variable, text(folder+"/"), text("/"+folder+"/"))
}
