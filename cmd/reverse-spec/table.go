package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"golang.org/x/term"
)

// table aligns columns that are separated by tabs. On a terminal, lines that are wider than it are cut: a table whose lines are
// broken is none. What reads a pipe or a file gets all of them.
type table struct {
	bytes.Buffer // the rows

	a *app
	// bold prints the first line in bold, where there are colours.
	bold bool
	// places says that the first column has places in files, which are cut at their beginning where lines are too wide.
	places bool
	// even says that all columns are needed: where lines are too wide, the widest are cut at their beginning until all fit.
	even bool
	// whole are the beginnings of cells that are not cut, such as commands.
	whole string
}

func (a *app) table() *table { return &table{a: a} }

// Flush prints the table.
func (t *table) Flush() error {
	width, first := t.a.width(), true
	text := aligned(t.Bytes())
	if over := widest(text) - width; t.places && width > 0 && over > 0 {
		text = aligned([]byte(cutPlaces(t.String(), over)))
	} else if t.even && width > 0 && over > 0 {
		text = aligned([]byte(cutEven(t.String(), width)))
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if t.whole == "" || !strings.HasPrefix(strings.TrimLeft(line, " "), t.whole) {
			line = cutLine(line, width)
		}
		if first && t.bold && t.a.colored() {
			line = "\x1b[1m" + line + "\x1b[0m"
		}
		first = false
		if _, err := t.a.out.Write([]byte(line + "\n")); err != nil {
			return err
		}
	}
	return nil
}

// aligned returns rows with their columns below each other.
func aligned(rows []byte) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 4, 2, ' ', 0)
	_, _ = w.Write(rows) // a builder never fails
	_ = w.Flush()
	return out.String()
}

// widest returns the number of columns of the longest line.
func widest(text string) int {
	most := 0
	for line := range strings.Lines(text) {
		most = max(most, utf8.RuneCountInString(strings.TrimRight(line, " \n")))
	}
	return most
}

// leastPlace is the number of columns that a place keeps.
const leastPlace = 24

// cutPlaces cuts the places at the beginning of rows so that the longest is shorter by a number of columns.
func cutPlaces(rows string, over int) string {
	most := 0
	for row := range strings.Lines(rows) {
		place, _, _ := strings.Cut(row, "\t")
		most = max(most, utf8.RuneCountInString(place))
	}
	var out strings.Builder
	for row := range strings.Lines(rows) {
		place, rest, _ := strings.Cut(row, "\t")
		out.WriteString(cutLeft(place, max(leastPlace, most-over)) + "\t" + rest)
	}
	return out.String()
}

// cutEven cuts the cells of the widest columns at their beginning, so that all columns fit into a width: the end of a qualified name or
// of a path is what tells it apart. Columns keep the width of a short word.
func cutEven(rows string, width int) string {
	const between, least = 2, 8
	var most []int
	for row := range strings.Lines(rows) {
		for i, cell := range strings.Split(strings.TrimRight(row, "\n"), "\t") {
			if i == len(most) {
				most = append(most, 0)
			}
			most[i] = max(most[i], utf8.RuneCountInString(cell))
		}
	}
	room := width - between*(len(most)-1)
	limit := slices.Max(most)
	for limit > least && sumUpTo(most, limit) > room {
		limit--
	}
	var out strings.Builder
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.TrimRight(row, "\n"), "\t")
		for i := range cells {
			cells[i] = cutLeft(cells[i], limit)
		}
		out.WriteString(strings.Join(cells, "\t") + "\n")
	}
	return out.String()
}

// sumUpTo returns the sum of numbers, each counted up to a limit.
func sumUpTo(numbers []int, limit int) int {
	sum := 0
	for _, n := range numbers {
		sum += min(n, limit)
	}
	return sum
}

// cutLeft cuts the beginning off a text that has more than so many columns.
func cutLeft(text string, most int) string {
	if n := utf8.RuneCountInString(text); n > most {
		return "…" + string([]rune(text)[n-most+1:])
	}
	return text
}

// cutLine cuts a line to a number of columns; 0 for no limit.
func cutLine(line string, width int) string {
	if width <= 0 || utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-1]) + "…"
}

// width returns the number of columns of the terminal that results go to; 0 if they do not go to one.
func (a *app) width() int {
	f, ok := a.out.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
