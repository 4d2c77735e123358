package rag

import (
	"context"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/graph"
	"github.com/reverse-spec/reverse-spec/search/words"
)

// Reranker judges candidates again.
type Reranker interface {
	Name() string
	// Rerank returns the relevance of each candidate, in [0, 1].
	Rerank(ctx context.Context, query string, candidates []Candidate) ([]float64, error)
}

// rerank orders the items anew. Where there is no model, or it fails, the heuristic
// does it, and the metadata say why.
func (q *question) rerank(ctx context.Context, items []*item, m *Metadata) {
	m.Reranked, m.Provider = true, "heuristic"
	switch {
	case len(items) == 0:
		m.Reranked, m.FallbackReason = false, "empty_candidates"
		return
	case q.opts.Reranker == nil:
		m.FallbackReason = "no_model"
	default:
		candidates := make([]Candidate, len(items))
		for i, it := range items {
			it.Content = q.files.read(it.project, it.path).between(it.StartLine, it.EndLine)
			candidates[i] = it.Candidate
		}
		scores, err := q.opts.Reranker.Rerank(ctx, q.text, candidates)
		if err == nil && len(scores) == len(items) {
			m.Provider = q.opts.Reranker.Name()
			for i, it := range items {
				it.Relevance = round(scores[i])
			}
			byRelevance(items)
			return
		}
		m.FallbackReason = "model_failed"
	}
	heuristic(q.text, items)
}

// What the heuristic takes off the distance to full relevance, or off the
// relevance.
const (
	exactName = 0.5 // the question is, or says, the symbol's name
	wordShare = 0.3 // all words of the name are in the question
	pathShare = 0.1 // so are words of the file's name
	testLess  = 0.3 // the symbol is a test, and the question does not ask for tests
)

// heuristic judges by names: what is called as the question says goes up, tests go
// down unless the question asks for them.
func heuristic(text string, items []*item) {
	asked := map[string]bool{}
	for _, w := range stems(text) {
		asked[w] = true
	}
	literal := map[string]bool{}
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		literal[strings.Trim(w, "`'\"().,:;?!")] = true
	}
	tests := asked["test"]
	for _, it := range items {
		name := it.node.Name
		if name == "" {
			name = it.Symbol[strings.LastIndexByte(it.Symbol, '.')+1:]
		}
		lift := wordShare*known(asked, name) + pathShare*known(asked, strings.TrimSuffix(path.Base(it.path), path.Ext(it.path)))
		if literal[strings.ToLower(name)] {
			lift += exactName
		}
		it.Relevance += (1 - it.Relevance) * lift
		if it.node.Test && !tests {
			it.Relevance *= 1 - testLess
		}
		if it.Label == graph.LabelModule {
			it.Relevance *= 1 - wordShare // a whole file is seldom the answer
		}
		it.Relevance = round(it.Relevance)
	}
	byRelevance(items)
}

// known tells which share of the words of a name were asked for.
func known(asked map[string]bool, name string) float64 {
	parts := stems(name)
	n := 0
	for _, p := range parts {
		if asked[p] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(parts)))
}

// stems returns the words of a text without their endings.
func stems(text string) []string {
	var list []string
	words.Each(text, func(word string, whole bool) {
		if !whole {
			list = append(list, words.Stem(word))
		}
	})
	return list
}
