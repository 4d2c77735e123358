package explore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Impact is the set of symbols affected by a change of a symbol.
type Impact struct {
	Symbol   codegraph.Node `json:"symbol"`
	Affected []Affected     `json:"affected"` // by distance, then by confidence
	Tests    int            `json:"tests"`    // number of tests among them
	Files    int            `json:"files"`    // number of files
	Dropped  int            `json:"dropped"`  // number of symbols omitted because of the limit
	Guesses  int            `json:"guesses"`  // number of symbols omitted because what leads to them is too unsure
	Depth    int            `json:"depth"`    // as requested
	// Outside are the methods outside the project that the symbol or its methods implement: whatever calls these may call it.
	Outside []string `json:"outside,omitempty"`
	// Implements are types outside the project that the symbol or its type implements, of which it is not known what methods they have: what
	// calls these may call it. Of Go alone; in other languages each method that may be one of such a type counts as Outside.
	Implements []string  `json:"implements,omitempty"`
	Index      Freshness `json:"index"`
}

// Affected is one affected symbol.
type Affected struct {
	codegraph.Node
	Distance int `json:"distance"` // steps from the symbol
	// Reach is the confidence, from 0 to 1, that the change affects the symbol: the highest product of confidences
	// over the shortest paths.
	Reach float32                `json:"confidence"`
	By    codegraph.Relationship `json:"by"`   // type of the edge to Via
	Via   string                 `json:"via"`  // qualified name of the next symbol on the path
	Line  int                    `json:"line"` // line of the edge, in the file of this symbol
}

// ImpactOptions configure [Graph.Impact].
type ImpactOptions struct {
	Depth         int     // maximum distance; 0 for [ImpactDepth]
	Limit         int     // maximum number of symbols; 0 for [MaxNodes]
	MinConfidence float32 // paths with a lower confidence are not followed
}

// Sure is the confidence below which people are shown nothing unless they ask for it: what is less sure is a guess.
const Sure = 0.5

// MayRun returns the confidence that an edge's source may run or use its target. A call through an interface has a lower one, that of
// running this target and none of the others, which says little where the question is about the target: what its change affects, or its callers.
func MayRun(e codegraph.Edge) float32 {
	if e.Rule == codegraph.RuleDispatch {
		return max(e.Confidence, resolve.Implementation.Confidence())
	}
	return e.Confidence
}

// ImpactDepth is the default maximum distance.
const ImpactDepth = 5

// impactTypes are the types of edges that propagate a change, from target to source.
var impactTypes = []codegraph.Relationship{
	codegraph.Calls, codegraph.References, codegraph.Inherits, codegraph.Implements, codegraph.Overrides,
}

// Impact returns the symbols affected by a change of a symbol: those that call, use or extend it, and transitively
// those affected by them. A change of a type includes its methods, and a call of a method may run those that override it.
func (g *Graph) Impact(ctx context.Context, name string, opts ImpactOptions) (*Impact, error) {
	start, err := g.Symbol(ctx, name)
	if err != nil {
		return nil, err
	}
	opts.Depth, opts.Limit = cmp.Or(opts.Depth, ImpactDepth), cmp.Or(opts.Limit, MaxNodes)
	w := &impactSearch{graph: g, opts: opts, seen: map[codegraph.ID]*Affected{}}
	frontier, err := w.begin(ctx, start)
	if err != nil {
		return nil, err
	}
	for d := 1; d <= opts.Depth && len(frontier) > 0; d++ {
		if frontier, err = w.step(ctx, frontier, d); err != nil {
			return nil, err
		}
	}
	return w.result(ctx, start)
}

// ContractImpact returns what a change of a symbol of a contract affects, which no graph has, given the edges to symbols of contracts: nothing in
// the project. It is found by its name or the last part of it; nil if no edge leads to one. The error is an [*AmbiguousError].
func ContractImpact(name string, edges []store.VirtualEdge) (*Impact, error) {
	found := map[string]codegraph.Node{}
	for i := range edges {
		e := &edges[i]
		if e.TargetSymbol == name || strings.HasSuffix(e.TargetSymbol, "."+name) {
			found[e.TargetSymbol] = codegraph.Node{
				Name: name, QualifiedName: e.TargetSymbol, Path: e.TargetFile, StartLine: e.StartLine, EndLine: e.EndLine, Signature: e.Signature,
			}
		}
	}
	if whole, ok := found[name]; ok {
		found = map[string]codegraph.Node{name: whole}
	}
	several := &AmbiguousError{Name: name}
	for _, symbol := range slices.Sorted(maps.Keys(found)) {
		several.Candidates = append(several.Candidates, found[symbol])
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return &Impact{Symbol: several.Candidates[0], Affected: []Affected{}}, nil
	}
	return nil, several
}

// impactSearch is the state of the search.
type impactSearch struct {
	graph   *Graph
	opts    ImpactOptions
	seen    map[codegraph.ID]*Affected
	order   []codegraph.ID
	dropped map[codegraph.ID]bool
	guessed map[codegraph.ID]bool
	outside []string // methods that the symbol implements
	unknown []string // types that it implements, of unknown methods
}

