package snapshot

import (
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/graph"
)

// wordIndex collects the words of the nodes.
type wordIndex struct {
	known    map[string]uint32 // word -> number, from 0 in the order they are met
	list     []string
	postings []posting // in the order of nodes
	lengths  []uint32
	total    uint64
	counts   map[uint32]uint32 // of the node at hand
	order    []uint32          // the keys of counts
}

// posting is a word of a node, and how often it has it.
type posting struct {
	word, place uint32
	freq        uint8
}

// nameWeight is how much more a word counts in a node's name than elsewhere.
const nameWeight = 3

func newWordIndex() wordIndex {
	return wordIndex{known: map[string]uint32{}, counts: map[uint32]uint32{}}
}

// add adds the words of a node.
func (w *wordIndex) add(place uint32, n *graph.Node) {
	clear(w.counts)
	w.order = w.order[:0]
	length := uint32(0)
	count := func(weight uint32) func(string) {
		return func(term string) {
			id, ok := w.known[term]
			if !ok {
				id = uint32(len(w.list))
				term = strings.Clone(term)
				w.known[term] = id
				w.list = append(w.list, term)
			}
			if w.counts[id] == 0 {
				w.order = append(w.order, id)
			}
			w.counts[id] += weight
			length += weight
		}
	}
	eachTerm(n.Name, count(nameWeight))
	once := count(1)
	for _, text := range []string{n.Signature, n.Doc, n.Path} {
		eachTerm(text, once)
	}
	for _, id := range w.order {
		w.postings = append(w.postings, posting{id, place, uint8(min(w.counts[id], math.MaxUint8))})
	}
	w.lengths = append(w.lengths, length)
	w.total += uint64(length)
}

// finish adds the words to the strings, and returns them sorted, with their
// postings.
func (w *wordIndex) finish(t *texts) (terms, ends, places []uint32, freqs []uint8) {
	order := make([]uint32, len(w.list))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(w.list[a], w.list[b]) })
	rank := make([]uint32, len(order))
	terms = make([]uint32, len(order))
	for i, word := range order {
		rank[word] = uint32(i)
		terms[i] = t.shared(w.list[word])
	}
	places, freqs = make([]uint32, len(w.postings)), make([]uint8, len(w.postings))
	ends = group(len(terms), len(w.postings), func(i int) uint32 { return rank[w.postings[i].word] }, func(i int, to uint32) {
		places[to], freqs[to] = w.postings[i].place, w.postings[i].freq
	})
	return terms, ends, places, freqs
}
