package core

import (
	"bytes"
	"iter"
)

// EndOfLine returns the offset of the end of the line that contains from.
func EndOfLine(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

// SkipString returns the offset after the string literal that begins at from. An unclosed
// literal ends at the end of its line, a triple-quoted one at the end of the text.
func SkipString(text []byte, from int) int {
	quote := text[from : from+1]
	if bytes.HasPrefix(text[from:], bytes.Repeat(quote, 3)) {
		quote = text[from : from+3]
	}
	for i := from + len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '\n' && len(quote) == 1:
			return i
		case bytes.HasPrefix(text[i:], quote):
			return i + len(quote)
		}
	}
	return len(text)
}

// SkipBlanks returns the offset of the first byte at or after from that is neither a space nor
// a tab.
func SkipBlanks(text []byte, from int) int {
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	return from
}

// NameByte reports whether c may be part of a name. All bytes above ASCII may.
func NameByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// MaxHeader is the maximum distance searched for the end of a type parameter or exception
// list, in bytes.
const MaxHeader = 8192

// Brackets yields the offset of each byte of text from from on, except strings and comments,
// with the number of brackets open after it. It stops at a bracket that closes more than were
// opened.
func Brackets(text []byte, from int) iter.Seq2[int, int] {
	return func(yield func(at, depth int) bool) {
		depth := 0
		for i := from; i < min(len(text), from+MaxHeader); i++ {
			switch text[i] {
			case '#':
				i = EndOfLine(text, i) - 1
				continue
			case '"', '\'':
				i = SkipString(text, i) - 1
				continue
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if depth < 0 || !yield(i, depth) {
				return
			}
		}
	}
}
