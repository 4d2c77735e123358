package question

import "strings"

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

// Translate turns a question into Cypher, from its first row on.
func Translate(question string, limit int) (Translation, bool) {
	return translatePage(question, 0, limit)
}

// Nearest returns the n examples of questions that work which are nearest to a
// question, the nearest first, in its language.
func Nearest(question string, n int) []string {
	return kindList(nearestKinds(question, n)).texts(languageOf(question))
}
