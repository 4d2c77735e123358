package ask

import (
	"fmt"
	"strings"
)

// query is a Cypher query that is being put together. What it asks for is n.
type query struct {
	rule     string
	match    string   // patterns, "(n)" among them
	labels   string   // of n; "" for any
	where    []string // conditions
	then     string   // what stands between the conditions and RETURN
	columns  []string // of a row
	order    []string // columns
	distinct bool
	counted  string // what is counted when a number is asked for; "" for n
	total    string // the number that is asked for, where that is no count
	symbols  []string
	paths    []string
}

// The columns of a symbol, and of a file or a folder: enough to open the place.
var (
	symbolColumns = []string{"n.name AS name", "n.qualified_name AS qualified_name", "labels(n) AS type", "n.path AS path", "n.start_line AS start_line"}
	symbolOrder   = []string{"path", "start_line", "qualified_name"}
	fileColumns   = []string{"n.name AS name", "labels(n) AS type", "n.path AS path"}
	fileOrder     = []string{"path"}
)

// cypher writes the query: its rows, or how many things it finds.
func (q *query) cypher(count bool, limit int) string {
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
	fmt.Fprintf(&b, "%s ORDER BY %s LIMIT %d", strings.Join(q.columns, ", "), strings.Join(q.order, ", "), limit)
	return b.String()
}

// text writes a string of Cypher.
func text(s string) string {
	return "'" + escapes.Replace(s) + "'"
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// meant returns the condition that the node of a variable is what a name or path says.
// An overload ends in "@" and its line.
func (t token) meant(variable string) string {
	if t.is == "/" {
		return t.within(variable)
	}
	dot := strings.LastIndexByte(t.text, '.')
	name, _, _ := strings.Cut(t.text[dot+1:], "@")
	if dot < 0 {
		return fmt.Sprintf("%s.name = %s", variable, text(name))
	}
	return fmt.Sprintf("%[1]s.name = %[2]s AND (%[1]s.qualified_name = %[3]s OR %[1]s.qualified_name ENDS WITH %[4]s OR %[1]s.qualified_name CONTAINS %[5]s)",
		variable, text(name), text(t.text), text("."+t.text), text("."+t.text+"@"))
}

// within returns the condition that the node of a variable is in a file or folder.
func (t token) within(variable string) string {
	if t.is == "$" && (t.says == nil || t.says.labels != folderLabels) {
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
