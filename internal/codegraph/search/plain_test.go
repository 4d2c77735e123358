package search_test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

// plain is BM25 over texts without fields, to compare with.
type plain struct {
	way       way
	documents []document
	postings  map[string][]occurrence
	lengths   []float64
	mean      float64
}

// way is a way to make words of texts for BM25.
type way struct {
	stem  bool // by their stems
	times int  // that a name counts
}

// plainWays are those that the baselines of the tasks try; what is best for a
// repository is what ours is compared with.
var plainWays = []way{{false, 1}, {true, 1}, {true, 3}}

// document is a node with its name and the text that it is found by.
type document struct {
	node       codegraph.Node
	name, text string
}

type occurrence struct {
	document int
	times    float64
}

// plainStop is as in the baselines of the tasks.
const plainStop = " a an the of to in for on and or is are be it this that with by from as at into if not its "

func plainOf(documents []document, w way) *plain {
	p := &plain{way: w, postings: map[string][]occurrence{}}
	for _, d := range documents {
		p.add(d)
	}
	for _, length := range p.lengths {
		p.mean += length / float64(len(p.lengths))
	}
	return p
}

func (p *plain) add(d document) {
	times, length := map[string]float64{}, 0.0
	for range p.way.times {
		words.Each(d.name, func(word string, _ bool) { times[p.word(word)]++ })
	}
	words.Each(d.text, func(word string, _ bool) {
		times[p.word(word)]++
		length++
	})
	for word, n := range times {
		p.postings[word] = append(p.postings[word], occurrence{len(p.documents), n})
	}
	p.documents, p.lengths = append(p.documents, d), append(p.lengths, length)
}

func (p *plain) word(word string) string {
	if p.way.stem {
		return words.Stem(word)
	}
	return word
}

// ask returns the nodes that describe a text, the best first.
func (p *plain) ask(text string) []codegraph.Node {
	scores, seen := map[int]float64{}, map[string]bool{}
	words.Each(text, func(word string, _ bool) {
		term := p.word(word)
		if seen[term] || strings.Contains(plainStop, " "+word+" ") {
			return
		}
		seen[term] = true
		list := p.postings[term]
		n, with := float64(len(p.documents)), float64(len(list))
		rarity := math.Log(1 + (n-with+0.5)/(with+0.5))
		for _, o := range list {
			scores[o.document] += rarity * o.times * 2.2 / (o.times + 1.2*(0.25+0.75*p.lengths[o.document]/p.mean))
		}
	})
	order := slices.SortedFunc(maps.Keys(scores), func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	var nodes []codegraph.Node
	there := map[codegraph.ID]bool{}
	for _, i := range order {
		if n := p.documents[i].node; !there[n.ID] && len(nodes) < 10 {
			there[n.ID] = true
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// plains is BM25 in several ways.
type plains []*plain

func plainsOf(documents []document) (list plains) {
	for _, w := range plainWays {
		list = append(list, plainOf(documents, w))
	}
	return list
}
