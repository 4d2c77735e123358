package rag

import (
	"cmp"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

const (
	perFile = 3  // most candidates of one file and source
	whole   = 60 // lines up to which a symbol is shown with all that lies in it
)

// choose takes the best of one source: at most limit, of one file at most perFile,
// as relevant as asked for, written here, and not already in what was taken.
func (q *question) choose(items []*item, limit int, taken []*item) []*item {
	var chosen []*item
	files := map[string]int{}
	for _, it := range items {
		it.Relevance = round(it.Relevance)
		switch {
		case len(chosen) == limit:
			return chosen
		case it.Relevance < q.opts.MinRelevance:
			return chosen
		case files[it.File] == perFile || covered(it, taken) || covered(it, chosen):
		case q.boundary(it):
			q.filtered[it.File+"\x00"+it.Symbol] = true
		default:
			files[it.File]++
			chosen = append(chosen, it)
		}
	}
	return chosen
}

// covered reports whether an item is shown with one that was taken, or would show that
// one again.
func covered(it *item, taken []*item) bool {
	for _, t := range taken {
		if t.File != it.File {
			continue
		}
		inside := it.StartLine >= t.StartLine && it.EndLine <= t.EndLine && t.lines() <= whole
		around := t.StartLine >= it.StartLine && t.EndLine <= it.EndLine && it.lines() <= whole
		// A file as a whole says nothing that is not said better by what was found in it.
		if t.Symbol == it.Symbol || inside || around || it.Label == codegraph.LabelModule {
			return true
		}
	}
	return false
}

func (it *item) lines() int { return it.EndLine - it.StartLine + 1 }

// order is of sources at equal relevance.
var order = []Source{Embedding, FromGraph, Virtual} //nolint:gochecknoglobals // a table

// byRelevance sorts items, the most relevant first; what is equal, by its place.
func byRelevance(items []*item) {
	slices.SortFunc(items, func(a, b *item) int {
		return cmp.Or(
			cmp.Compare(round(b.Relevance), round(a.Relevance)),
			cmp.Compare(slices.Index(order, a.Source), slices.Index(order, b.Source)),
			cmp.Compare(a.Distance, b.Distance),
			cmp.Compare(a.File, b.File), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.Symbol, b.Symbol),
		)
	})
}

// merge joins the sources.
func merge(sources ...[]*item) []*item {
	all := slices.Concat(sources...)
	byRelevance(all)
	return all
}

// round rounds to four digits, so that a relevance reads well.
func round(x float64) float64 { return math.Round(min(max(x, 0), 1)*1e4) / 1e4 }
