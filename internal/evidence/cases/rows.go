package cases

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Table is the table that a test runs with.
type Table struct {
	Columns []string // the names by which the test uses the values of a row, in the order of the table
	Rows    []Row
	List    string // the variable that holds the table; "" for none
	Each    string // the variable that holds a row; "" for none
}

// Row is one row of a table-driven test: the values of the columns, as written.
type Row map[string]string

// Table returns the table that the test runs with; nil if its rows are not written in the file of the test.
func (c *Case) Table() *Table {
	if !c.tabled {
		c.table, c.tabled = c.findTable(), true
	}
	return c.table
}

func (c *Case) findTable() *Table {
	if t := c.marked(); len(t.Rows) > 0 {
		return &t
	}
	if c.file.Bodies == nil {
		return nil
	}
	for i := range c.file.Bodies.Lookups {
		l := &c.file.Bodies.Lookups[i]
		if l.Each+l.Key == "" && !l.Parts || !c.holds(l.Line) && (l.Line > c.Line || l.EndLine < c.EndLine) && !slices.ContainsFunc(c.file.shared, func(s code.Step) bool { return s.Line == l.Line }) {
			continue
		}
		t := Table{Columns: columnsOf(l), List: l.Name, Each: l.Each}
		for _, r := range l.Rows {
			if row := rowOf(l, r); row != nil {
				t.Rows = append(t.Rows, row)
			}
		}
		if len(t.Rows) > 0 {
			return &t
		}
	}
	return nil
}

// columnsOf returns the names by which a test uses the parts of a table.
func columnsOf(l *code.Lookup) []string {
	var out []string
	if l.Key != "" && l.Key != "_" {
		out = append(out, l.Key)
	}
	switch {
	case l.Parts:
		return l.Columns
	case l.Each == "" || l.Each == "_":
	case len(l.Columns) == 0:
		out = append(out, l.Each)
	default:
		for _, c := range l.Columns {
			out = append(out, l.Each+"."+c)
		}
	}
	return out
}

// rowOf returns the values of one row of a table.
func rowOf(l *code.Lookup, r code.LookupRow) Row {
	if l.Parts {
		return partsOf(l.Columns, r.Value)
	}
	out := Row{}
	if len(r.Keys) == 1 && l.Key != "" && l.Key != "_" {
		out[l.Key] = r.Keys[0]
	}
	if l.Each == "" || l.Each == "_" {
		return out
	}
	value := strings.TrimPrefix(r.Value, "&")
	if len(l.Columns) == 0 {
		out[l.Each] = value
		return out
	}
	open := strings.IndexByte(value, '{')
	if open < 0 || code.BracketEnd(value, open) != len(value)-1 {
		return nil
	}
	for i, cell := range splitArgs(value[open+1 : len(value)-1]) {
		if name, given, ok := namedArgument(cell); ok && slices.Contains(l.Columns, name) {
			out[l.Each+"."+name] = given
		} else if i < len(l.Columns) {
			out[l.Each+"."+l.Columns[i]] = cell
		}
	}
	return out
}

// Parameters returns the parameters of the test's function that a provider of rows gives.
func (c *Case) Parameters() []string {
	fn := c.file.functions[strings.ReplaceAll(c.Name, " > ", ".")]
	if fn == nil || len(c.Providers()) == 0 {
		return nil
	}
	return parametersOf(fn.sym)
}

// parametersOf returns the names of the parameters of a test's function.
func parametersOf(s *code.Symbol) []string {
	var names []string
	for _, p := range s.Params {
		if name := strings.TrimPrefix(p.Name, "$"); name != "self" {
			names = append(names, name)
		}
	}
	return names
}

