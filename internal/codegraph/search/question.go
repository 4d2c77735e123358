package search

import (
	"math"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
)

// Weights of query terms. An identifier that is written out is more specific than its parts; two adjacent words may
// be one identifier.
const (
	nameWeight = 1.5
	pairWeight = 0.2
	// shortWeight is that of what programmers write for a word in names.
	shortWeight = 0.5
	// namedWeight is that of a word in names that has no other reason to be there than a word of the query.
	namedWeight = 0.5
	// namedShare is in how many of 1000 names such a word is, at least.
	namedShare = 30
	// repeated is the exponent of a word's number of occurrences.
	repeated = 0.5
	// maxTerms is the maximum number of distinct words in a query; further words are ignored.
	maxTerms = 500
)

// stopWords carry no meaning for code. As part of an identifier they count: "is" in "isOpen".
var stopWords = set(`a an the of to in for on and or is are be it this that with by from as at into if not its
	was were been has have had do does did will would can could should may might must i we you they he she them their our
	your my which who whom what when where why how there here these those then than so such also any all each every some
	no only`)

func set(list string) map[string]bool {
	of := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		of[w] = true
	}
	return of
}

// termsOf returns the search terms of a query: its words without stop words, unless it has only stop words.
func termsOf(question string) []snapshot.Term {
	t := terms{at: map[string]int{}}
	words.Each(question, t.word)
	if len(t.list) == 0 {
		t.all = true
		words.Each(question, t.word)
	}
	for i, n := range t.times {
		t.list[i].Weight *= math.Pow(float64(max(1, n)), repeated)
	}
	return t.list
}

// terms collects search terms.
type terms struct {
	all   bool // include stop words
	list  []snapshot.Term
	times []int
	at    map[string]int
	last  string // the previous word; "" if none
}

func (t *terms) word(word string, whole bool) {
	switch {
	case whole:
		t.add(word, nameWeight)
	case stopWords[word] && !t.all:
		t.last = ""
	default:
		t.add(word, 1)
		t.hints(words.Stem(word))
		if t.last != "" {
			t.add(t.last+word, pairWeight)
		}
		t.last = word
	}
}

// hints adds what names have for a word.
func (t *terms) hints(stem string) {
	for _, short := range shortForms[stem] {
		t.hint(short, shortWeight)
	}
	d := described()
	for _, n := range d.names[stem] {
		if n.share >= namedShare {
			t.hint(n.stem, namedWeight*n.share/(n.share+d.usual(n.stem)))
		}
	}
}

// hint adds a term that a node may have in place of another one, or increases its weight.
func (t *terms) hint(stem string, weight float64) {
	i, known := t.at[stem]
	switch {
	case known && t.list[i].Hint:
		t.list[i].Weight = max(t.list[i].Weight, weight)
	case !known && len(t.list) < maxTerms:
		t.at[stem] = len(t.list)
		t.list, t.times = append(t.list, snapshot.Term{Text: stem, Weight: weight, Hint: true}), append(t.times, 0)
	}
}

// add adds a term, or increases its weight.
func (t *terms) add(word string, weight float64) {
	stem := words.Stem(word)
	i, known := t.at[stem]
	if !known && len(t.list) == maxTerms {
		return
	}
	if !known {
		i = len(t.list)
		t.at[stem] = i
		t.list, t.times = append(t.list, snapshot.Term{Text: stem}), append(t.times, 0)
	}
	if weight >= 1 {
		t.times[i]++
	}
	t.list[i].Weight = max(t.list[i].Weight, weight)
	t.list[i].Hint = false
}
