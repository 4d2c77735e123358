package rag

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Expander finds the neighbours of symbols.
type Expander interface {
	// Expand returns the symbols within depth steps of the anchors, without the anchors, in any order.
	Expand(ctx context.Context, anchors []Anchor, depth int) ([]Neighbour, error)
}

// Anchor is a symbol at which the expansion begins.
type Anchor struct {
	Node      codegraph.Node
	Relevance float64
}

// Neighbour is a symbol reached by the expansion.
type Neighbour struct {
	Node     codegraph.Node
	Distance int
	// Relevance is derived from that of the anchors, and less than that of the best symbol it was reached from.
	Relevance float64
	Via       Via
}

// Local expands along the code graph of a project.
type Local struct{ Reader codegraph.Reader }

// weight is the share of relevance that passes along an edge: out from its source to its target, in from its target
// to its source.
type weight struct{ out, in float64 }

// weights are those of the edges that are followed. What a symbol depends on says more about it than what uses it.
var weights = map[codegraph.Relationship]weight{
	codegraph.Calls:         {0.60, 0.50},
	codegraph.Implements:    {0.60, 0.60},
	codegraph.Inherits:      {0.55, 0.50},
	codegraph.References:    {0.45, 0.40},
	codegraph.DefinesMethod: {0.45, 0.45},
	codegraph.Imports:       {0.35, 0.25},
	codegraph.Defines:       {0.25, 0.20},
}

// walked are the types of edges that are followed.
var walked = []codegraph.Relationship{
	codegraph.Calls, codegraph.Implements, codegraph.Inherits, codegraph.References, codegraph.DefinesMethod, codegraph.Imports, codegraph.Defines,
}

const (
	// decay bounds the relevance of a neighbour, relative to the best symbol it was reached from, however many lead
	// to it.
	decay = 0.9
	// maxFanout is the number of neighbours per step whose degree is looked up and from which the walk continues.
	maxFanout = 200
	// hubDegree is the degree that halves the relevance of a neighbour: what everything uses says little about the
	// question.
	hubDegree = 32
)

// Expand walks breadth first. Each symbol passes relevance to its neighbours by the type and confidence of the
// edge, divided among the edges of a type. Contributions of several symbols are combined as independent
// probabilities.
func (l Local) Expand(ctx context.Context, anchors []Anchor, depth int) ([]Neighbour, error) {
	w := &walk{reader: l.Reader, at: map[codegraph.ID]float64{}, names: map[codegraph.ID]string{}}
	frontier := make([]codegraph.ID, 0, len(anchors))
	for _, a := range anchors {
		if a.Node.ID != 0 {
			frontier = append(frontier, a.Node.ID)
			w.at[a.Node.ID], w.names[a.Node.ID] = a.Relevance, a.Node.QualifiedName
		}
	}
	for d := 1; d <= depth && len(frontier) > 0; d++ {
		var err error
		if frontier, err = w.step(ctx, frontier, d); err != nil {
			return nil, err
		}
	}
	return w.out, nil
}

// walk is a walk in progress.
type walk struct {
	reader codegraph.Reader
	at     map[codegraph.ID]float64 // relevance of all symbols reached
	names  map[codegraph.ID]string
	out    []Neighbour
}

// reached is a neighbour of the frontier.
type reached struct {
	id              codegraph.ID
	irrelevance     float64 // the probability that none of the edges makes it relevant
	sourceRelevance float64 // relevance of the best symbol that it was reached from
	best            float64 // contribution of the best edge
	via             Via
	from            codegraph.ID
}

func (r *reached) relevance() float64 { return min(1-r.irrelevance, decay*r.sourceRelevance) }

// step walks one step from the frontier and returns the next frontier.
func (w *walk) step(ctx context.Context, frontier []codegraph.ID, distance int) ([]codegraph.ID, error) {
	x, err := w.reader.Expand(ctx, frontier, codegraph.Both, walked...)
	if err != nil {
		return nil, err
	}
	found := map[codegraph.ID]*reached{}
	var order []*reached
	for i, id := range frontier {
		edges := x.At(i)
		shares := sharesOf(id, edges)
		for k := range edges {
			other, forward := edges[k].To, true
			if other == id {
				other, forward = edges[k].From, false
			}
			if _, known := w.at[other]; known {
				continue
			}
			r := found[other]
			if r == nil {
				r = &reached{id: other, irrelevance: 1}
				found[other] = r
				order = append(order, r)
			}
			r.add(&edges[k], id, forward, w.at[id], shares[share{edges[k].Type, forward}])
		}
	}
	slices.SortStableFunc(order, func(a, b *reached) int { return cmp.Compare(b.relevance(), a.relevance()) })
	return w.take(ctx, order[:min(len(order), maxFanout)], distance)
}

