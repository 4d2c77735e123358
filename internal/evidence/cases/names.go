package cases

import (
	"strings"
	"unicode"
)

// testPrefixes are what the names of tests begin with to be tests.
var testPrefixes = []string{"Test", "test_", "Example", "Fuzz", "test"}

// Said is what the name of a test says: the name without the groups around it, in words.
func Said(name string) string { return inWords(ownName(name)) }

// ownName is a test's name without the groups around it.
func ownName(name string) string {
	return strings.TrimSpace(name[strings.LastIndex(name, "> ")+1:])
}

// inWords reads a test's name as words: TestLoginRejectsEmpty is "Login rejects
// empty"; titles in words stay as they are.
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

// isAcronym tells a word of two capitals and more, which may be many: "URLs", and not "Is".
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
		endsAcronym := i+2 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsLower(runes[i+2]) // not that of URLs
		if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && endsAcronym {
			out = append(out, string(runes[from:i]))
			from = i
		}
	}
	return append(out, string(runes[from:]))
}

// LastName is the last part of a qualified name: "add" of "List.add".
func LastName(name string) string {
	if i := strings.IndexAny(name, "(@"); i > 0 {
		name = name[:i]
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}
