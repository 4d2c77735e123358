package spec

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// inWords reads a test's name as words: TestLoginRejectsEmpty is "login rejects
// empty"; titles in words stay as they are.
func inWords(name string) string {
	if strings.Contains(name, " ") {
		return strings.Join(strings.Fields(name), " ")
	}
	for _, prefix := range []string{"Test", "test_", "Example", "Fuzz", "test"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			name = rest
			break
		}
	}
	var b strings.Builder
	last := rune(0)
	for i, c := range name {
		switch {
		case c == '_' || c == '.':
			b.WriteByte(' ')
		case unicode.IsUpper(c) && unicode.IsLower(last):
			b.WriteByte(' ')
			if at := i + utf8.RuneLen(c); at < len(name) && name[at] >= 'A' && name[at] <= 'Z' {
				b.WriteRune(c) // of an acronym
			} else {
				b.WriteRune(unicode.ToLower(c))
			}
		default:
			b.WriteRune(c)
		}
		last = c
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
