package question

import (
	"strconv"
	"strings"
	"sync"
)

// meaning is the meaning of a word: concepts, or a kind of symbol, a language, a number.
type meaning struct {
	concepts []string
	kind     *kind
	plural   bool // cannot qualify an adjacent name
	value    string
}

// vocabulary maps each lower-case word or phrase to its meaning.
var vocabulary = sync.OnceValue(index)

func index() map[string]meaning {
	all := map[string]meaning{}
	for concepts, list := range words {
		for word := range strings.SplitSeq(list, "|") {
			all[strings.TrimSpace(word)] = meaning{concepts: strings.Fields(concepts)}
		}
	}
	for i := range kinds {
		k := &kinds[i]
		for word := range strings.SplitSeq(k.one, "|") {
			all[word] = meaning{concepts: []string{"kind"}, kind: k}
		}
		for word := range strings.SplitSeq(k.many, "|") {
			all[word] = meaning{concepts: []string{"kind"}, kind: k, plural: true}
		}
	}
	for name, list := range languages {
		for word := range strings.SplitSeq(list, "|") {
			all[word] = meaning{concepts: []string{"written"}, value: name}
		}
	}
	for i, list := range numbers {
		for word := range strings.SplitSeq(list, "|") {
			all[word] = meaning{concepts: []string{"9"}, value: strconv.Itoa(i)}
		}
	}
	delete(all, "")
	return all
}

// numbers are the words for small numbers.
var numbers = [...]string{
	2: "two|二|两", 3: "three|三", 4: "four|四", 5: "five|五", 6: "six|六",
	7: "seven|七", 8: "eight|八", 9: "nine|九", 10: "ten|十",
}
