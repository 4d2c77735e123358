package ask

import "strings"

// Concepts is a question as it is read, for tests: what each token is, and the text
// of names.
func Concepts(question string) []string {
	var out []string
	for _, t := range read(question).tokens {
		switch t.is {
		case "$", "/", "@", "suffix", "9", "unknown", "written":
			out = append(out, t.is+":"+t.text)
		default:
			out = append(out, t.is)
		}
	}
	return out
}

// Twice returns the words that the vocabulary has in two places.
func Twice() []string {
	seen := map[string]int{}
	for _, list := range words {
		for word := range strings.SplitSeq(list, "|") {
			seen[strings.TrimSpace(word)]++
		}
	}
	for _, k := range kinds {
		for word := range strings.SplitSeq(k.one+"|"+k.many, "|") {
			seen[word]++
		}
	}
	for _, list := range languages {
		for word := range strings.SplitSeq(list, "|") {
			seen[word]++
		}
	}
	for _, list := range numbers {
		for word := range strings.SplitSeq(list, "|") {
			seen[word]++
		}
	}
	delete(seen, "")
	var out []string
	for word, n := range seen {
		if n > 1 {
			out = append(out, word)
		}
	}
	return out
}
