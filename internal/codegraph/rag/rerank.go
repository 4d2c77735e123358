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

// The reasons for which no model judged, in [Metadata.FallbackReason].
const (
	noCandidates = "empty_candidates"
	noModel      = "no_model"      // none is configured: the heuristic judged
	modelFailed  = "model_failed"  // it gave no order that can be used: the order is as it was
	modelTimeout = "model_timeout" // it took too long: the same
)

// rerank orders the items anew: by the model, or, where none is configured, by the
// heuristic. A model that fails leaves the order as it was. The metadata say who judged,
// and why it was not the model. The error is the context's.
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
	q.degraded = true // another time it may answer
	m.FallbackReason = modelFailed
	if failed, ok := errors.AsType[*llm.Error](err); errors.Is(err, errLate) || ok && failed.Kind == llm.KindTimeout {
		m.FallbackReason = modelTimeout
	}
	q.warn(message.New("not reranked, the order is that of the search: %s", shorten(message.Render(q.lang, err), mostReason)))
	return nil
}

// mostReason is how much is quoted of why a model failed, in bytes.
const mostReason = 300

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
		if it.Label == codegraph.LabelModule {
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
