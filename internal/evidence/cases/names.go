package cases

import (
	"strings"
	"unicode"
)

// testPrefixes are the prefixes that mark a function as a test.
var testPrefixes = []string{"Test", "test_", "Example", "Fuzz", "test"}

// Words returns the name of a test in words, without its groups.
func Words(name string) string { return inWords(ownName(name)) }

// ownName returns a test's name without its groups.
func ownName(name string) string {
	return strings.TrimSpace(name[strings.LastIndex(name, "> ")+1:])
}

// inWords splits a test's name into words: TestLoginRejectsEmpty is "Login rejects empty".
// Titles in words are returned unchanged.
func inWords(name string) string {
	if strings.Contains(name, " ") {
		return strings.Join(strings.Fields(name), " ")
	}
	for _, prefix := range testPrefixes {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && (prefix == "test_" || !unicode.IsLower([]rune(rest)[0])) {
			name = rest
			break
		}
	}
	var out []string
	for _, part := range strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '.' }) {
		for _, word := range camelWords(part) {
			if len(out) > 0 && !isAcronym(word) {
				word = strings.ToLower(word)
			}
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

// isAcronym reports whether a word is an acronym of at least two capitals, perhaps in the
// plural: "URLs" but not "Is".
func isAcronym(word string) bool {
	one := strings.TrimSuffix(word, "s")
	return len(one) > 1 && one == strings.ToUpper(one)
}

// camelWords splits HTTPServerName into HTTP, Server and Name.
func camelWords(name string) []string {
	var out []string
	runes := []rune(name)
	from := 0
	for i := 1; i < len(runes); i++ {
		if !unicode.IsUpper(runes[i]) {
			continue
		}
		endsAcronym := i+2 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsLower(runes[i+2]) // not the plural s of URLs
		if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && endsAcronym {
			out = append(out, string(runes[from:i]))
			from = i
		}
	}
	return append(out, string(runes[from:]))
}

// LastName returns the last part of a qualified name: "add" for "List.add".
func LastName(name string) string {
	if i := strings.IndexAny(name, "(@"); i > 0 {
		name = name[:i]
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}
