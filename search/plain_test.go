package search_test

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/graph"
	"github.com/reverse-spec/reverse-spec/search/words"
)

// plain is BM25 over texts without fields, to compare with: the parts of names and
// the names, by their stems, without the commonest English words.
type plain struct {
	documents []document
	postings  map[string][]occurrence
	lengths   []float64
	mean      float64
}

// document is a node with the text that it is found by.
type document struct {
	node graph.Node
	text string
}

type occurrence struct {
	document int
	times    float64
}

// plainStop is as in the baselines of the tasks.
const plainStop = " a an the of to in for on and or is are be it this that with by from as at into if not its "

func plainOf(documents []document) *plain {
	p := &plain{documents: documents, postings: map[string][]occurrence{}}
	for i, d := range documents {
		times, length := map[string]float64{}, 0.0
		words.Each(d.text, func(word string, _ bool) {
			times[words.Stem(word)]++
			length++
		})
		for word, n := range times {
			p.postings[word] = append(p.postings[word], occurrence{i, n})
		}
		p.lengths = append(p.lengths, length)
		p.mean += length / float64(len(documents))
	}
	return p
}

// ask returns the documents that describe a text, the best first.
func (p *plain) ask(text string) []graph.Node {
	scores, seen := map[int]float64{}, map[string]bool{}
	words.Each(text, func(word string, _ bool) {
		stem := words.Stem(word)
		if seen[stem] || strings.Contains(plainStop, " "+word+" ") {
			return
		}
		seen[stem] = true
		list := p.postings[stem]
		n, with := float64(len(p.documents)), float64(len(list))
		rarity := math.Log(1 + (n-with+0.5)/(with+0.5))
		for _, o := range list {
			scores[o.document] += rarity * o.times * 2.2 / (o.times + 1.2*(0.25+0.75*p.lengths[o.document]/p.mean))
		}
	})
	order := make([]int, 0, len(scores))
	for i := range scores {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	nodes := make([]graph.Node, 0, 10)
	for _, i := range order[:min(10, len(order))] {
		nodes = append(nodes, p.documents[i].node)
	}
	return nodes
}
