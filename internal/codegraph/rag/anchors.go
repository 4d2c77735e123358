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

// item is a candidate in progress.
type item struct {
	Candidate
	node    codegraph.Node
	project *project.Project // the project of the file; nil if unavailable
	path    string           // path of the file in project
	ranks   search.Ranks     // ranks of an anchor in the search
}

// found is the result of the search.
type found struct {
	anchors []*item                  // best first
	scores  map[codegraph.ID]float64 // of all hits
}

// method returns how the given anchors were found.
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

// The search returns more hits than there are anchors: further hits count if the graph leads to them, too, and some
// are removed as vendored or generated code.
const (
	searchFactor = 5
	searchLeast  = 100
)

// search returns the symbols that match the question.
func (q *question) search(ctx context.Context) (*found, error) {
	f := &found{scores: map[codegraph.ID]float64{}}
	opts := search.Options{Limit: max(searchLeast, searchFactor*q.opts.TopK), Past: search.Past(q.changes(ctx), q.text)}
	if vectors, err := q.vectors(ctx); err != nil {
		q.warnNoVectors(err)
	} else if vectors != nil {
		defer func() { _ = vectors.Close() }() // only read
		opts.Meaning = vectors
	}
	hits, err := search.Find(ctx, q.graph.Snapshot(), q.text, opts)
	if meaning := (*search.MeaningError)(nil); errors.As(err, &meaning) {
		q.warnNoVectors(err)
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

// vectors opens the vectors of the graph's symbols; nil if there is no embedder.
func (q *question) vectors(ctx context.Context) (*search.Vectors, error) {
	if q.opts.Embedder == nil {
		return nil, nil
	}
	state, err := q.graph.Stored().State(ctx)
	if err != nil {
		return nil, err
	}
	return search.OpenVectors(ctx, q.graph.Snapshot(), q.opts.Embedder, search.VectorOptions{
		Path: q.graph.Stored().Derived() + search.VectorsSuffix, Stamp: fmt.Sprintf("%s %d", state.Identity, state.Serial),
	})
}

// warnNoVectors warns that the question could not be embedded.
func (q *question) warnNoVectors(why error) {
	q.degraded = true
	if meaning := (*search.MeaningError)(nil); !errors.As(why, &meaning) {
		why = &search.MeaningError{Reason: why}
	}
	q.warnings = append(q.warnings, message.Render(q.lang, why))
}

// hasSource reports whether a node has source code.
func hasSource(n *codegraph.Node) bool {
	switch n.Label {
	case codegraph.LabelProject, codegraph.LabelPackage, codegraph.LabelFolder, codegraph.LabelFile, codegraph.LabelExternalPackage,
		codegraph.LabelExternalType, codegraph.LabelExternalMethod:
		return false
	default:
		return n.Path != "" && n.StartLine > 0
	}
}

// item returns a candidate for a node of the project.
func (q *question) item(n codegraph.Node, from Source, relevance float64) *item {
	return &item{
		Candidate: Candidate{
			File: n.Path, Relevance: relevance, Source: from, Symbol: n.QualifiedName, Label: n.Label,
			StartLine: n.StartLine, EndLine: n.EndLine, Signature: n.Signature,
		},
		node: n, project: q.graph.Project(), path: n.Path,
	}
}
