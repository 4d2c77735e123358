package snapshot

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Hit is a search result.
type Hit struct {
	ID    codegraph.ID
	Score float64 // BM25F; higher is better
	// Has is the share of the terms, by how rare they are, that the node has: of words alone, without pairs and hints.
	Has float64
}

// Term is a search term, as returned by [words.Stem] for a word of [words.Each].
type Term struct {
	Text   string
	Weight float64 // weight of the word in the query; more than 0
	Hint   bool    // it stands for another word, of which it says less; it counts neither as known nor for the most that a node may have
}

// Found is the result of a search.
type Found struct {
	Symbols []Hit // all nodes except the modules of files, best first
	// Files are modules, with the full text of their files. Their scores are not comparable with those of symbols.
	Files []Hit
	// Known is the share, by weight, of the terms that occur in the graph.
	Known float64
	// Most is the score of a node that is full of all terms.
	Most float64
}

// Search returns the best matches for the terms: at most limit symbols and as many files. Terms should be distinct.
func (s *Snapshot) Search(ctx context.Context, terms []Term, limit int) (found Found, err error) {
	if err := ctx.Err(); err != nil {
		return Found{}, err
	}
	err = s.read(func() error {
		t := s.takeTally()
		defer s.putTally(t)
		rare, err := s.score(terms, t, &found)
		if err != nil {
			return err
		}
		symbols, files := s.split(t.touched)
		found.Symbols, found.Files = s.top(symbols, t, rare, limit), s.top(files, t, rare, limit)
		return nil
	}, secIDs, secNodes, secStrings, secText, secTerms, secTermEnds, secTermCounts, secPostings)
	return found, err
}

// split partitions places, in place, into those of symbols and those of modules.
func (s *Snapshot) split(places []uint32) (symbols, files []uint32) {
	module := slices.Index(s.dict.Labels, codegraph.LabelModule)
	n := 0
	for i, place := range places {
		if int(s.nodes[place].label) != module {
			places[n], places[i] = places[i], places[n]
			n++
		}
	}
	return places[:n], places[n:]
}

// tally accumulates the scores of one search.
type tally struct {
	scores  []float32 // by place
	has     []float32 // by place: how rare the words are that it has
	touched []uint32  // places with a score other than 0
}

// takeTally returns an empty tally from the pool.
func (s *Snapshot) takeTally() *tally {
	if t, ok := s.tallies.Get().(*tally); ok {
		return t
	}
	return &tally{scores: make([]float32, len(s.ids)), has: make([]float32, len(s.ids))}
}

// putTally empties a tally and returns it to the pool.
func (s *Snapshot) putTally(t *tally) {
	for _, place := range t.touched {
		t.scores[place], t.has[place] = 0, 0
	}
	t.touched = t.touched[:0]
	s.tallies.Put(t)
}

// idfWeight is the influence of inverse document frequency: the weight of a term is 1 plus commonness times its
// idf. It is small because queries are short and have few accidental words, so that the number of matching terms
// matters most.
const idfWeight = 0.2

// wordWeight is the least weight of a term that is a word of the query, not only a pair of them.
const wordWeight = 1

// score adds the impacts of the terms to the nodes' scores. It sets the share of known terms, and the score of a node that is full of
// all terms, and returns how rare all words together are.
func (s *Snapshot) score(terms []Term, t *tally, found *Found) (rare float64, err error) {
	known, all := 0.0, 0.0
	n := float64(len(s.ids))
	for _, term := range terms {
		i, there, err := find(s.terms, term.Text, s.bytesOf)
		if err != nil {
			return 0, err
		}
		with := 0.0
		if there {
			with = float64(s.termCounts[i])
		}
		rarity := math.Log(1 + max(0, n-with+0.5)/(with+0.5))
		weight, own := term.Weight*(1+idfWeight*rarity), 0.0
		if !term.Hint {
			all += term.Weight
			found.Most += weight
			if there {
				known += term.Weight
			}
			if term.Weight >= wordWeight {
				own = rarity
				rare += own
			}
		}
		if !there {
			continue
		}
		postings, err := span(s.postings, s.termEnds, i)
		if err != nil {
			return 0, err
		}
		if err := t.add(postings, float32(weight/maxImpact), float32(own)); err != nil {
			return 0, err
		}
	}
	found.Known = known / max(all, 1e-9)
	return rare, nil
}

// add adds the impacts of a term's postings, and how rare it is.
func (t *tally) add(postings []byte, weight, rarity float32) error {
	place := uint64(0)
	for len(postings) > 0 {
		step, n := binary.Uvarint(postings)
		if n <= 0 || n >= len(postings) {
			return fmt.Errorf("%w: a posting", ErrDamaged)
		}
		impact := postings[n]
		postings = postings[n+1:]
		if place += step; place >= uint64(len(t.scores)) || step > uint64(len(t.scores)) || impact == 0 {
			return fmt.Errorf("%w: a posting", ErrDamaged)
		}
		if t.scores[place] == 0 {
			t.touched = append(t.touched, uint32(place))
		}
		t.scores[place] += weight * float32(impact)
		t.has[place] += rarity
	}
	return nil
}

// top returns the nodes with the best scores.
func (s *Snapshot) top(places []uint32, t *tally, rare float64, limit int) []Hit {
	best := best(places, t.scores, limit)
	hits := make([]Hit, len(best))
	for i, place := range best {
		hits[i] = Hit{ID: codegraph.ID(s.ids[place]), Score: float64(t.scores[place]), Has: float64(t.has[place]) / max(rare, 1e-9)}
	}
	return hits
}

// best returns the places with the best scores, best first, equal scores by id.
func best(places []uint32, scores []float32, limit int) []uint32 {
	if limit <= 0 {
		return nil
	}
	better := func(a, b uint32) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) }
	best := make([]uint32, 0, min(limit, len(places))) // a heap whose first element is the worst
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

// sink moves the first element of a heap down to its position.
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
