package drift

import (
	"slices"
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
func squeeze(text string) string {
	var b strings.Builder
	last := ""
	for _, t := range split(text) {
		if last != "" && wordByte(last[len(last)-1]) && wordByte(t[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
		last = t
	}
	return b.String()
}

// typeText normalises a type: white space, quotes, redundant parentheses, and alternative
// spellings in the languages.
func typeText(text string) string {
	s := squeeze(text)
	for len(s) > 1 && s[0] == '(' && closing(s) == len(s) {
		s = s[1 : len(s)-1]
	}
	s = strings.TrimPrefix(s, "|")
	if parts := divide(s, '|'); len(parts) > 1 {
		for i := range parts {
			parts[i] = typeText(parts[i])
		}
		slices.Sort(parts)
		return strings.Join(slices.Compact(parts), "|")
	}
	for _, f := range families {
		if out, ok := f.rewrite(s); ok {
			return typeText(out)
		}
	}
	return s
}

// family is a generic type that has another spelling.
type family struct {
	name string // "Array<"
	to   func(args []string) string
}

var families = []family{
	{"Array<", func(a []string) string { return element(a[0]) + "[]" }},
	{"ReadonlyArray<", func(a []string) string { return "readonly " + element(a[0]) + "[]" }},
	{"Optional[", func(a []string) string { return a[0] + "|None" }},
	{"typing.Optional[", func(a []string) string { return a[0] + "|None" }},
	{"Union[", func(a []string) string { return strings.Join(a, "|") }},
	{"typing.Union[", func(a []string) string { return strings.Join(a, "|") }},
	{"List[", func(a []string) string { return "list[" + strings.Join(a, ",") + "]" }},
	{"Dict[", func(a []string) string { return "dict[" + strings.Join(a, ",") + "]" }},
	{"Set[", func(a []string) string { return "set[" + strings.Join(a, ",") + "]" }},
	{"Tuple[", func(a []string) string { return "tuple[" + strings.Join(a, ",") + "]" }},
	{"Type[", func(a []string) string { return "type[" + strings.Join(a, ",") + "]" }},
}

func (f family) rewrite(s string) (string, bool) {
	if !strings.HasPrefix(s, f.name) || closing(s[len(f.name)-1:]) != len(s)-len(f.name)+1 {
		return "", false
	}
	args := divide(s[len(f.name):len(s)-1], ',')
	if args[0] == "" {
		return "", false
	}
	return f.to(args), true
}

// element formats a type as the element of an array type.
func element(s string) string {
	if strings.ContainsAny(s, "|&=? ") {
		return "(" + s + ")"
	}
	return s
}

// divide splits text at a separator outside brackets and string literals.
func divide(s string, sep byte) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`':
			i = literalEnd(s, i) - 1
		case strings.IndexByte("<[({", c) >= 0:
			depth++
		case c == '>' && i > 0 && (s[i-1] == '=' || s[i-1] == '-'):
		case strings.IndexByte(">])}", c) >= 0:
			depth--
		case c == sep && depth == 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}