// begin returns the symbol and, for a type, its methods.
func (w *impactSearch) begin(ctx context.Context, start codegraph.Node) ([]codegraph.ID, error) {
	w.dropped, w.guessed = map[codegraph.ID]bool{}, map[codegraph.ID]bool{}
	w.seen[start.ID] = &Affected{Reach: 1}
	ids := []codegraph.ID{start.ID}
	x, err := w.graph.reader.Expand(ctx, ids, codegraph.Out, codegraph.DefinesMethod)
	if err != nil {
		return nil, err
	}
	for _, e := range x.Edges {
		w.seen[e.To] = &Affected{Reach: 1}
		ids = append(ids, e.To)
	}
	return ids, errors.Join(w.findOutside(ctx, ids), w.findUnknown(ctx, start))
}

// findOutside notes the methods outside the project that methods implement.
func (w *impactSearch) findOutside(ctx context.Context, methods []codegraph.ID) (err error) {
	w.outside, err = w.named(ctx, methods, codegraph.Overrides, codegraph.LabelExternalMethod)
	return err
}

// named returns the names of the symbols outside the project with a label to which edges of a type lead from nodes, sorted.
func (w *impactSearch) named(ctx context.Context, from []codegraph.ID, by codegraph.Relationship, label codegraph.Label) (names []string, err error) {
	x, err := w.graph.reader.Expand(ctx, from, codegraph.Out, by)
	if err != nil {
		return nil, err
	}
	ids := make([]codegraph.ID, len(x.Edges))
	for i, e := range x.Edges {
		ids[i] = e.To
	}
	nodes, err := w.graph.reader.Nodes(ctx, ids, codegraph.FieldQualifiedName)
	for _, n := range nodes {
		if n.Label == label {
			names = append(names, strings.TrimPrefix(n.QualifiedName, "external."))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// findUnknown notes the types outside the project that a type, or that of a method, implements and of which none of its methods is known to
// be one.
func (w *impactSearch) findUnknown(ctx context.Context, start codegraph.Node) error {
	if start.Language != "go" || !start.Exported {
		return nil
	}
	types := []codegraph.ID{start.ID}
	if start.Label == codegraph.LabelMethod {
		x, err := w.graph.reader.Expand(ctx, types, codegraph.In, codegraph.DefinesMethod)
		if err != nil {
			return err
		}
		types = types[:0]
		for _, e := range x.Edges {
			types = append(types, e.From)
		}
	}
	implemented, err := w.named(ctx, types, codegraph.Implements, codegraph.LabelExternalType)
	if err != nil || len(implemented) == 0 {
		return err
	}
	x, err := w.graph.reader.Expand(ctx, types, codegraph.Out, codegraph.DefinesMethod)
	if err != nil {
		return err
	}
	methods := make([]codegraph.ID, len(x.Edges))
	for i, e := range x.Edges {
		methods[i] = e.To
	}
	known, err := w.named(ctx, methods, codegraph.Overrides, codegraph.LabelExternalMethod)
	for _, t := range implemented {
		if !slices.ContainsFunc(known, func(method string) bool { return strings.HasPrefix(method, t+".") }) {
			w.unknown = append(w.unknown, t)
		}
	}
	return err
}

// step adds the symbols that depend on the frontier, and returns the next frontier.
func (w *impactSearch) step(ctx context.Context, frontier []codegraph.ID, distance int) ([]codegraph.ID, error) {
	x, err := w.graph.reader.Expand(ctx, frontier, codegraph.In, impactTypes...)
	if err != nil {
		return nil, err
	}
	var next []codegraph.ID
	for _, e := range x.Edges {
		reach := w.seen[e.To].Reach * MayRun(e)
		known := w.seen[e.From]
		switch {
		case reach < w.opts.MinConfidence:
			w.guessed[e.From] = true
		case known != nil && known.Distance < distance:
		case known == nil && len(w.order) == w.opts.Limit:
			w.dropped[e.From] = true
		case known == nil:
			w.seen[e.From] = &Affected{Distance: distance, Reach: reach, By: e.Type, Line: e.Line, Node: codegraph.Node{ID: e.To}}
			w.order, next = append(w.order, e.From), append(next, e.From)
		case reach > known.Reach:
			known.Reach, known.By, known.Line, known.ID = reach, e.Type, e.Line, e.To
		}
	}
	return next, nil
}

// result builds the impact from the symbols found.
func (w *impactSearch) result(ctx context.Context, start codegraph.Node) (*Impact, error) {
	out := &Impact{Symbol: start, Affected: []Affected{}, Dropped: len(w.dropped), Depth: w.opts.Depth, Outside: w.outside, Implements: w.unknown, Index: w.graph.Index}
	nodes, err := w.graph.reader.Nodes(ctx, w.order)
	if err != nil {
		return nil, err
	}
	via := make([]codegraph.ID, len(w.order))
	for i, id := range w.order {
		via[i] = w.seen[id].ID
	}
	steps, err := w.graph.reader.Nodes(ctx, via)
	if err != nil {
		return nil, err
	}
	files := map[string]bool{}
	for i, id := range w.order {
		a := *w.seen[id]
		a.Node, a.Via = nodes[i], steps[i].QualifiedName
		out.Affected = append(out.Affected, a)
		files[a.Path] = true
		if a.Test {
			out.Tests++
		}
	}
	out.Files = len(files)
	for id := range w.guessed {
		if w.seen[id] == nil && !w.dropped[id] {
			out.Guesses++
		}
	}
	slices.SortStableFunc(out.Affected, func(a, b Affected) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Reach, a.Reach), cmp.Compare(a.QualifiedName, b.QualifiedName))
	})
	return out, nil
}
