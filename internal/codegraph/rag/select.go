package rag

import (
	"cmp"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
)

const (
	perFileOfTask = 2  // the same, of what is to be changed or mended
	leastPerFile  = 3  // number of candidates of one file and source that any limit allows
	wholeLines    = 60 // number of lines up to which a symbol is shown with its nested symbols
)

// perFile returns the maximum number of candidates of one file and source: half of all, so that one file does not take
// the whole answer. A change or a fault concerns several files: one candidate leads to each.
func (q *question) perFile(limit int) int {
	if search.IsTask(q.text) {
		return perFileOfTask
	}
	return max(leastPerFile, limit/2)
}

// choose returns the best items of one source: at most limit, at most perFile of a file, with the minimum
// relevance, not vendored or generated, and not covered by those already taken.
func (q *question) choose(items []*item, limit int, taken []*item) []*item {
	var chosen []*item
	files := map[string]int{}
	perFile := q.perFile(limit)
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

// covered reports whether an item's text is part of an item already taken, or would contain one.
func covered(it *item, taken []*item) bool {
	for _, t := range taken {
		if t.File != it.File {
			continue
		}
		inside := it.StartLine >= t.StartLine && it.EndLine <= t.EndLine && t.lines() <= wholeLines
		around := t.StartLine >= it.StartLine && t.EndLine <= it.EndLine && it.lines() <= wholeLines
		// A whole file adds nothing to what was found in it.
		if t.Symbol == it.Symbol || inside || around || it.Label == codegraph.LabelModule {
			return true
		}
	}
	return false
}

func (it *item) lines() int { return it.EndLine - it.StartLine + 1 }

// order is the order of sources at equal relevance.
var order = []Source{Embedding, FromGraph, Virtual}

// byRelevance sorts items by relevance, highest first, then by location.
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

// round rounds to four digits, for readability.
func round(x float64) float64 { return math.Round(min(max(x, 0), 1)*1e4) / 1e4 }
