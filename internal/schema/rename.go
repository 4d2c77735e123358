package schema

import (
	"strings"
	"unicode"
)

// rename converts a name to a style of serde's rename_all and similar options.
func rename(name, style string) string {
	words := wordsOf(name)
	switch style {
	case "lowercase":
		return strings.ToLower(name)
	case "UPPERCASE":
		return strings.ToUpper(name)
	case "camelCase":
		return lowerFirst(titles(words))
	case "PascalCase":
		return titles(words)
	case "snake_case":
		return strings.ToLower(strings.Join(words, "_"))
	case "SCREAMING_SNAKE_CASE":
		return strings.ToUpper(strings.Join(words, "_"))
	case "kebab-case":
		return strings.ToLower(strings.Join(words, "-"))
	case "SCREAMING-KEBAB-CASE":
		return strings.ToUpper(strings.Join(words, "-"))
	}
	return name
}

// wordsOf splits fooBar, FooBar and foo_bar.
func wordsOf(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
		}
		word = nil
	}
	for _, c := range name {
		switch {
		case c == '_' || c == '-':
			flush()
			continue
		case unicode.IsUpper(c):
			flush()
		}
		word = append(word, c)
	}
	flush()
	return out
}

func titles(words []string) string {
	var b strings.Builder
	for _, w := range words {
		r := []rune(w)
		b.WriteString(string(unicode.ToUpper(r[0])) + string(r[1:]))
	}
	return b.String()
}

func lowerFirst(text string) string {
	r := []rune(text)
	if len(r) == 0 {
		return ""
	}
	return string(unicode.ToLower(r[0])) + string(r[1:])
}
