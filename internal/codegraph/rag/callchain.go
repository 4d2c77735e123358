package rag

import (
	"cmp"
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Chain is the tree of callers and callees of a symbol.
type Chain struct {
	SchemaVersion string        `json:"schema_version"` // "1.0"
	Target        string        `json:"target_symbol"`  // as requested
	Direction     string        `json:"direction"`
	CycleDetected bool          `json:"cycle_detected"`
	Chain         []*Hop        `json:"call_chain"` // the symbol itself; callers and callees are nested in it
	Metadata      ChainMetadata `json:"metadata"`
}

// Hop is a symbol in a chain.
type Hop struct {
	Symbol string `json:"symbol_id"` // qualified name
	File   string `json:"file_path"`
	Line   int    `json:"line"`  // of its declaration
	Depth  int    `json:"depth"` // 0 for the requested symbol
	// IsCycle is set if the symbol already occurs on the path to it. Its calls are not repeated.
	IsCycle bool `json:"is_cycle"`
	// Repeated is set if the symbol occurs elsewhere in the chain, with its calls.
	Repeated bool `json:"repeated,omitempty"`
	// Given is set if the hop was on an earlier page and is repeated as the parent of other hops.
	Given   bool   `json:"given_before,omitempty"`
	Test    bool   `json:"is_test,omitempty"`
	Call    *Call  `json:"call,omitempty"` // the call that leads here; nil for the requested symbol
	Callers []*Hop `json:"callers"`        // never nil
	Callees []*Hop `json:"callees"`

	id    codegraph.ID
	order int // 1-based order of discovery; 0 for the requested symbol
}

// Call is a call site with the confidence of its target.
type Call struct {
	File       string  `json:"file"` // of the call site
	Line       int     `json:"line"` // the first call site
	Count      int     `json:"count"`
	Rule       string  `json:"rule"`
	Confidence float64 `json:"confidence"`
	// Source is the graph that the call is from.
	Source EdgeSource `json:"source"`
}

// EdgeSource is the graph that an edge is from.
type EdgeSource string

// The graphs.
const (
	OfLocal EdgeSource = "local" // the project's own graph
	OfCKB   EdgeSource = "ckb"   // CKB only; the line is 0 if CKB does not report it
	OfBoth  EdgeSource = "both"
)

// ChainMetadata describes how a chain was made.
type ChainMetadata struct {
	MaxDepth     int               `json:"max_depth"` // as requested
	ckb.Metadata                   // its depth is that of the deepest hop, within the contract's limit
	Hops         int               `json:"total_hops"`
	Dropped      int               `json:"dropped"` // number of calls omitted because of the limit
	Guesses      int               `json:"guesses"` // number of calls omitted because they are too unsure
	Index        explore.Freshness `json:"index"`
	Warning      string            `json:"warning,omitempty"`
}

// ChainOptions configure [CallChain].
type ChainOptions struct {
	Direction string // "callers", "callees" or "both"
	Depth     int    // maximum number of steps
	Limit     int    // maximum number of calls in each direction; 0 for [MaxHops]
	// MinConfidence is that of a call, from 0 to 1: less sure ones are not followed.
	MinConfidence float32
	CKB           *ckb.Access // adds the calls that CKB knows; may be nil
}

// The limits of a chain.
const (
	ChainDepth    = 3 // default
	MaxChainDepth = 10
	MaxHops       = 300
)

// Directions returns the valid directions of a chain.
func Directions() []string { return []string{"callers", "callees", "both"} }

// CallChain follows the calls of a symbol. The error is a [*ParamError] or one of [explore.Graph.Symbol]..
func CallChain(ctx context.Context, g *explore.Graph, symbol string, opts ChainOptions) (*Chain, error) {
	switch {
	case symbol == "":
		return nil, &ParamError{"symbol", message.New("symbol must not be empty")}
	case !slices.Contains(Directions(), opts.Direction):
		return nil, &ParamError{"direction", message.New("must be callers, callees or both")}
	case opts.Depth < 0:
		return nil, &ParamError{"depth", message.New("must be an integer, 0 or more")}
	}
	c := &Chain{SchemaVersion: "1.0", Target: symbol, Direction: opts.Direction}
	c.Metadata.MaxDepth, c.Metadata.Index = opts.Depth, g.Index
	if opts.Depth > MaxChainDepth {
		c.Metadata.Warning = message.Sprintf(ctx, "depth capped at maximum %d", MaxChainDepth)
		opts.Depth = MaxChainDepth
	}
	start, err := g.Symbol(ctx, symbol)
	if err != nil {
		return nil, err
	}
	root := newHop(start, 0)
	c.Chain = []*Hop{root}
	ways := map[string]codegraph.Direction{ckb.Callers: codegraph.In, ckb.Callees: codegraph.Out}
	directions := []string{opts.Direction}
	if opts.Direction == ckb.Both {
		directions = []string{ckb.Callers, ckb.Callees}
	}
	b := &chainBuilder{chain: c, least: opts.MinConfidence}
	if b.reader, err = joined(ctx, g.Reader(), opts.CKB, start, opts.Depth, directions); err != nil {
		return nil, err
	}
	for _, d := range directions {
		b.left = cmp.Or(opts.Limit, MaxHops)
		if err := b.follow(ctx, root, ways[d], opts.Depth); err != nil {
			return nil, err
		}
	}
	c.Metadata.Metadata = opts.CKB.Status().Metadata(min(b.deepest, MaxFusionDepth), true)
	return c, nil
}

func newHop(n codegraph.Node, depth int) *Hop {
	return &Hop{
		Symbol: n.QualifiedName, File: n.Path, Line: n.StartLine, Depth: depth, Test: n.Test,
		Callers: []*Hop{}, Callees: []*Hop{}, id: n.ID,
	}
}

// chainBuilder is the state of building a chain.
type chainBuilder struct {
	chain   *Chain
	reader  union
	least   float32 // confidence of a call
	left    int     // number of hops left
	deepest int     // depth of the deepest hop
}

// follow adds the callers or the callees of a hop, breadth first, so that the calls of a symbol are listed at its
// nearest occurrence.
func (b *chainBuilder) follow(ctx context.Context, root *Hop, way codegraph.Direction, depth int) error {
	known := map[codegraph.ID]bool{root.id: true}
	next := map[codegraph.ID][]codegraph.ID{} // edges between the symbols followed so far
	var repeated [][2]*Hop                    // pairs of a hop and its parent
	for level := []*Hop{root}; depth > 0 && len(level) > 0; depth-- {
		edges, nodes, err := b.calls(ctx, level, way)
		if err != nil {
			return err
		}
		var below []*Hop
		for i, h := range level {
			for _, e := range edges[i] {
				if way == codegraph.In {
					e.Confidence = explore.MayRun(e)
				}
				if e.Confidence < b.least {
					b.chain.Metadata.Guesses++
					continue
				}
				if b.left == 0 {
					b.chain.Metadata.Dropped++
					continue
				}
				b.left--
				b.chain.Metadata.Hops++
				to := h.attach(e, nodes[end(e, way)], way)
				to.Call.Source = b.reader.source(e)
				b.deepest = max(b.deepest, to.Depth)
				to.order = b.chain.Metadata.Hops
				next[h.id] = append(next[h.id], to.id)
				if to.Repeated = known[to.id]; to.Repeated {
					repeated = append(repeated, [2]*Hop{h, to})
					continue
				}
				known[to.id] = true
				below = append(below, to)
			}
		}
		level = below
	}
	for _, r := range repeated {
		r[1].IsCycle = reaches(next, r[1].id, r[0].id)
		b.chain.CycleDetected = b.chain.CycleDetected || r[1].IsCycle
	}
	return nil
}

// end returns the other end of a call.
func end(e codegraph.Edge, way codegraph.Direction) codegraph.ID {
	if way == codegraph.In {
		return e.From
	}
	return e.To
}

// calls returns the calls at each hop, sorted by file and line, and the nodes at their other ends.
func (b *chainBuilder) calls(ctx context.Context, level []*Hop, way codegraph.Direction) ([][]codegraph.Edge, map[codegraph.ID]codegraph.Node, error) {
	ids := make([]codegraph.ID, len(level))
	for i, h := range level {
		ids[i] = h.id
	}
	x, err := b.reader.Expand(ctx, ids, way, codegraph.Calls)
	if err != nil {
		return nil, nil, err
	}
	others := make([]codegraph.ID, len(x.Edges))
	for i, e := range x.Edges {
		others[i] = end(e, way)
	}
	list, err := b.reader.Nodes(ctx, others, codegraph.FieldQualifiedName, codegraph.FieldPath)
	if err != nil {
		return nil, nil, err
	}
	nodes := make(map[codegraph.ID]codegraph.Node, len(list))
	for _, n := range list {
		nodes[n.ID] = n
	}
	edges := make([][]codegraph.Edge, len(level))
	for i := range level {
		edges[i] = slices.Clone(x.At(i))
		slices.SortStableFunc(edges[i], func(a, b codegraph.Edge) int {
			file := 0
			if way == codegraph.In { // callees are called in one file
				file = cmp.Compare(nodes[a.From].Path, nodes[b.From].Path)
			}
			return cmp.Or(file, cmp.Compare(a.Line, b.Line), cmp.Compare(nodes[end(a, way)].QualifiedName, nodes[end(b, way)].QualifiedName))
		})
	}
	return edges, nodes, nil
}

// attach adds a hop below h.
func (h *Hop) attach(e codegraph.Edge, n codegraph.Node, way codegraph.Direction) *Hop {
	to := newHop(n, h.Depth+1)
	to.Call = &Call{File: h.File, Line: e.Line, Count: e.Count, Rule: e.Rule, Confidence: round(float64(e.Confidence))}
	if way == codegraph.In {
		to.Call.File = n.Path
		h.Callers = append(h.Callers, to)
	} else {
		h.Callees = append(h.Callees, to)
	}
	return to
}

// reaches reports whether there is a path from one symbol to another.
func reaches(next map[codegraph.ID][]codegraph.ID, from, to codegraph.ID) bool {
	seen := map[codegraph.ID]bool{from: true}
	for stack := []codegraph.ID{from}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == to {
			return true
		}
		for _, n := range next[at] {
			if !seen[n] {
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
	return false
}