// share identifies the edges of one type in one direction.
type share struct {
	of      codegraph.Relationship
	forward bool
}

// sharesOf returns the share of relevance that each edge at a symbol passes on, by type and direction.
func sharesOf(id codegraph.ID, edges []codegraph.Edge) map[share]float64 {
	number := map[share]int{}
	for i := range edges {
		number[share{edges[i].Type, edges[i].From == id}]++
	}
	shares := make(map[share]float64, len(number))
	for s, n := range number {
		w := weights[s.of].in
		if s.forward {
			w = weights[s.of].out
		}
		shares[s] = w / (1 + math.Log(float64(n))/2)
	}
	return shares
}

// add adds the contribution of an edge.
func (r *reached) add(e *codegraph.Edge, from codegraph.ID, forward bool, relevance, share float64) {
	sure := float64(e.Confidence)
	if e.Confidence == 0 { // containment has no confidence
		sure = 1
	}
	brings := relevance * share * sure
	r.irrelevance *= 1 - brings
	r.sourceRelevance = max(r.sourceRelevance, relevance)
	if brings > r.best {
		r.best, r.from = brings, from
		r.via = Via{Type: e.Type, Forward: forward, Rule: e.Rule, Confidence: round(sure), Line: e.Line}
	}
}

// take records the reached symbols, with less relevance for hubs, and returns the next frontier.
func (w *walk) take(ctx context.Context, order []*reached, distance int) ([]codegraph.ID, error) {
	ids := make([]codegraph.ID, len(order))
	for i, r := range order {
		ids[i] = r.id
	}
	x, err := w.reader.Expand(ctx, ids, codegraph.Both, walked...)
	if err != nil {
		return nil, err
	}
	nodes, err := w.reader.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i, r := range order {
		relevance := r.relevance() / (1 + math.Log2(1+float64(len(x.At(i)))/hubDegree))
		w.at[r.id], w.names[r.id] = relevance, nodes[i].QualifiedName
		r.via.From = w.names[r.from]
		w.out = append(w.out, Neighbour{Node: nodes[i], Distance: distance, Relevance: relevance, Via: r.via})
	}
	return ids, nil
}

// walk walks all available graphs from the anchors. If CKB fails, what it found until then is kept, and the walk
// continues without it.
func (q *question) walk(ctx context.Context, from []Anchor) ([]Neighbour, error) {
	near, err := Local{q.reader}.Expand(ctx, from, q.depth)
	if err != nil || q.opts.Expander == nil {
		return near, err
	}
	more, err := q.opts.Expander.Expand(ctx, from, q.depth)
	near = append(near, more...)
	if failed := (*ckb.FailedError)(nil); errors.As(err, &failed) {
		q.opts.CKB, q.depth, err = failed.Status, min(q.depth, 1), nil
		near = slices.DeleteFunc(near, func(n Neighbour) bool { return n.Distance > q.depth })
	}
	return near, err
}

// expand returns the neighbours of the anchors, most relevant first.
func (q *question) expand(ctx context.Context, anchors []*item, f *found) ([]*item, error) {
	if q.depth == 0 || len(anchors) == 0 {
		return nil, nil
	}
	from := make([]Anchor, len(anchors))
	most := 0.0
	for i, a := range anchors {
		from[i] = Anchor{a.node, a.Relevance}
		most = max(most, a.Relevance)
	}
	near, err := q.walk(ctx, from)
	if err != nil {
		return nil, err
	}
	items := make([]*item, 0, len(near))
	for i := range near {
		n := &near[i]
		if !hasSource(&n.Node) {
			continue
		}
		// What the search found is worth more than what only the graph leads to.
		own := decay * f.scores[n.Node.ID]
		it := q.item(n.Node, FromGraph, min(1-(1-n.Relevance)*(1-own), decay*most))
		it.Distance, it.Via = n.Distance, &n.Via
		items = append(items, it)
	}
	byRelevance(items)
	return items, nil
}
