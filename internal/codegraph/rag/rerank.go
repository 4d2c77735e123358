package rag

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The reasons for not using a model, in [Metadata.FallbackReason].
const (
	noCandidates = "empty_candidates"
	noModel      = "no_model"      // not configured: the heuristic is used
	modelFailed  = "model_failed"  // no usable answer: the order is unchanged
	modelTimeout = "model_timeout" // too late: the order is unchanged
)

// rerank reorders the items with the model or, if none is configured, with the heuristic. If the model fails, the
// order is unchanged. The metadata records which was used, and why not the model. The error is that of the context.
func (q *question) rerank(ctx context.Context, items []*item, m *Metadata) error {
	switch {
	case len(items) == 0:
		m.Provider, m.FallbackReason = "heuristic", noCandidates
		return nil
	case q.opts.Model == nil:
		m.Reranked, m.Provider, m.FallbackReason = true, "heuristic", noModel
		heuristic(q.text, items)
		return nil
	}
	m.Rerank = &ModelUse{Model: q.opts.Model.Name()}
	err := q.judge(ctx, items, m.Rerank)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		m.Reranked, m.Provider = true, m.Rerank.Model
		return nil
	}
	q.degraded = true // a later attempt may succeed
	m.FallbackReason = modelFailed
	if failed, ok := errors.AsType[*llm.Error](err); errors.Is(err, errLate) || ok && failed.Kind == llm.KindTimeout {
		m.FallbackReason = modelTimeout
	}
	q.warn(message.New("not reranked, the order is that of the search: %s", shorten(message.Render(q.lang, err), maxReason)))
	return nil
}

// maxReason is the maximum length of a quoted error of the model, in bytes.
const maxReason = 300

// Factors of the heuristic, applied to the distance to relevance 1 or to the relevance.
const (
	exactName = 0.5 // the question is, or contains, the symbol's name
	wordShare = 0.3 // all words of the name are in the question
	pathShare = 0.1 // words of the file's name are in the question
	testLess  = 0.3 // the symbol is a test, and the question is not about tests
)

// heuristic reorders by names: symbols named in the question move up; tests move down unless the question is about
// tests.
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
		if it.Label == codegraph.LabelModule {
			it.Relevance *= 1 - wordShare // a whole file is rarely the answer
		}
		it.Relevance = round(it.Relevance)
	}
	byRelevance(items)
}

// known returns the share of a name's words that are in the question.
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

// stems returns the stems of the words of a text.
func stems(text string) []string {
	var list []string
	words.Each(text, func(word string, whole bool) {
		if !whole {
			list = append(list, words.Stem(word))
		}
	})
	return list
}
