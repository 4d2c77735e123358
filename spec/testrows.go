package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// Limits of the table of a scenario in a page.
const (
	mostTestRows, leastTestRows = 12, 5
	maxCellText                 = 90 // of a cell, in bytes
	worthName                   = 3  // a name that no row has shown is worth so many signs
)

// testRows returns the rows of a table-driven test under the names of their columns. A page has those rows that show
// something that the ones before do not.
func (n *narrator) testRows(t *cases.Table) string {
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r cases.Row) bool { return len(r) == 0 })
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c string) bool {
		return !slices.ContainsFunc(rows, func(r cases.Row) bool { return r[c] != "" })
	})
	if len(rows) == 0 || len(columns) == 0 {
		return ""
	}
	types := map[string]string{}
	for _, c := range columns {
		types[c] = typeOfCells(rows, c)
	}
	if n.limits.rows > 0 {
		rows = telling(rows, columns, min(n.limits.rows, mostTestRows))
	}
	if len(columns) == 1 {
		return n.rowsInLine(t, columns[0], rows)
	}
	var heads, lines []string
	for _, c := range columns {
		heads = append(heads, markdown.Code(n.heading(c)))
	}
	for _, r := range rows {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = n.cell(strings.TrimPrefix(r[c], types[c]))
		}
		lines = append(lines, tableRow(cells...))
	}
	if left := len(t.Rows) - len(rows); left > 0 {
		n.left.rows += left
		more := fmt.Sprintf(n.in("… and %d more", "……另有 %d 行"), left)
		lines = append(lines, "| "+more+" |"+strings.Repeat(" |", len(columns)-1))
	}
	return tableHead(strings.Join(heads, "|")) + strings.Join(lines, "\n")
}

// rowsInLine lists the rows of a table that has one column.
func (n *narrator) rowsInLine(t *cases.Table, column string, rows []cases.Row) string {
	var values []string
	for _, r := range rows {
		values = append(values, n.cell(r[column]))
	}
	text := fmt.Sprintf(n.in("%s is each of %s", "%s 逐一取 %s"), markdown.Code(n.heading(column)), strings.Join(values, n.in(", ", "、")))
	if left := len(t.Rows) - len(rows); left > 0 {
		n.left.rows += left
		text += fmt.Sprintf(n.in(" … and %d more", "……另有 %d 行"), left)
	}
	return text
}

// cell is a value of a table as code; "" for none.
func (n *narrator) cell(value string) string {
	if value == "" {
		return ""
	}
	value = code.Squeezed(markdown.OneLine(value))
	if n.limits.rows > 0 {
		value = prose.Shorten(value, maxCellText)
	}
	return markdown.Code(n.sample(value))
}

// ownColumn returns the name of a column without the variable of the row.
func ownColumn(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// heading returns the name of a column in a scenario: without the variable of the row, unless something else has that name there.
func (n *narrator) heading(name string) string {
	own := ownColumn(name)
	if own == name || n.speaksOf(own, name) {
		return name
	}
	return own
}

// speaksOf reports whether a test has a name elsewhere than in that of a column.
func (n *narrator) speaksOf(own, column string) bool {
	spoken := func(text string) bool {
		return slices.ContainsFunc(columnPattern(own).FindAllStringIndex(text, -1), func(at []int) bool {
			return !strings.HasSuffix(text[:at[1]], column) && (at[0] == 0 || text[at[0]-1] != '.') && !strings.HasPrefix(text[at[1]:], "(")
		})
	}
	return slices.ContainsFunc(n.story.Then, func(o cases.Outcome) bool { return spoken(o.Text) }) ||
		slices.ContainsFunc(n.story.When, func(e cases.Event) bool { return spoken(e.Call) }) ||
		slices.ContainsFunc(n.story.Given, func(f cases.Fact) bool { return !n.ofTable(f) && (spoken(f.Name) || spoken(f.Value)) })
}

// columnPattern matches the name of a column in words.
func columnPattern(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
}

// withOwnColumns writes the names of columns in a text without the variable of the row.
func (n *narrator) withOwnColumns(text string, t *cases.Table) string {
	for _, c := range t.Columns {
		if own := n.heading(c); own != c {
			text = columnPattern(c).ReplaceAllString(text, own)
		}
	}
	return text
}

// typeOfCells returns the type that the values of a column begin with, if it is that of all: "[][]string" of `[][]string{{"a"}}`.
func typeOfCells(rows []cases.Row, column string) string {
	first := ""
	for _, r := range rows {
		value := r[column]
		if value == "" {
			continue
		}
		open := strings.IndexAny(value, "{\"'`")
		if open <= 0 || value[open] != '{' || first != "" && value[:open] != first {
			return ""
		}
		first = value[:open]
	}
	return first
}

// telling chooses rows: as long as one shows what none of the chosen shows, or there are few, the one that shows most of it in the
// fewest words.
func telling(rows []cases.Row, columns []string, most int) []cases.Row {
	if len(rows) <= most {
		return rows
	}
	shows := make([]map[string]int, len(rows))
	for i, r := range rows {
		shows[i] = signsOf(r, columns)
	}
	shown := map[string]bool{}
	var order []int
	for len(order) < most {
		best, worth := -1, 0.0
		for i := range rows {
			news := 0
			for sign, weight := range shows[i] {
				if !shown[sign] {
					news += weight
				}
			}
			if news == 0 && len(order) >= leastTestRows || slices.Contains(order, i) {
				continue
			}
			if w := (float64(news) + 0.1) / float64(maxCellText+sizeOf(rows[i], columns)); w > worth { // the shortest of those with nothing new
				best, worth = i, w
			}
		}
		if best < 0 {
			break
		}
		for sign := range shows[best] {
			shown[sign] = true
		}
		order = append(order, best)
	}
	slices.Sort(order)
	out := make([]cases.Row, len(order))
	for i, at := range order {
		out[i] = rows[at]
	}
	return out
}

// sizeOf returns the length of the values of a row, in bytes.
func sizeOf(r cases.Row, columns []string) int {
	size := 0
	for _, c := range columns {
		size += len(r[c])
	}
	return size
}

// rowNames are columns that only tell rows apart.
var rowNames = []string{"name", "desc", "description", "title", "testname", "label", "scenario", "casename", "test", "id", "doc"}

// signsOf returns what a row shows, with weights: for each column that it has a value, the names in that, and the signs other
// than letters and digits in its texts.
func signsOf(r cases.Row, columns []string) map[string]int {
	out := map[string]int{}
	for _, c := range columns {
		value := r[c]
		if value == "" || slices.Contains(rowNames, strings.ToLower(ownColumn(c))) {
			continue
		}
		out[c] = worthName
		for i := 0; i < len(value); i++ {
			if end := code.QuoteEnd(value, i); strings.IndexByte("\"'`", value[i]) >= 0 && end > i {
				signsInText(value[i+1:end], c, out)
				i = end
			} else if isWordByte(value[i]) {
				end := i
				for end < len(value) && isWordByte(value[end]) {
					end++
				}
				out[c+" "+value[i:end]] = worthName
				i = end - 1
			}
		}
	}
	return out
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// signsInText adds the signs of a text: escapes, and what is neither letter nor digit.
func signsInText(text, column string, out map[string]int) {
	if text == "" {
		out[column+" empty"] = 1
	}
	escaped := false
	for _, c := range text {
		switch {
		case escaped:
			out[column+` \\`+string(c)] = 1
			escaped = false
		case c == '\\':
			escaped = true
		case c > unicode.MaxASCII:
			out[column+" beyond ASCII"] = 1
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			out[column+" "+string(c)] = 1
		}
	}
}
