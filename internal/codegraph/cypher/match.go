package cypher

import (
	"context"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// matcher plans a pattern: it starts at the node with the fewest matches, continues with the relationship that adds
// the fewest rows, and filters as early as possible.
type matcher struct {
	*planner
	*pattern
	f     *frame
	steps pipeline
	rows  float64 // estimated number of rows so far
	// ends is set if the number of times a row is found does not matter.
	ends bool
	// unique are the bound relationships, which must all differ.
	unique []*patternRel
}

// match returns the steps for a pattern, and adds its names to the frame.
func (p *planner) match(ctx context.Context, pt *pattern, f *frame, ends bool) (pipeline, error) {
	m := &matcher{planner: p, pattern: pt, f: f, rows: 1, ends: ends}
	m.known()
	for {
		if err := m.filter(ctx); err != nil {
			return nil, err
		}
		rel, err := m.nextRel(ctx)
		if err != nil {
			return nil, err
		}
		if rel != nil {
			if err := m.follow(ctx, rel); err != nil {
				return nil, err
			}
			continue
		}
		more, err := m.scan(ctx)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	for _, path := range pt.paths {
		m.steps = append(m.steps, m.path(path))
	}
	if err := m.filter(ctx); err != nil {
		return nil, err
	}
	for _, c := range pt.conditions {
		if !c.done {
			return nil, &syntax.Error{At: c.expr.Start(), Class: syntax.Unsupported, Message: message.New("this condition needs what the pattern has not found yet")}
		}
	}
	return m.steps, nil
}

// known checks the nodes bound before the pattern: they must not be null, and have its labels.
func (m *matcher) known() {
	for _, n := range m.nodes {
		slot, ok := m.f.scope.Slot(n.name)
		if !ok {
			continue
		}
		m.steps = append(m.steps, &labelled{graph: m.x.graph, slot: slot, labels: n.labels, text: shownLabels(n.name, n.labels)})
	}
}

// shownLabels formats a label condition.
func shownLabels(name string, labels syntax.Labels) string {
	if len(labels) == 0 {
		return visible(name) + " IS NOT NULL"
	}
	return syntax.Format(&syntax.HasLabels{X: &syntax.Variable{Name: visible(name)}, Labels: labels})
}

// filter adds the conditions whose names are all bound.
func (m *matcher) filter(ctx context.Context) error {
	for _, c := range m.conditions {
		if c.done || !c.ready(m.f) {
			continue
		}
		c.done = true
		steps, err := m.planner.filter(ctx, c.expr, m.f)
		if err != nil {
			return err
		}
		m.steps = append(m.steps, steps...)
		m.rows *= 0.3
	}
	return nil
}

// nextRel returns the relationship to follow next: of those at a bound node, the one that adds the fewest rows; nil
// if there is none.
func (m *matcher) nextRel(ctx context.Context) (best *patternRel, err error) {
	least := math.Inf(1)
	for _, r := range m.rels {
		if r.done || !m.canFollow(r) {
			continue
		}
		cost, err := m.fanOut(ctx, r)
		if err != nil {
			return nil, err
		}
		if m.f.has(r.from) && m.f.has(r.to) {
			cost = 0.01
		}
		if cost < least {
			best, least = r, cost
		}
	}
	return best, nil
}

// canFollow reports whether enough is bound to follow a relationship.
func (m *matcher) canFollow(r *patternRel) bool {
	from, to := m.f.has(r.from), m.f.has(r.to)
	if r.shortest != syntax.AnyLength {
		return from && to
	}
	if r.Length == nil && m.f.has(r.name) {
		return true
	}
	return from || to
}

// fanOut estimates the number of rows that a relationship makes of one.
func (m *matcher) fanOut(ctx context.Context, r *patternRel) (float64, error) {
	edges, err := m.x.graph.Size(ctx, r.Types...)
	if err != nil {
		return 0, err
	}
	all, _, err := m.x.graph.Estimate(ctx, Lookup{})
	if err != nil {
		return 0, err
	}
	n := float64(edges) / float64(max(1, all))
	if r.Direction == syntax.Either {
		n *= 2
	}
	if r.Length != nil {
		n = 1 + n*10
	}
	return n, nil
}

// follow adds the step for a relationship.
func (m *matcher) follow(ctx context.Context, r *patternRel) error {
	n, err := m.fanOut(ctx, r)
	if err != nil {
		return err
	}
	ends := m.endsOf(r)
	known := m.f.has(r.name)
	h := m.hop(r, ends)
	if m.rows *= n; h.bound {
		m.rows = min(m.rows, 1)
	}
	var o operator
	switch {
	case known && r.Length == nil:
		o = &follow{hop: h, scope: m.f.scope, fromKnown: ends.startKnown}
	case known:
		o = &retrace{hop: h, scope: m.f.scope, length: *r.Length}
	case r.shortest != syntax.AnyLength:
		o, err = m.shortest(r, h)
	case r.Length != nil:
		o, err = m.walk(r, h)
	default:
		o = &expand{hop: h, x: m.x, scope: m.f.scope, rows: m.rows}
	}
	if err != nil {
		return err
	}
	m.steps = append(m.steps, o)
	r.done = true
	m.unique = append(m.unique, r)
	if !ends.startKnown {
		m.arrive(ends.start)
	}
	if !ends.endKnown {
		m.arrive(ends.end)
	}
	return nil
}

// ends are the start and end of a relationship in the direction it is followed.
type ends struct {
	start, end           string
	startKnown, endKnown bool
	back                 bool // against the order of the text
}

func (m *matcher) endsOf(r *patternRel) ends {
	e := ends{start: r.from, end: r.to}
	if e.back = !m.f.has(r.from) && m.f.has(r.to); e.back {
		e.start, e.end = r.to, r.from
	}
	e.startKnown, e.endKnown = m.f.has(e.start), m.f.has(e.end) || e.start == e.end
	return e
}

// hop allocates slots for a relationship and its nodes.
func (m *matcher) hop(r *patternRel, e ends) hop {
	h := hop{bound: e.endKnown, types: r.Types, back: e.back, direction: directionOf(r.Direction, e.back)}
	for _, u := range m.unique {
		if !disjoint(u.Types, r.Types) {
			slot, _ := m.f.scope.Slot(u.name)
			h.others = append(h.others, slot)
		}
	}
	h.from, h.rel, h.to = m.f.bind(e.start), m.f.slot(r.name), m.f.bind(e.end)
	h.shown = show(visible(e.start), r.RelPattern, visible(e.end), h.direction)
	return h
}

// directionOf returns the direction in which a relationship is followed.
func directionOf(d syntax.Direction, back bool) codegraph.Direction {
	switch {
	case d == syntax.Either:
		return codegraph.Both
	case (d == syntax.Right) != back:
		return codegraph.Out
	}
	return codegraph.In
}

// disjoint reports whether the sets of types have no common element; an empty set is all types.
func disjoint(these, those []string) bool {
	return len(these) > 0 && len(those) > 0 && !anyOf(these, those)
}

// arrive adds the label condition of a node that was reached.
func (m *matcher) arrive(node string) {
	for _, n := range m.nodes {
		if n.name == node && len(n.labels) > 0 {
			slot, _ := m.f.scope.Slot(node)
			m.steps = append(m.steps, &labelled{graph: m.x.graph, slot: slot, labels: n.labels, text: shownLabels(node, n.labels)})
		}
	}
}

// walk returns the step for a relationship of variable length.
func (m *matcher) walk(r *patternRel, h hop) (*walk, error) {
	properties, err := m.propertiesOf(r)
	return &walk{
		hop: h, x: m.x, scope: m.f.scope, length: *r.Length, properties: properties,
		once: m.onlyEnds(r), rows: m.rows,
	}, err
}

// shortest returns the step for a shortest path.
func (m *matcher) shortest(r *patternRel, h hop) (*shortest, error) {
	properties, err := m.propertiesOf(r)
	length := syntax.Length{Min: 1, Max: 1}
	if r.Length != nil {
		length = *r.Length
	}
	return &shortest{
		hop: h, x: m.x, scope: m.f.scope, length: length,
		every: r.shortest == syntax.ShortestAll, properties: properties,
	}, err
}

// propertiesOf compiles the property map of the relationships of a walk.
func (m *matcher) propertiesOf(r *patternRel) (eval.Expr, error) {
	if r.Properties == nil {
		return nil, nil
	}
	for name := range namesIn(r.Properties) {
		if m.new[name] && !m.f.has(name) {
			return nil, &syntax.Error{
				At: r.At, Class: syntax.Unsupported, Code: "UnboundProperty",
				Message: message.New("the properties of this relationship name %s, which is found only later", name),
				Advice:  message.New("match %s in a MATCH of its own, before this one", name),
			}
		}
	}
	return m.compiler.Compile(r.Properties, m.f.scope)
}

// onlyEnds reports whether only the end nodes of a walk are used.
func (m *matcher) onlyEnds(r *patternRel) bool {
	if !m.ends || r.Var != nil || r.Direction == syntax.Either || r.Length.Min > 1 {
		return false
	}
	for _, p := range m.paths {
		if slices.Contains(p.rels, r.name) {
			return false
		}
	}
	for _, other := range m.rels {
		if other != r && !disjoint(other.Types, r.Types) {
			return false
		}
	}
	return true
}

// path returns the step that assembles a path.
func (m *matcher) path(p *patternPath) *path {
	o := &path{name: p.name, slot: m.f.slot(p.name)}
	for _, n := range p.nodes {
		slot, _ := m.f.scope.Slot(n)
		o.nodes = append(o.nodes, slot)
	}
	for _, r := range p.rels {
		slot, _ := m.f.scope.Slot(r)
		o.rels = append(o.rels, slot)
	}
	return o
}
