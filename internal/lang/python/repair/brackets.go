package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// statementWords begin statements and occur nowhere else. If one begins a line, the
// brackets that are still open are unclosed.
var statementWords = []string{
	"assert", "break", "class", "continue", "def", "del", "elif", "except", "finally", "global", "import", "nonlocal",
	"pass", "raise", "return", "try", "while", "with",
}

// openBrackets returns the offsets of the unclosed brackets in a text.
func openBrackets(text []byte) []int {
	var open, lost []int
	begins := true // only blanks since the start of the line
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\n':
			begins = true
			continue
		case ' ', '\t', '\r', '\f':
			continue
		case '#':
			i = srctext.EndOfLine(text, i) - 1
			continue
		case '"', '\'':
			i = srctext.SkipString(text, i) - 1
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		default:
			if begins && len(open) > 0 && slices.Contains(statementWords, wordAt(text, i)) {
				lost, open = append(lost, open...), open[:0]
			}
		}
		begins = false
	}
	return append(lost, open...)
}

// wordAt returns the lower-case word that begins at from, or "" if it is part of a
// longer name.
func wordAt(text []byte, from int) string {
	end := from
	for end < len(text) && text[end] >= 'a' && text[end] <= 'z' {
		end++
	}
	if end < len(text) && srctext.NameByte(text[end]) {
		return ""
	}
	return string(text[from:end])
}

// definitionAt returns the offset in the line [from, end) at which a function or class
// definition begins, or -1.
func definitionAt(text []byte, from, end int) int {
	from = srctext.SkipBlanks(text[:end], from)
	word := wordAt(text, from)
	if word == "async" {
		if next := bytes.TrimLeft(text[from+len(word):end], " \t"); wordAt(next, 0) != "def" {
			return -1
		}
	} else if word != "def" && word != "class" {
		return -1
	}
	return from
}

// endless reports whether the head of a definition has no colon before the end of its
// line.
func endless(text []byte, from int) bool {
	for i, depth := range srctext.Brackets(text, from) {
		switch {
		case depth > 0:
		case text[i] == ':':
			return false
		case text[i] == '\n':
			return true
		}
	}
	return false
}

// headMask replaces the head of a definition that does not parse.
const headMask = "if 1"

// MaskedHead reports whether n is a statement that replaces a definition head; see
// maskHead.
func MaskedHead(n syntax.Node) bool {
	c := n.Field("condition")
	return c.Is("integer") && strings.Trim(c.Text(), "0123456789") != ""
}

// maskHead replaces the head of a definition with a condition that contains an error,
// so that the body stays nested below it. Decorators directly above are turned into
// comments, because they have nothing left to decorate.
func maskHead(text []byte, from, end int) {
	last := from + len(bytes.TrimRight(text[from:end], " \t\r:")) - 1
	if last-from < len(headMask) {
		return
	}
	word := len(wordAt(text, from))
	for i := from; i <= last; i++ {
		switch {
		case i < from+len(headMask):
			text[i] = headMask[i-from]
		case i < from+word:
			text[i] = ' '
		default:
			text[i] = '?'
		}
	}
	if colon := bytes.IndexByte(text[last+1:end], ':'); colon < 0 {
		text[last] = ':'
	}
	begin := bytes.LastIndexByte(text[:from], '\n') + 1
	for begin > 0 {
		above := bytes.LastIndexByte(text[:begin-1], '\n') + 1
		row := bytes.TrimLeft(text[above:begin], " \t")
		if len(row) == 0 || row[0] != '@' {
			return
		}
		row[0] = '#'
		begin = above
	}
}
