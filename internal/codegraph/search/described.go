package search

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

// describedTable is written by scripts/described.sh. A line "whether is 244 has 32" says that of 1000 functions whose documentation begins
// with a sentence that has "whether", 244 have "is" in their name for it. A line "= get 104" says that 104 of 1000 names have "get", whatever
// their documentation says. Words are stems.
//
//go:embed described.txt
var describedTable string

// inNames is a word of names, and in how many of 1000 it is.
type inNames struct {
	stem  string
	share float64
}

// description is what the table says.
type description struct {
	names  map[string][]inNames // the words in names, by the word of the documentation
	common map[string]float64   // in how many of 1000 names a word is
}

// Defaults for what the table leaves out, in 1000 names.
const (
	itselfShare = 20  // a word of the documentation that is in the name, too
	rareShare   = 0.2 // a word in names of any documentation
)

var described = sync.OnceValue(func() *description {
	d := &description{names: map[string][]inNames{}, common: map[string]float64{}}
	for line := range strings.Lines(describedTable) {
		f := strings.Fields(line)
		for i := 1; i+1 < len(f); i += 2 {
			share, err := strconv.ParseFloat(f[i+1], 64)
			switch {
			case err != nil || strings.HasPrefix(f[0], "#"):
			case f[0] == "=":
				d.common[f[i]] = share
			default:
				d.names[f[0]] = append(d.names[f[0]], inNames{f[i], share})
			}
		}
	}
	return d
})

// usual returns in how many of 1000 names a word is.
func (d *description) usual(stem string) float64 {
	if share, ok := d.common[stem]; ok {
		return share
	}
	return rareShare
}

// share returns in how many of 1000 names a word is for a word of the documentation.
func (d *description) share(asked, stem string) (share float64) {
	if asked == stem {
		share = itselfShare
	}
	for _, n := range d.names[asked] {
		if n.stem == stem {
			return max(share, n.share)
		}
	}
	return share
}

// explained returns how much of a name, by its stems, the words of a question explain, from 0 to 1. A word of the name counts with the
// probability that it is there because of a word of the question: "is" in isEmpty for "whether", but hardly "get" in getSize for "use".
func (d *description) explained(asked, name []string) float64 {
	sum := 0.0
	for _, stem := range name {
		because := 0.0
		for _, a := range asked {
			because += d.share(a, stem)
		}
		sum += because / (because + d.usual(stem))
	}
	return sum / float64(len(name)+1) // a name of one word is explained by chance more often
}

// subjects returns the stems of a question's words without stop words.
func subjects(question string) (list []string) {
	seen := map[string]bool{}
	words.Each(question, func(word string, whole bool) {
		stem := words.Stem(word)
		if !whole && !stopWords[word] && !seen[stem] {
			seen[stem] = true
			list = append(list, stem)
		}
	})
	return list
}
