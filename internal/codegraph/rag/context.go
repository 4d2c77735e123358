package rag

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// maxRelated is the maximum number of callers, and of callees, of a candidate.
const maxRelated = 5

// relate sets the callers and callees of items.
func (q *question) relate(ctx context.Context, items []*item) (err error) {
	if q.opts.Depth == 0 {
		return nil
	}
	for _, it := range items {
		if it.node.ID == 0 {
			continue
		}
		if it.Callers, err = q.calls(ctx, it.node.ID, codegraph.In); err != nil {
			return err
		}
		if it.Callees, err = q.calls(ctx, it.node.ID, codegraph.Out); err != nil {
			return err
		}
	}
	return nil
}

// calls returns the nearest callers or callees of a symbol; of equally near ones, those with the highest
// confidence.
func (q *question) calls(ctx context.Context, id codegraph.ID, d codegraph.Direction) ([]Related, error) {
	sure := map[codegraph.ID]float64{id: 1}
	frontier := []codegraph.ID{id}
	var ids []codegraph.ID
	var out []Related
	for depth := 1; depth <= q.opts.Depth && len(frontier) > 0 && len(out) < maxRelated; depth++ {
		x, err := q.reader.Expand(ctx, frontier, d, codegraph.Calls)
		if err != nil {
			return nil, err
		}
		frontier = nextCalls(&x, d, sure)
		for _, next := range frontier {
			if len(out) < maxRelated {
				ids, out = append(ids, next), append(out, Related{Depth: depth, Confidence: round(sure[next])})
			}
		}
		frontier = frontier[:min(len(frontier), maxRelated)]
	}
	nodes, err := q.reader.Nodes(ctx, ids, codegraph.FieldQualifiedName, codegraph.FieldPath)
	for i, n := range nodes {
		out[i].Symbol, out[i].File, out[i].Line = n.QualifiedName, n.Path, n.StartLine
	}
	return out, err
}

// nextCalls returns the new other ends of calls, highest confidence first, and records their confidence in sure.
func nextCalls(x *codegraph.Expansion, d codegraph.Direction, sure map[codegraph.ID]float64) []codegraph.ID {
	fresh := map[codegraph.ID]float64{}
	var next []codegraph.ID
	for _, e := range x.Edges {
		from, to := e.From, e.To
		if d == codegraph.In {
			from, to = to, from
		}
		if _, known := sure[to]; known {
			continue
		}
		if _, met := fresh[to]; !met {
			next = append(next, to)
		}
		fresh[to] = max(fresh[to], sure[from]*float64(e.Confidence))
	}
	maps.Copy(sure, fresh)
	slices.SortFunc(next, func(a, b codegraph.ID) int { return cmp.Or(cmp.Compare(sure[b], sure[a]), cmp.Compare(a, b)) })
	return next
}
