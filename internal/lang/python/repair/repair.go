// Package repair rewrites Python that the grammar does not parse, without moving a
// line.
//
// It exists because the tree-sitter grammar lacks syntax of Python 3.13 and 3.14
// (defaults of type parameters, template strings, except without parentheses), and
// because one unclosed bracket or unfinished head can absorb the rest of a file. A
// grammar that parses the cases in lang/testdata/python and recovers at the next line
// makes it unnecessary. To drop it, remove the field Repair of the language row
// python.Python and the uses of [MaskedHead] in package python.
package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Rewrite returns a rewritten text of the same length: newer syntax if there is any,
// else broken syntax. It returns nil if nothing was changed.
func Rewrite(t *syntax.Tree) []byte {
	if text := rewriteModern(t); text != nil {
		return text
	}
	return closeOpen(t)
}

// rewriteModern rewrites syntax that is newer than the grammar: template strings (3.14)
// as f-strings, defaults of type parameters (3.13) as blanks, and the commas of except
// A, B: (3.14) as operators. A dot at the end of a line moves to the next line, because
// the grammar rejects smaller indentation after it inside brackets.
func rewriteModern(t *syntax.Tree) []byte {
	out := slices.Clone(t.Source)
	for n := range t.Root().Descendants() {
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

// closeOpen replaces what would absorb the text after it with bytes that no grammar
// accepts, so that the error stays local: unclosed brackets, and heads of definitions
// without a colon.
func closeOpen(t *syntax.Tree) []byte {
	out := slices.Clone(t.Source)
	open := openBrackets(out)
	for from := 0; from < len(out); {
		end := srctext.EndOfLine(out, from)
		lost := slices.ContainsFunc(open, func(i int) bool { return i >= from && i < end })
		head := definitionAt(out, from, end)
		switch {
		case head < 0:
		case lost && out[head] == 'c' && bytes.HasSuffix(bytes.TrimSpace(out[head:end]), []byte(":")):
			open = slices.DeleteFunc(open, func(i int) bool { return i >= from && i < end }) // the grammar recovers by itself
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

// damage returns the number of bytes inside errors of a tree.
func damage(t *syntax.Tree) int {
	total, end := 0, 0
	for n := range t.Root().Descendants() {
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

// dotToNextLine swaps a dot and the line end that follows it.
func dotToNextLine(text []byte, dot int) {
	end := srctext.SkipBlanks(text, dot+1)
	if end < len(text) && text[end] == '\n' {
		copy(text[dot:], text[dot+1:end+1])
		text[end] = '.'
	}
}

// blankDefaults blanks the defaults in the type parameters of a declaration. from is
// the offset after its keyword.
func blankDefaults(text []byte, from int) {
	open := afterName(text, from)
	if open < 0 || text[open] != '[' {
		return
	}
	begin := -1 // start of a default
	for at, depth := range srctext.Brackets(text, open) {
		switch c := text[at]; {
		case depth == 1 && c == '=' && begin < 0:
			begin = at
		case begin >= 0 && (depth == 0 || depth == 1 && c == ','):
			srctext.Blank(text[begin:at])
			begin = -1
		}
		if depth == 0 {
			return
		}
	}
}

// afterName returns the offset after the name that follows from and after blanks, or -1
// if there is none.
func afterName(text []byte, from int) int {
	name := srctext.SkipBlanks(text, from)
	end := name
	for end < len(text) && srctext.NameByte(text[end]) {
		end++
	}
	if next := srctext.SkipBlanks(text, end); end > name && next < len(text) {
		return next
	}
	return -1
}

// joinExceptions replaces the commas between the exceptions of a clause.
func joinExceptions(text []byte, from int) {
	var at []int
	for i, depth := range srctext.Brackets(text, from) {
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
