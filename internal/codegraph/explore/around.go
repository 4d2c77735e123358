package explore

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Subgraph is a part of a graph: some nodes and the edges between them.
type Subgraph struct {
	Project string
	Nodes   []codegraph.Node
	Edges   []codegraph.Edge
	Dropped int // number of nodes omitted because of the limit
}

// AroundOptions configure [Graph.Around].
type AroundOptions struct {
	Depth     int                      // steps from the symbol; 0 for only the symbol
	Direction codegraph.Direction      // direction in which edges are followed
	Types     []codegraph.Relationship // types of edges to follow; nil for all except containment
	Limit     int                      // maximum number of nodes; 0 for [MaxNodes]
}

// MaxNodes is the default maximum number of nodes of a subgraph.
const MaxNodes = 500

// related are the types of edges other than containment.
var related = []codegraph.Relationship{
	codegraph.Calls, codegraph.References, codegraph.Inherits, codegraph.Implements, codegraph.Overrides, codegraph.Imports, codegraph.DefinesMethod,
}

// Around returns the neighbourhood of a symbol, nearest nodes first.
func (g *Graph) Around(ctx context.Context, name string, opts AroundOptions) (*Subgraph, error) {
	start, err := g.Symbol(ctx, name)
	if err != nil {
		return nil, err
	}
	if opts.Limit == 0 {
		opts.Limit = MaxNodes
	}
	if len(opts.Types) == 0 {
		opts.Types = related
	}
	in := map[codegraph.ID]bool{start.ID: true}
	ids := []codegraph.ID{start.ID}
	dropped := map[codegraph.ID]bool{}
	for frontier := ids; opts.Depth > 0 && len(frontier) > 0; opts.Depth-- {
		x, err := g.reader.Expand(ctx, frontier, opts.Direction, opts.Types...)
		if err != nil {
			return nil, err
		}
		frontier = nil
		for _, e := range x.Edges {
			for _, id := range []codegraph.ID{e.From, e.To} {
				switch {
				case in[id]:
				case len(ids) == opts.Limit:
					dropped[id] = true
				default:
					in[id] = true
					ids, frontier = append(ids, id), append(frontier, id)
				}
			}
		}
	}
	s, err := g.between(ctx, ids, opts.Types)
	if err == nil {
		s.Dropped = len(dropped)
	}
	return s, err
}

// All returns the whole graph.
func (g *Graph) All(ctx context.Context) (*Subgraph, error) {
	ids, err := g.reader.Labelled(ctx)
	if err != nil {
		return nil, err
	}
	return g.between(ctx, ids, nil)
}

// between returns nodes and the edges between them that have one of the types.
func (g *Graph) between(ctx context.Context, ids []codegraph.ID, types []codegraph.Relationship) (*Subgraph, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	nodes, err := g.reader.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	x, err := g.reader.Expand(ctx, ids, codegraph.Out, types...)
	if err != nil {
		return nil, err
	}
	state, err := g.stored.State(ctx)
	if err != nil {
		return nil, err
	}
	s := &Subgraph{Project: state.Project, Nodes: nodes}
	for _, e := range x.Edges {
		if _, inside := slices.BinarySearch(ids, e.To); inside {
			s.Edges = append(s.Edges, e)
		}
	}
	return s, nil
}
