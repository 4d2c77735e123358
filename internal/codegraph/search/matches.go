package search

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
)

// matches are what a search for words found.
type matches struct {
	query          string
	found          snapshot.Found
	symbols, files []codegraph.Node // of found.Symbols and found.Files
	past           map[string]float64
}

// Weights beside those of signals, on their scale.
const (
	pastWeight  = 0.8 // changes of the past, relative to the words of a file
	namedExtra  = 2.5 // that the query is nothing but a symbol's name
	placeWeight = 2   // that the query names the place of a symbol
	wholeWeight = 2   // of a whole file, for what its words say
)

// Weights of what speaks for a file that a task concerns, relative to its words. One place alone rarely has the words of a task.
const (
	bestWeight = 0.5  // its best symbol
	nextWeight = 0.12 // each of the next two
	nameWords  = 0.3  // that all words of its name are asked for
	// within is the share that a symbol has by its own words in what speaks for its file.
	within = 0.6
)

// wholeFiles returns what the words of files say of them, from 0 to 1.
func (m *matches) wholeFiles() map[string]float64 {
	whole := map[string]float64{}
	for i, f := range m.files {
		whole[f.Path] = m.found.Files[i].Score * testFactor(&f)
	}
	best := best(maps.Values(whole))
	for path := range whole {
		whole[path] /= best
	}
	return whole
}

// scores returns what speaks for symbols, if whole says what the words of files say of them.
func (m *matches) scores(weights *weights, whole map[string]float64) []float64 {
	named, placed, asked := namedBy(m.query), placesIn(m.query), newAsked(m.query)
	scores := make([]float64, len(m.symbols))
	for i := range m.symbols {
		n := &m.symbols[i]
		signals := m.signals(i, asked, whole)
		score := weights.of(&signals) + placeWeight*placed.share(n)
		if named(n) {
			score += namedExtra
		}
		scores[i] = max(0, score) * prior(n)
	}
	return scores
}

// ofSubject ranks by what a query describes.
func (m *matches) ofSubject() []Hit {
	whole := m.wholeFiles()
	scores := m.scores(&subjectWeights, whole)
	hits := make([]Hit, 0, len(m.symbols)+len(m.files))
	for i := range m.symbols {
		hits = append(hits, Hit{ID: m.symbols[i].ID, Score: scores[i]})
	}
	for i := range m.files {
		n := &m.files[i]
		hits = append(hits, Hit{ID: n.ID, Score: wholeWeight * whole[n.Path] * prior(n)})
	}
	return hits
}

// ofTask ranks files by what speaks for each, and the symbols in them.
func (m *matches) ofTask() []Hit {
	scores := m.scores(&taskWeights, nil)
	best := map[string][]float64{} // of each file the three best scores
	code := map[string]float64{}   // of each file the best score of what is no test
	for i := range m.symbols {
		n := &m.symbols[i]
		list := append(best[n.Path], scores[i])
		slices.SortFunc(list, compareDown)
		best[n.Path] = list[:min(len(list), 3)]
		if !n.Test {
			code[n.Path] = max(code[n.Path], scores[i])
		}
	}
	worth := m.worths(best)
	hits := make([]Hit, 0, len(m.symbols)+len(m.files))
	for i := range m.symbols {
		n := &m.symbols[i]
		own := min(1, scores[i]/cmp.Or(code[n.Path], best[n.Path][0])) // tests in a file of code are not what the others are measured by
		hits = append(hits, Hit{ID: n.ID, Score: worth(n) * (1 - within + within*own)})
	}
	for i := range m.files {
		n := &m.files[i]
		share := 1.0
		if len(best[n.Path]) > 0 {
			share -= within
		}
		hits = append(hits, Hit{ID: n.ID, Score: worth(n) * share})
	}
	return hits
}

func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// worths returns how much speaks for the file of a node, given the best scores of the symbols in each file.
func (m *matches) worths(scores map[string][]float64) func(n *codegraph.Node) float64 {
	most := [3]float64{}
	for _, list := range scores {
		for i, s := range list {
			most[i] = max(most[i], s)
		}
	}
	whole := m.wholeFiles()
	asked := map[string]bool{}
	words.Each(m.query, func(word string, _ bool) { asked[words.Stem(word)] = true })
	weights := [3]float64{bestWeight, nextWeight, nextWeight}
	return func(n *codegraph.Node) float64 {
		sum := whole[n.Path] + pastWeight*m.past[n.Path] + nameWords*shareAsked(asked, strings.TrimSuffix(path.Base(n.Path), path.Ext(n.Path)))
		for i, s := range scores[n.Path] {
			sum += weights[i] * s / most[i]
		}
		return sum * testFactor(n)
	}
}

// shareAsked returns the share of a name's words that are asked for, by their stems.
func shareAsked(asked map[string]bool, name string) float64 {
	all, there := 0.0, 0.0
	words.Each(name, func(word string, whole bool) {
		if whole {
			return
		}
		all++
		if asked[words.Stem(word)] {
			there++
		}
	})
	return there / max(1, all)
}
