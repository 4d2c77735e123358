package lang

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// repairPython rewrites what the grammar cannot read, each byte in its place:
// first what is only newer than it, then what is broken.
func repairPython(t *syntax.Tree) []byte {
	if text := modernPython(t); text != nil {
		return text
	}
	return closePython(t)
}

// modernPython shows the grammar what Python learned after it: template strings
// (3.14) as f-strings, defaults of type parameters (3.13) as blanks, and the
// commas of except A, B: (3.14) as operators.
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
		end := skipTo(out, from, "\n")
		lost := slices.ContainsFunc(open, func(i int) bool { return i >= from && i < end })
		if head := definitionAt(out, from, end); head >= 0 && (lost || endless(out, head)) {
			maskHead(out, head, end)
		}
		from = end + 1
	}
	for _, i := range open {
		if out[i] != ':' {
			out[i] = '?'
		}
	}
	next, err := syntax.Python.Parse(out)
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

// blankDefaults replaces the defaults in the type parameters of a declaration
// whose keyword ends at from.
func blankDefaults(text []byte, from int) {
	i := from
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	name := i
	for i < len(text) && (text[i] == '_' || text[i] >= 0x80 || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	if i == name || i >= len(text) || text[i] != '[' {
		return
	}
	blank := false
	for at, depth := range brackets(text, i) {
		switch c := text[at]; {
		case depth == 1 && c == ',', depth == 0:
			blank = false
		case depth == 1 && c == '=':
			blank = true
		}
		if blank && text[at] != '\n' && text[at] != '\r' {
			text[at] = ' '
		}
		if depth == 0 {
			return
		}
	}
}

// joinExceptions replaces the commas between the exceptions of a clause.
func joinExceptions(text []byte, from int) {
	var at []int
	for i, depth := range brackets(text, from) {
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

// maxHeader is how far the end of a list of type parameters or exceptions is
// looked for.
const maxHeader = 8192

// brackets yields the offsets of the bytes of text from one on, strings and
// comments left out, each with the number of brackets open after it. It ends
// when more are closed than were opened.
func brackets(text []byte, from int) func(yield func(at, depth int) bool) {
	return func(yield func(at, depth int) bool) {
		depth := 0
		var quote byte
		for i := from; i < min(len(text), from+maxHeader); i++ {
			c := text[i]
			switch {
			case quote == '#' && c != '\n', quote == '"' && c != '"', quote == '\'' && c != '\'':
				continue
			case quote != 0:
				quote = 0
				if c != '\n' {
					continue
				}
			case c == '#' || c == '"' || c == '\'':
				quote = c
				continue
			case c == '(' || c == '[' || c == '{':
				depth++
			case c == ')' || c == ']' || c == '}':
				depth--
			}
			if depth < 0 || !yield(i, depth) {
				return
			}
		}
	}
}
