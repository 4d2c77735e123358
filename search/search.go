// Package search finds the code that a question is about.
//
// [Find] ranks the symbols of a code graph: by the words of the question, which know
// how names in code are made, and, where there is an [Embedder], by what it means.
// [Files] draws the symbols of one answer together into files.
package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/reverse-spec/reverse-spec/graph"
	"github.com/reverse-spec/reverse-spec/snapshot"
)

// Source is what a search reads of a code graph; a [*snapshot.Snapshot] is one.
type Source interface {
	// Search returns the nodes that the terms describe best, the best first.
	Search(ctx context.Context, terms []string, limit int) ([]snapshot.Hit, error)
	Nodes(ctx context.Context, ids []graph.ID, fields ...graph.Field) ([]graph.Node, error)
}

var _ Source = (*snapshot.Snapshot)(nil)

// Options change what [Find] looks for.
type Options struct {
	Limit int // most hits; 0 for [DefaultLimit]
}

// DefaultLimit is how many hits there are at most, unless told otherwise.
const DefaultLimit = 50

// Hit is a node that answers a question.
type Hit struct {
	ID graph.ID
	// Score is in (0, 1] and falls from hit to hit. It compares hits of one answer:
	// 1 is the best there could be by every list that was asked.
	Score float64
	Ranks Ranks
}

// Ranks are the places of a hit in the lists that were joined, from 1; 0 where it is
// not in a list.
type Ranks struct {
	Words   int // by the words of the question
	Vectors int // by its meaning, as an [Embedder] has it
}

// FileHit is a file that answers a question.
type FileHit struct {
	Path  string
	Score float64 // as of [Hit]
	Hits  []Hit   // in it, the best first
}

// Find returns the nodes that a question is about, the best first. A question
// without a word that is in the graph finds nothing, which is no error.
func Find(ctx context.Context, src Source, query string, opts Options) ([]Hit, error) {
	found, err := src.Search(ctx, snapshot.Terms(query), cmp.Or(opts.Limit, DefaultLimit))
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	hits := make([]Hit, len(found))
	for i, f := range found {
		hits[i] = Hit{ID: f.ID, Score: f.Score / found[0].Score, Ranks: Ranks{Words: i + 1}}
	}
	return hits, nil
}

// Files draws hits together into the files that they are in, the best file first.
// Nodes are those of the hits, in their order; hits without a file are left out.
func Files(hits []Hit, nodes []graph.Node) []FileHit {
	at := map[string]int{}
	var files []FileHit
	for i, h := range hits {
		path := nodes[i].Path
		if path == "" {
			continue
		}
		k, known := at[path]
		if !known {
			k = len(files)
			at[path] = k
			files = append(files, FileHit{Path: path, Score: h.Score})
		}
		files[k].Hits = append(files[k].Hits, h)
	}
	slices.SortStableFunc(files, func(a, b FileHit) int { return cmp.Compare(b.Score, a.Score) })
	return files
}
