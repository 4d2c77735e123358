package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// fusionK is the constant k of reciprocal rank fusion: the greater, the less the first ranks stand out.
const fusionK = 60

// vectorHit is a node found by vector search.
type vectorHit struct {
	node  codegraph.Node
	score float64
}

// byMeaning returns the nodes nearest to a query, nearest first.
func byMeaning(ctx context.Context, src Source, by Meaning, query string, limit int) ([]vectorHit, error) {
	found, err := by.Nearest(ctx, query, limit)
	if err != nil {
		return nil, err
	}
	ids := make([]codegraph.ID, len(found))
	for i, f := range found {
		ids[i] = f.ID
	}
	nodes, err := src.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]vectorHit, 0, len(found))
	for i, n := range nodes {
		if n.ID != 0 && found[i].Score > 0 { // it may have been removed since
			list = append(list, vectorHit{n, found[i].Score * prior(&n)})
		}
	}
	slices.SortStableFunc(list, func(a, b vectorHit) int { return cmp.Compare(b.score, a.score) })
	return list, nil
}

// fuse merges two rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). A hit's score is
// relative to that of a hit that is first in both.
func fuse(hits []Hit, list []vectorHit) []Hit {
	at := make(map[codegraph.ID]int, len(hits))
	for i, h := range hits {
		at[h.ID] = i
	}
	for rank, n := range list {
		i, known := at[n.node.ID]
		if !known {
			i = len(hits)
			hits = append(hits, Hit{ID: n.node.ID})
		}
		hits[i].Ranks.Vectors = rank + 1
	}
	for i := range hits {
		hits[i].Score = (share(hits[i].Ranks.Words) + share(hits[i].Ranks.Vectors)) / 2
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}

// share returns the contribution of a rank: 1 for the first, 0 for none.
func share(rank int) float64 {
	if rank == 0 {
		return 0
	}
	return float64(fusionK+1) / float64(fusionK+rank)
}
