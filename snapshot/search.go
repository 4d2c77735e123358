package snapshot

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/graph"
)

// The parameters of BM25, as is usual (Robertson and Zaragoza, 2009).
const (
	bm25K = 1.2
	bm25B = 0.75
)

// Hit is a node that was found.
type Hit struct {
	ID    graph.ID
	Score float64 // by BM25, more is better
}

// Search returns the nodes that the terms describe best, the best first, at most
// limit of them. Terms are words as [Terms] gives them; a term given twice counts
// once. What a node is described by is its name, signature, documentation and
// path.
func (s *Snapshot) Search(ctx context.Context, terms []string, limit int) (hits []Hit, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.read(func() error {
		t := s.takeTally()
		if err := s.score(slices.Compact(slices.Sorted(slices.Values(terms))), t); err != nil {
			return err
		}
		best := top(t.touched, t.scores, limit)
		hits = make([]Hit, len(best))
		for i, place := range best {
			hits[i] = Hit{ID: graph.ID(s.ids[place]), Score: float64(t.scores[place])}
		}
		s.putTally(t)
		return nil
	}, secIDs, secStrings, secText, secTerms, secTermEnds, secPostings, secFreqs, secLengths)
	return hits, err
}

// tally is what one search finds out.
type tally struct {
	scores  []float32 // of each node
	touched []uint32  // the nodes whose scores are not 0
}

// takeTally returns an empty tally.
func (s *Snapshot) takeTally() *tally {
	if t, ok := s.tallies.Get().(*tally); ok {
		return t
	}
	return &tally{scores: make([]float32, len(s.ids))}
}

// putTally empties a tally for the next search.
func (s *Snapshot) putTally(t *tally) {
	for _, place := range t.touched {
		t.scores[place] = 0
	}
	t.touched = t.touched[:0]
	s.tallies.Put(t)
}

// score adds up what the terms say of each node.
func (s *Snapshot) score(terms []string, t *tally) error {
	n := float64(len(s.ids))
	mean := max(1, float64(s.dict.Words)/max(1, n))
	for _, term := range terms {
		i, found, err := find(s.terms, term, s.bytesOf)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		places, err := span(s.postings, s.termEnds, i)
		if err != nil {
			return err
		}
		freqs, err := span(s.freqs, s.termEnds, i)
		if err != nil {
			return err
		}
		df := float64(len(places))
		idf := float32(math.Log(1 + max(0, n-df+0.5)/(df+0.5)))
		a, b := float32(bm25K*(1-bm25B)), float32(bm25K*bm25B/mean)
		for k, place := range places {
			if uint64(place) >= uint64(len(t.scores)) {
				return fmt.Errorf("%w: a posting", ErrDamaged)
			}
			tf := float32(freqs[k])
			if t.scores[place] == 0 {
				t.touched = append(t.touched, place)
			}
			t.scores[place] += idf * tf * (bm25K + 1) / (tf + a + b*float32(s.lengths[place]))
		}
	}
	return nil
}

// top returns the places of the best scores, the best first, and of equal ones
// that of the smaller id.
func top(places []uint32, scores []float32, limit int) []uint32 {
	if limit <= 0 {
		return nil
	}
	better := func(a, b uint32) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) }
	best := make([]uint32, 0, min(limit, len(places))) // a heap whose first is the worst
	for _, p := range places {
		switch {
		case len(best) < limit:
			best = append(best, p)
			for i := len(best) - 1; i > 0 && better(best[i], best[(i-1)/2]) > 0; i = (i - 1) / 2 {
				best[i], best[(i-1)/2] = best[(i-1)/2], best[i]
			}
		case better(p, best[0]) < 0:
			best[0] = p
			sink(best, better)
		}
	}
	slices.SortFunc(best, better)
	return best
}

// sink moves the first of a heap down to its place.
func sink(heap []uint32, better func(a, b uint32) int) {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if better(heap[child], heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		heap[i], heap[worst] = heap[worst], heap[i]
		i = worst
	}
}