// partsOf returns the values of a row that a test takes apart, by their names or their order.
func partsOf(columns []string, value string) Row {
	cells := cellsIn(value)
	if cells == nil && len(columns) == 1 {
		return Row{columns[0]: value}
	}
	out := Row{}
	for i, cell := range cells {
		if name, given, ok := namedArgument(cell); ok && slices.Contains(columns, name) {
			out[name] = given
		} else if i < len(columns) {
			out[columns[i]] = cell
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// marked returns the table in the annotations of the test's function.
func (c *Case) marked() (t Table) {
	fn := c.file.functions[strings.ReplaceAll(c.Name, " > ", ".")]
	if fn == nil {
		return t
	}
	names := parametersOf(fn.sym)
	t.Columns = names
	for _, mark := range c.Providers() {
		if by := providerOf(mark); by != "" {
			t.Rows = append(t.Rows, c.providedBy(by, names)...)
			continue
		}
		links := Links(strings.Trim(mark, "@#[] "))
		if len(links) == 0 || !links[len(links)-1].Called {
			continue
		}
		args := links[len(links)-1].Args
		switch links[len(links)-1].Name {
		case "parametrize":
			if len(args) > 1 {
				t.Rows = append(t.Rows, parametrized(args[0], args[1])...)
			}
		case "InlineData", "TestCase", "DataRow", "TestWith", "case", "test_case":
			t.Rows = append(t.Rows, zipped(names, args)...)
		case "CsvSource":
			for _, line := range listIn(last(args)) {
				var cells []string
				for _, cell := range splitArgs(strings.Trim(line, `"`)) {
					cells = append(cells, quotedCell(strings.TrimSpace(cell)))
				}
				t.Rows = append(t.Rows, zipped(names, cells)...)
			}
		case "ValueSource":
			for _, value := range listIn(last(args)) {
				t.Rows = append(t.Rows, zipped(names, []string{value})...)
			}
		}
	}
	return t
}

// providerMark matches the mark that names the method which returns the rows of a test.
var providerMark = lazyregexp.New(`(?:@dataProvider |DataProvider\(|MethodSource\(|MemberData\(nameof\(|MemberData\(|TestCaseSource\(nameof\(|TestCaseSource\()\s*["']?(\w+)`)

// providerOf returns the name of the method that returns the rows; "" for other marks.
func providerOf(mark string) string {
	if found := providerMark.FindStringSubmatch(mark); found != nil {
		return found[1]
	}
	return ""
}

// providedBy returns the rows that a method of the file returns.
func (c *Case) providedBy(method string, names []string) []Row {
	if c.file.Bodies == nil {
		return nil
	}
	var out []Row
	for i := range c.file.Bodies.Lookups {
		if l := &c.file.Bodies.Lookups[i]; l.Name != "" && l.Name == method {
			for _, r := range l.Rows {
				out = append(out, zipped(names, providedCells(r.Value))...)
			}
		}
	}
	return out
}

// providedCells returns the values of a row that a method returns: those in brackets after a title, or those that a call such as
// Arguments.of is given.
func providedCells(row string) []string {
	if _, value, ok := strings.Cut(row, "=> "); ok && strings.IndexByte("\"'", row[0]) >= 0 {
		row = value
	}
	if open := strings.IndexByte(row, '{'); strings.HasPrefix(row, "new ") && open > 0 && code.BracketEnd(row, open) == len(row)-1 {
		row = row[open:]
	}
	if cells := listIn(row); cells != nil {
		return cells
	}
	if links := Links(row); len(links) > 0 && links[len(links)-1].Called {
		return links[len(links)-1].Args
	}
	return []string{row}
}

// parametrized reads pytest's names and rows.
func parametrized(names, rows string) []Row {
	var list []string
	for name := range strings.FieldsFuncSeq(names, func(c rune) bool { return !isNameRune(c) }) {
		list = append(list, name)
	}
	var out []Row
	for _, row := range listIn(rows) {
		cells := cellsIn(row)
		if len(list) == 1 && !strings.Contains(row, "param(") {
			cells = []string{row}
		}
		out = append(out, zipped(list, cells)...)
	}
	return out
}

// cellsIn returns the values of a row: those in brackets, or those that pytest.param is given.
func cellsIn(row string) []string {
	if links := Links(row); len(links) > 0 && links[len(links)-1].Name == "param" {
		return slices.DeleteFunc(links[len(links)-1].Args, func(a string) bool { return strings.HasPrefix(a, "id=") || strings.HasPrefix(a, "marks=") })
	}
	return listIn(row)
}

// zipped returns the row of some cells; none if their number is not that of the names.
func zipped(names, cells []string) []Row {
	if len(names) < len(cells) || len(cells) == 0 {
		return nil
	}
	row := Row{}
	for i, cell := range cells {
		row[names[i]] = cell
	}
	return []Row{row}
}

// listIn returns the elements of a list in brackets, after the name of an argument.
func listIn(text string) []string {
	if _, value, ok := namedArgument(text); ok {
		text = value
	}
	text = strings.TrimSpace(text)
	if text == "" || strings.IndexByte("[({", text[0]) < 0 || code.BracketEnd(text, 0) != len(text)-1 {
		return nil
	}
	return splitArgs(text[1 : len(text)-1])
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// quotedCell quotes what is no number or literal.
func quotedCell(text string) string {
	if isPlain(text) || text == "" {
		return text
	}
	return `"` + text + `"`
}

// Filled returns a text with the values of a row instead of its names.
func (r Row) Filled(text string) string {
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(r))) {
		text = code.ReplaceName(text, name, r[name])
	}
	return text
}
