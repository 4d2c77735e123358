package rag

import (
	"context"
	"errors"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// item is a candidate on its way through the steps.
type item struct {
	Candidate
	node    codegraph.Node
	project *project.Project // that the file is in; nil for none
	path    string           // of the file there
	ranks   search.Ranks     // of an anchor
}

// found is what a search found.
type found struct {
	anchors []*item                  // the best first
	scores  map[codegraph.ID]float64 // of all hits
}

// method returns how the anchors that were taken were found.
func (f *found) method(anchors []*item) Method {
	if len(anchors) == 0 {
		anchors = f.anchors
	}
	words, vectors := false, false
	for _, it := range anchors {
		words, vectors = words || it.ranks.Words > 0, vectors || it.ranks.Vectors > 0
	}
	switch {
	case words && vectors:
		return ByBoth
	case vectors:
		return ByVectors
	default:
		return ByWords
	}
}

// The search looks further than the anchors: what is beyond them counts when the
// graph leads there, too, and some hits are left out at the boundary.
const (
	searchFactor = 5
	searchLeast  = 100
)

// search returns the symbols that the question is about.
func (q *question) search(ctx context.Context) (*found, error) {
	f := &found{scores: map[codegraph.ID]float64{}}
	opts := search.Options{Limit: max(searchLeast, searchFactor*q.opts.TopK)}
	if vectors, err := q.vectors(ctx); err != nil {
		q.wordsAlone(err)
	} else if vectors != nil {
		defer func() { _ = vectors.Close() }() // they were only read
		opts.Meaning = vectors
	}
	hits, err := search.Find(ctx, q.graph.Snapshot(), q.text, opts)
	if meaning := (*search.MeaningError)(nil); errors.As(err, &meaning) {
		q.wordsAlone(err)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	ids := make([]codegraph.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
		f.scores[h.ID] = h.Score
	}
	nodes, err := q.reader.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range nodes {
		if hasSource(&nodes[i]) {
			anchor := q.item(nodes[i], Embedding, hits[i].Score)
			anchor.ranks = hits[i].Ranks
			f.anchors = append(f.anchors, anchor)
		}
	}
	return f, nil
}

// vectors opens the vectors of the graph's symbols; nil without an embedder.
func (q *question) vectors(ctx context.Context) (*search.Vectors, error) {
	if q.opts.Embedder == nil {
		return nil, nil
	}
	state, err := q.graph.Stored().State(ctx)
	if err != nil {
		return nil, err
	}
	return search.OpenVectors(ctx, q.graph.Snapshot(), q.opts.Embedder, search.VectorOptions{
		Path: q.graph.Stored().Derived() + search.VectorsEnd, Stamp: fmt.Sprintf("%s %d", state.Identity, state.Serial),
	})
}

// wordsAlone says that the meaning of the question could not be asked for.
func (q *question) wordsAlone(why error) {
	q.degraded = true
	if meaning := (*search.MeaningError)(nil); !errors.As(why, &meaning) {
		why = &search.MeaningError{Reason: why}
	}
	q.warnings = append(q.warnings, message.Render(q.lang, why))
}

// hasSource reports whether a node is a piece of code.
func hasSource(n *codegraph.Node) bool {
	switch n.Label {
	case codegraph.LabelProject, codegraph.LabelPackage, codegraph.LabelFolder, codegraph.LabelFile, codegraph.LabelExternalPackage:
		return false
	default:
		return n.Path != "" && n.StartLine > 0
	}
}

// item makes a candidate of a node of the project.
func (q *question) item(n codegraph.Node, from Source, relevance float64) *item {
	return &item{
		Candidate: Candidate{
			File: n.Path, Relevance: relevance, Source: from, Symbol: n.QualifiedName, Label: n.Label,
			StartLine: n.StartLine, EndLine: n.EndLine, Signature: n.Signature,
		},
		node: n, project: q.graph.Project(), path: n.Path,
	}
}
