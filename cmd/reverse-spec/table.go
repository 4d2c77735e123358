package main

import (
	"bytes"
	"os"
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
}

func (a *app) table() *table { return &table{a: a} }

// Flush prints the table.
func (t *table) Flush() error {
	width, first := t.a.width(), true
	text := aligned(t.Bytes())
	if over := widest(text) - width; t.places && width > 0 && over > 0 {
		text = aligned([]byte(cutPlaces(t.String(), over)))
	}
	for line := range strings.Lines(text) {
		line = cutLine(strings.TrimRight(line, " \n"), width)
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
