package drift

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// split splits text into words, punctuation characters and string literals, and drops white
// space.
func split(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
		case r == '"' || r == '\'' || r == '`':
			end := literalEnd(text, i)
			out = append(out, quoted(text[i:end]))
			i = end
		case wordRune(r):
			end := i + size
			for end < len(text) {
				r, size := utf8.DecodeRuneInString(text[end:])
				if !wordRune(r) {
					break
				}
				end += size
			}
			out = append(out, text[i:end])
			i = end
		default:
			out = append(out, text[i:i+size])
			i += size
		}
	}
	return out
}

// literalEnd returns the offset after the string literal that starts at i. An unpaired quote
// is returned by itself (a Rust lifetime).
func literalEnd(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case '\n':
			return i + 1
		case text[i]:
			return j + 1
		}
	}
	return i + 1
}

// quoted returns a string literal with uniform quotes.
func quoted(literal string) string {
	if len(literal) < 2 || literal[0] == '`' || strings.Contains(literal, `"`) {
		return literal
	}
	return `"` + literal[1:len(literal)-1] + `"`
}

func wordRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func wordByte(b byte) bool { return wordRune(rune(b)) || b >= utf8.RuneSelf }

// squeeze removes insignificant white space and unifies quotes.
func squeeze(text string) string { return joined(split(text)) }

// joined writes words as a text, with space where they need it.
func joined(words []string) string {
	var b strings.Builder
	last := ""
	for _, w := range words {
		if last != "" && wordByte(last[len(last)-1]) && wordByte(w[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		last = w
	}
	return b.String()
}
