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
	*tabwriter.Writer

	text bytes.Buffer
	a    *app
	// bold prints the first line in bold, where there are colours.
	bold bool
}

func (a *app) table() *table {
	t := &table{a: a}
	t.Writer = tabwriter.NewWriter(&t.text, 0, 4, 2, ' ', 0)
	return t
}

// Flush prints the table.
func (t *table) Flush() error {
	if err := t.Writer.Flush(); err != nil {
		return err
	}
	width, first := t.a.width(), true
	for line := range strings.Lines(t.text.String()) {
		line = cutLine(strings.TrimSuffix(line, "\n"), width)
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
