package cypher

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// start is a way to find the first node of a pattern.
type start struct {
	node   *patternNode
	labels []string // one group of the node's labels
	seeks  []seek
	exact  []*condition // conditions that the seeks already ensure
	rows   float64
}

// scan adds a step that finds an unbound node; false if there is none left.
func (m *matcher) scan(ctx context.Context) (more bool, err error) {
	var best *start
	for _, n := range m.nodes {
		if m.f.has(n.name) {
			continue
		}
		s, err := m.startAt(ctx, n)
		if err != nil {
			return false, err
		}
		if best == nil || s.rows < best.rows {
			best = s
		}
	}
	if best == nil {
		return false, nil
	}
	for _, c := range best.exact {
		c.done = true
	}
	slot := m.f.bind(best.node.name)
	m.rows *= max(best.rows, 0.1)
	m.steps = append(m.steps, &scan{
		graph: m.x.graph, scope: m.f.scope, slot: slot, name: visible(best.node.name),
		labels: best.labels, seeks: best.seeks, rows: m.rows,
	})
	rest := slices.DeleteFunc(slices.Clone(best.node.labels), func(group []string) bool { return slices.Equal(group, best.labels) })
	if len(rest) > 0 {
		m.steps = append(m.steps, &labelled{graph: m.x.graph, slot: slot, labels: rest, text: shownLabels(best.node.name, rest)})
	}
	return true, nil
}

// startAt returns the start with the fewest estimated nodes.
func (m *matcher) startAt(ctx context.Context, n *patternNode) (*start, error) {
	best := &start{node: n}
	groups := n.labels
	if len(groups) == 0 {
		groups = syntax.Labels{nil}
	}
	for i, group := range groups {
		rows, _, err := m.x.graph.Estimate(ctx, Lookup{Labels: group})
		if err != nil {
			return nil, err
		}
		if i == 0 || float64(rows) < best.rows {
			best.labels, best.rows = group, float64(rows)
		}
	}
	for _, c := range m.conditions {
		if c.done {
			continue
		}
		s := seekPlan{matcher: m, node: n.name, labels: best.labels, exact: true}
		ok, err := s.read(ctx, c.expr)
		if err != nil {
			return nil, err
		}
		if !ok || s.rows >= best.rows {
			continue
		}
		best.seeks, best.rows, best.exact = s.seeks, s.rows, nil
		if s.exact {
			best.exact = []*condition{c}
		}
	}
	return best, nil
}

// seekPlan are the seeks derived from a condition: their union contains each node that satisfies it.
type seekPlan struct {
	*matcher
	node   string
	labels []string
	seeks  []seek
	rows   float64
	exact  bool // the union contains no other node
}

// read analyses a condition, and reports whether it can be answered by seeks.
func (s *seekPlan) read(ctx context.Context, e syntax.Expr) (ok bool, err error) {
	switch e := e.(type) {
	case *syntax.Comparison:
		if len(e.Ops) != 1 || e.Ops[0] != syntax.Equal {
			return false, nil
		}
		if ok, err := s.add(ctx, e.Operands[0], Equal, e.Operands[1], false); ok || err != nil {
			return ok, err
		}
		return s.add(ctx, e.Operands[1], Equal, e.Operands[0], false)
	case *syntax.Binary:
		switch e.Op { //nolint:exhaustive // the others are not sought
		case syntax.Or:
			if ok, err := s.read(ctx, e.L); !ok || err != nil {
				return false, err
			}
			return s.read(ctx, e.R)
		case syntax.StartsWith:
			return s.add(ctx, e.L, Prefix, e.R, false)
		case syntax.EndsWith:
			return s.add(ctx, e.L, Suffix, e.R, false)
		case syntax.In:
			return s.add(ctx, e.L, Equal, e.R, true)
		}
	}
	return false, nil
}

// add adds the seek for a comparison of a property, and reports whether the graph has an index for it. A list is
// allowed only for IN.
func (s *seekPlan) add(ctx context.Context, property syntax.Expr, by By, with syntax.Expr, list bool) (ok bool, err error) {
	p, ok := property.(*syntax.Property)
	if !ok {
		return false, nil
	}
	if v, ok := p.Of.(*syntax.Variable); !ok || v.Name != s.node || !s.available(with) {
		return false, nil
	}
	known, constant := s.constant(with)
	_, isList := known.(value.List)
	if constant && isList != list {
		return false, nil
	}
	rows, ok, err := s.estimate(ctx, p.Key, by, known, constant)
	if !ok || err != nil {
		return false, err
	}
	text, err := s.compiler.Compile(with, s.f.scope)
	if err != nil {
		return false, err
	}
	s.rows += rows
	s.exact = s.exact && constant
	shown := map[By]string{Equal: "=", Prefix: "STARTS WITH", Suffix: "ENDS WITH"}[by]
	if list {
		shown = "IN"
	}
	s.seeks = append(s.seeks, seek{
		property: p.Key, by: by, text: text, constant: len(namesIn(with)) == 0,
		shown: visible(s.node) + "." + p.Key + " " + shown + " " + syntax.Format(with),
	})
	return true, nil
}

// available reports whether all names in an expression are bound.
func (s *seekPlan) available(e syntax.Expr) bool {
	for name := range namesIn(e) {
		if name == s.node || s.new[name] && !s.f.has(name) {
			return false
		}
	}
	return true
}

// constant returns the value of a literal, a parameter, a list or a sum of them.
func (s *seekPlan) constant(e syntax.Expr) (v value.Value, ok bool) {
	switch e := e.(type) {
	case *syntax.Literal:
		return e.Value, true
	case *syntax.Parameter:
		v, ok = s.compiler.Parameters[e.Name]
		return v, ok
	case *syntax.List:
		list := value.List{}
		for _, item := range e.Items {
			v, ok := s.constant(item)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case *syntax.Binary:
		l, ok1 := s.constant(e.L)
		r, ok2 := s.constant(e.R)
		if e.Op == syntax.Add && ok1 && ok2 {
			v, err := value.Add(l, r)
			return v, err == nil
		}
	}
	return nil, false
}

// unknownRows is the estimated number of nodes for a text that is unknown at planning time.
const unknownRows = 5

// estimate estimates the number of nodes of a seek, and reports whether there is an index.
func (s *seekPlan) estimate(ctx context.Context, key string, by By, known value.Value, constant bool) (rows float64, ok bool, err error) {
	l := Lookup{Labels: s.labels, Property: key, By: by}
	if !constant {
		_, ok, err = s.x.graph.Estimate(ctx, l)
		return unknownRows, ok && by == Equal, err
	}
	for _, text := range texts(known) {
		l.Text = text
		n, indexed, err := s.x.graph.Estimate(ctx, l)
		if err != nil || !indexed {
			return 0, false, err
		}
		rows += float64(n)
		ok = true
	}
	return rows, ok, nil
}
