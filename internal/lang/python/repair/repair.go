// Package repair rewrites Python 2, syntax newer than the grammar, and brackets that
// are never closed, without moving a line.
package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Rewrite rewrites what the grammar cannot read, each byte in its place:
// first what is only newer than it, then what is broken.
func Rewrite(t *syntax.Tree) []byte {
	if text := modernPython(t); text != nil {
		return text
	}
	return closePython(t)
}

// modernPython shows the grammar what Python learned after it: template strings
// (3.14) as f-strings, defaults of type parameters (3.13) as blanks, and the
// commas of except A, B: (3.14) as operators. A dot at a line's end, after which
// the grammar wants no lesser indentation in brackets, begins the next line.
func modernPython(t *syntax.Tree) []byte {
	out := slices.Clone(t.Source)
	for n := range t.Root().Within() {
		if !n.Leaf() {
			continue
		}
		switch text := n.Text(); text {
		case "def", "class", "type":
			blankDefaults(out, n.End())
		case "except", "except*":
			joinExceptions(out, n.End())
		case ".":
			dotToNextLine(out, n.Start())
		default:
			if i := strings.IndexAny(text, "tT"); i >= 0 && len(text) <= 2 && strings.Trim(text, "tTrR") == "" && quoteAt(out, n.End()) {
				out[n.Start()+i] = 'f'
			}
		}
	}
	if slices.Equal(out, t.Source) {
		return nil
	}
	return out
}

// closePython turns what would swallow the text after it into signs that no
// grammar knows, errors where they stand and only there: brackets that are never
// closed, and the heads of definitions without an end.
func closePython(t *syntax.Tree) []byte {
	out := slices.Clone(t.Source)
	open := openBrackets(out)
	for from := 0; from < len(out); {
		end := core.EndOfLine(out, from)
		lost := slices.ContainsFunc(open, func(i int) bool { return i >= from && i < end })
		head := definitionAt(out, from, end)
		switch {
		case head < 0:
		case lost && out[head] == 'c' && bytes.HasSuffix(bytes.TrimSpace(out[head:end]), []byte(":")):
			open = slices.DeleteFunc(open, func(i int) bool { return i >= from && i < end }) // the grammar closes it
		case lost || endless(out, head):
			maskHead(out, head, end)
		}
		from = end + 1
	}
	for _, i := range open {
		if out[i] != ':' {
			out[i] = '?'
		}
	}
	next, err := syntax.Python.Metered(t.Meter()).Parse(out)
	if slices.Equal(out, t.Source) || err != nil || damage(next) > damage(t) {
		return nil
	}
	return out
}

// damage counts the bytes that a tree could not make sense of.
func damage(t *syntax.Tree) int {
	total, end := 0, 0
	for n := range t.Root().Within() {
		if n.Missing() {
			total++
		}
		if n.Kind() == "ERROR" && n.Start() >= end {
			total, end = total+max(1, n.End()-n.Start()), n.End()
		}
	}
	return total
}

func quoteAt(text []byte, at int) bool {
	return at < len(text) && (text[at] == '"' || text[at] == '\'')
}

// dotToNextLine changes the places of a dot and the line end that follows it.
func dotToNextLine(text []byte, dot int) {
	end := core.SkipBlanks(text, dot+1)
	if end < len(text) && text[end] == '\n' {
		copy(text[dot:], text[dot+1:end+1])
		text[end] = '.'
	}
}

// blankDefaults replaces the defaults in the type parameters of a declaration
// whose keyword ends at from.
func blankDefaults(text []byte, from int) {
	open := afterName(text, from)
	if open < 0 || text[open] != '[' {
		return
	}
	begin := -1 // of a default
	for at, depth := range core.Brackets(text, open) {
		switch c := text[at]; {
		case depth == 1 && c == '=' && begin < 0:
			begin = at
		case begin >= 0 && (depth == 0 || depth == 1 && c == ','):
			core.Blank(text[begin:at])
			begin = -1
		}
		if depth == 0 {
			return
		}
	}
}

// afterName returns where the text goes on after the name that follows from; -1
// when none follows.
func afterName(text []byte, from int) int {
	name := core.SkipBlanks(text, from)
	end := name
	for end < len(text) && core.NameByte(text[end]) {
		end++
	}
	if next := core.SkipBlanks(text, end); end > name && next < len(text) {
		return next
	}
	return -1
}

// joinExceptions replaces the commas between the exceptions of a clause.
func joinExceptions(text []byte, from int) {
	var at []int
	for i, depth := range core.Brackets(text, from) {
		if depth > 0 {
			continue
		}
		switch text[i] {
		case ',':
			at = append(at, i)
		case '\n':
			return
		case ':':
			for _, i := range at {
				text[i] = '|'
			}
			return
		}
	}
}
