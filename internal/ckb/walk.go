package ckb

import (
	"context"
	"time"
)

// MaxDepth is the maximum depth of a walk.
const MaxDepth = 5

// Anchor is a symbol from which a walk begins, as in the project's own graph.
type Anchor struct {
	Name       string // the last part of the qualified name
	File       string // relative to the project
	Start, End int    // lines, 1-based, inclusive
}

// Place is where a symbol is declared, or where something is used.
type Place struct {
	Name string // "" if only the location is known
	File string // relative to the project; "" if only the name is known
	Line int    // 1-based; 0 when not known
}

// Edge is a call, or another use.
type Edge struct {
	From, To Place
	Call     bool // of a function; otherwise some use
	Distance int  // of the farther end from the nearest anchor, in steps
	// Confidence, in (0, 1], is how reliable CKB is here.
	Confidence float64
}

// The bounds of a walk, which must not delay an answer.
const (
	perStep      = 25                      // symbols that are expanded in each step
	perSymbol    = 100                     // uses of a symbol
	walkTime     = 1500 * time.Millisecond // after which no more calls are made
	lookupLimit  = 20                      // symbols in a file that are searched for a name
	confidence   = 0.9                     // of a compiler's index that is up to date
	staleFactor  = 0.5
	foreignHints = 0.5 // of a language for which CKB is unreliable
)

// Expand walks from the anchors as [Access.Follow] does, both ways.
func (a *Access) Expand(ctx context.Context, anchors []Anchor, depth int) []Edge {
	return a.Follow(ctx, anchors, Both, depth)
}

// Follow walks from the anchors, to callers or callees or both ways, for up to depth steps
// and at most [MaxDepth]: CKB's own graph is limited to depth 4, and less if a symbol has many
// neighbours, so each step is a call of its own. The edges are ordered by distance, then by
// anchor. When time runs out, or CKB fails, it returns the edges so far;
// see [Access.Status].
func (a *Access) Follow(ctx context.Context, anchors []Anchor, direction string, depth int) []Edge {
	if a.graph != nil {
		return a.graph.expand(anchors)
	}
	w := &walk{Access: a, direction: direction, until: time.Now().Add(min(walkTime, a.left*4/5)), places: map[string]Place{}, known: map[Edge]bool{}}
	level := w.begin(ctx, anchors)
	for d := 1; d <= min(depth, MaxDepth); d++ {
		var next []string
		for _, id := range level {
			found := w.step(ctx, id, d)
			next = append(next, found...)
		}
		level = next[:min(len(next), perStep)]
	}
	return w.edges
}

// walk is a walk in progress.
type walk struct {
	*Access
	direction string
	until     time.Time
	places    map[string]Place // of the symbols that were reached, by id
	edges     []Edge
	known     map[Edge]bool // distances are ignored
}

// over reports whether the walk must end. Too little time at the end is
// not enough to distinguish a CKB that hangs from one that works.
func (w *walk) over(ctx context.Context) bool {
	if w.live == nil || ctx.Err() != nil {
		return true
	}
	return !time.Now().Before(w.until) || w.left < w.client.settings.timeout/20
}

// begin finds CKB's ids of the anchors.
func (w *walk) begin(ctx context.Context, anchors []Anchor) []string {
	var ids []string
	for _, anchor := range anchors {
		if w.over(ctx) {
			break
		}
		id := w.lookUp(ctx, anchor)
		if _, known := w.places[id]; id == "" || known {
			continue
		}
		w.places[id] = Place{anchor.Name, anchor.File, anchor.Start}
		ids = append(ids, id)
	}
	return ids
}

// lookUp returns CKB's id of an anchor; "" if it has none.
func (w *walk) lookUp(ctx context.Context, anchor Anchor) string {
	l := w.live
	if id, known := l.id(anchor); known {
		return id
	}
	symbols, err := w.Symbols(ctx, anchor.Name, anchor.File, lookupLimit)
	if err != nil {
		return ""
	}
	id := ""
	for _, s := range symbols {
		if s.File != anchor.File || s.Name != anchor.Name {
			continue
		}
		if s.Start >= anchor.Start && s.Start <= anchor.End {
			id = s.ID
			break
		}
		if s.Start == 0 && id == "" { // it has no lines for variables and fields
			id = s.ID
		}
	}
	l.keep(anchor, id)
	return id
}

// step requests the neighbours of a symbol, and returns the new ones.
func (w *walk) step(ctx context.Context, id string, distance int) []string {
	if w.over(ctx) {
		return nil
	}
	direction := w.direction
	if !knowsCallees(id) {
		if direction == Callees {
			return nil
		}
		direction = Callers
	}
	g, err := w.CallGraph(ctx, id, direction)
	if err != nil {
		return nil
	}
	var next []string
	for _, s := range g.Callers[:min(len(g.Callers), perSymbol)] {
		next = append(next, w.reach(s)...)
		w.add(Edge{From: w.places[s.ID], To: w.places[id], Call: callable(id), Distance: distance}, id)
	}
	for _, s := range g.Callees[:min(len(g.Callees), perSymbol)] {
		next = append(next, w.reach(s)...)
		w.add(Edge{From: w.places[id], To: w.places[s.ID], Call: callable(s.ID), Distance: distance}, id)
	}
	if len(g.Callers) == 0 && !callable(id) {
		w.uses(ctx, id, distance)
	}
	return next
}

// uses adds the uses of a symbol outside functions.
func (w *walk) uses(ctx context.Context, id string, distance int) {
	if w.over(ctx) {
		return
	}
	references, err := w.References(ctx, id, perSymbol)
	if err != nil {
		return
	}
	for _, r := range references {
		w.add(Edge{From: Place{File: r.File, Line: r.Line}, To: w.places[id], Distance: distance}, id)
	}
}

// reach records the location of a symbol, and returns its id if it is new and may be
// expanded.
func (w *walk) reach(s Symbol) []string {
	if _, known := w.places[s.ID]; known {
		return nil
	}
	w.places[s.ID] = Place{s.Name, s.File, s.Start}
	if !callable(s.ID) {
		return nil
	}
	return []string{s.ID}
}

// add adds an edge that was found at a symbol.
func (w *walk) add(e Edge, id string) {
	e.Confidence = confidence
	if !fromGo(id) {
		e.Confidence = foreignHints
	}
	if w.live != nil && w.live.stale {
		e.Confidence *= staleFactor
	}
	key := e
	key.Distance = 0
	if !w.known[key] {
		w.known[key] = true
		w.edges = append(w.edges, e)
	}
}
