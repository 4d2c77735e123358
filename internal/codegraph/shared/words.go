package shared

import "github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"

// Words calls f with the words of a name or a question, in the form in which [store.Links.Rank] compares them.
func Words(text string, f func(word string)) {
	words.Each(text, func(word string, whole bool) {
		if !whole {
			f(words.Stem(word))
		}
	})
}
