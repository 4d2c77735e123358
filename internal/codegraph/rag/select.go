package rag

import (
	"cmp"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
)

const (
	leastPerFile = 3  // number of candidates of one file and source that any limit allows
	wholeLines   = 60 // number of lines up to which a symbol is shown with its nested symbols
)

// What another candidate of the same file counts when candidates are chosen: less than one of another file. A change or a fault concerns
// several files, and one candidate leads to each.
const (
	again       = 0.85
	againOfTask = 0.5
)

// choose returns the best items of one source, most relevant first: at most limit, of a file at most half of that, with the minimum
// relevance, not vendored or generated, and not covered by those already taken. The more of a file are chosen, the less another one of it
// counts, so that a greater limit leads to more files.
func (q *question) choose(items []*item, limit int, taken []*item) []*item {
	share := again
	if search.IsTask(q.text) {
		share = againOfTask
	}
	var left, chosen []*item
	for _, it := range items {
		if it.Relevance = round(it.Relevance); it.Relevance >= q.opts.MinRelevance {
			left = append(left, it)
		}
	}
	files := map[string]int{}
	for len(chosen) < limit && len(left) > 0 {
		best, most := 0, -1.0
		for i, it := range left {
			if it.Relevance <= most {
				break // so are all others
			}
			if worth := it.Relevance * math.Pow(share, float64(files[it.File])); worth > most {
				best, most = i, worth
			}
		}
		it := left[best]
		left = slices.Delete(left, best, best+1)
		switch {
		case files[it.File] == max(leastPerFile, limit/2) || covered(it, taken) || covered(it, chosen):
		case q.boundary(it):
			q.filtered[it.File+"\x00"+it.Symbol] = true
		default:
			files[it.File]++
			chosen = append(chosen, it)
		}
	}
	byRelevance(chosen)
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
