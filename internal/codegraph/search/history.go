package search

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

// Change is a change of the past: the words of what its author said of it, by their stems, and the files that it changed.
type Change struct {
	Words []string
	Files []string
}

// NewChange returns the change of files that a text tells of.
func NewChange(text string, files []string) Change {
	return Change{wordsOf(text), files}
}

// wordsOf returns the stems of the words that carry meaning, each once. The numbers of discussions carry none.
func wordsOf(text string) (list []string) {
	seen := map[string]bool{}
	words.Each(text, func(word string, whole bool) {
		stem := words.Stem(word)
		if whole || stopWords[word] || seen[stem] || strings.Trim(word, "0123456789") == "" {
			return
		}
		seen[stem] = true
		list = append(list, stem)
	})
	return list
}

// Parameters of what the past says of files.
const (
	pastFiles = 10    // a change of more files says nothing of each
	pastFades = 600.0 // behind so many changes one counts half
	pastLikes = 50    // the changes that are most like what is asked for
)

// Past returns what changes, the latest first, say of files: in [0, 1], the more the likelier what a query asks for concerns a file,
// because changes of which their authors said something like it did.
func Past(changes []Change, query string) map[string]float64 {
	rarity, all := rarities(changes, query)
	type like struct {
		files []string
		worth float64
	}
	var alike []like
	for i := range changes {
		c := &changes[i]
		shared := 0.0
		for _, w := range c.Words {
			shared += rarity[w]
		}
		if n := float64(len(c.Files)); shared > 0 && n <= pastFiles {
			likeness := shared / all / math.Sqrt(1+float64(len(c.Words)))
			alike = append(alike, like{c.Files, likeness * likeness * likeness / (1 + float64(i)/pastFades) / math.Sqrt(n)})
		}
	}
	slices.SortStableFunc(alike, func(a, b like) int { return cmp.Compare(b.worth, a.worth) })
	past, most := map[string]float64{}, math.SmallestNonzeroFloat64
	for _, c := range alike[:min(len(alike), pastLikes)] {
		for _, f := range c.files {
			past[f] += c.worth
			most = max(most, past[f])
		}
	}
	for f, x := range past {
		past[f] = math.Sqrt(x / most)
	}
	return past
}

// rarities returns how rare the words of a query are among changes, and the sum of that.
func rarities(changes []Change, query string) (rarity map[string]float64, all float64) {
	with := map[string]float64{}
	for i := range changes {
		for _, w := range changes[i].Words {
			with[w]++
		}
	}
	rarity = map[string]float64{}
	n := float64(len(changes))
	for _, w := range wordsOf(query) {
		rarity[w] = math.Log(1 + (n-with[w]+0.5)/(with[w]+0.5))
		all += rarity[w]
	}
	return rarity, all
}
