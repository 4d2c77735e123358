package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// planner makes plans for one query.
type planner struct {
	x        *execution
	compiler *eval.Compiler
	names    int // number of generated names
}

// query returns the steps of a whole query, the frame of its rows, and its columns. If tell is set, the rows
// dropped by the last LIMIT are counted.
func (p *planner) query(ctx context.Context, q *syntax.Query, f *frame, tell bool) (pipeline, *frame, []string, error) {
	if len(q.Parts) == 1 {
		return p.single(ctx, q.Parts[0], f, tell)
	}
	all, out := &union{}, newFrame()
	var columns []string
	var slots []int
	for i, part := range q.Parts {
		steps, end, names, err := p.single(ctx, part, f.inner(), false)
		if err != nil {
			return nil, nil, nil, err
		}
		if i == 0 {
			for _, name := range names {
				slots = append(slots, out.slot(name))
			}
			columns = names
		}
		all.parts = append(all.parts, append(steps, into(out, end, columns)))
	}
	steps := pipeline{all}
	if !q.Unions[0].All {
		steps = append(steps, &distinct{x: p.x, slots: slots})
	}
	return steps, out, columns, nil
}

// into returns the step that converts rows of one frame to another, by column name.
func into(to, from *frame, columns []string) *narrow {
	n := &narrow{scope: to.scope, names: columns}
	for _, name := range columns {
		n.from = append(n.from, from.slot(name))
		n.to = append(n.to, to.slot(name))
	}
	return n
}

// single returns the steps of a query without UNION.
func (p *planner) single(ctx context.Context, q *syntax.Single, f *frame, tell bool) (steps pipeline, end *frame, columns []string, err error) {
	if q.Imports != nil && !q.Imports.Star {
		f = f.only(q.Imports)
	}
	for i, clause := range q.Clauses {
		var more pipeline
		switch c := clause.(type) {
		case *syntax.Match:
			more, err = p.clause(ctx, c, f, onceIsEnough(q.Clauses[i+1:]))
		case *syntax.Unwind:
			more, err = p.unwind(c, f)
		case *syntax.CallSubquery:
			more, err = p.apply(ctx, c, f)
		case *syntax.CallProcedure:
			if more, err = p.procedure(ctx, c, f); c.Alone {
				columns = check.ProcedureColumns(c)
			}
		case *syntax.Projection:
			more, f, columns, err = p.project(ctx, c, f, tell && i == len(q.Clauses)-1)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		steps = append(steps, more...)
	}
	return steps, f, columns, nil
}

// onceIsEnough reports whether the clauses give the same result if duplicate input rows are dropped.
func onceIsEnough(clauses []syntax.Clause) bool {
	for _, clause := range clauses {
		c, ok := clause.(*syntax.Projection)
		if _, call := clause.(*syntax.CallSubquery); call { // it may count
			return false
		}
		if !ok {
			continue
		}
		if c.Distinct {
			return true
		}
		some := false
		for _, i := range c.Items {
			for _, call := range aggregatesIn(i.Expr) {
				f, ok := call.(*syntax.Call)
				if !ok || !f.Distinct {
					return false
				}
				some = true
			}
		}
		return some
	}
	return false
}

// clause returns the steps of a MATCH.
func (p *planner) clause(ctx context.Context, c *syntax.Match, f *frame, ends bool) (pipeline, error) {
	if !c.Optional {
		return p.match(ctx, p.read(c.Pattern, c.Where, f), f, ends)
	}
	inner := f.inner()
	o := &optional{scope: f.scope, slot: f.scope.Hidden()}
	pt := p.read(c.Pattern, c.Where, inner)
	first := f.scope.Width()
	steps, err := p.match(ctx, pt, inner, ends)
	if err != nil {
		return nil, err
	}
	o.inner = steps
	for slot := first; slot < f.scope.Width(); slot++ {
		o.found = append(o.found, slot)
	}
	for name := range pt.new {
		slot, _ := inner.scope.Slot(name)
		f.scope.Bind(name, slot)
		f.nodes[name] = inner.nodes[name]
	}
	return pipeline{o}, nil
}

// unwind returns the steps of an UNWIND.
func (p *planner) unwind(c *syntax.Unwind, f *frame) (pipeline, error) {
	steps := p.load(f, c.List)
	list, err := p.compiler.Compile(c.List, f.scope)
	if err != nil {
		return nil, err
	}
	f.scope.Bind(c.As.Name, f.scope.Hidden())
	delete(f.nodes, c.As.Name)
	slot, _ := f.scope.Slot(c.As.Name)
	return append(steps, &unwind{scope: f.scope, list: list, slot: slot, text: syntax.Format(c.List) + " AS " + c.As.Name}), nil
}

// load returns the steps that read the node properties used in expressions and not read before.
func (p *planner) load(f *frame, exprs ...syntax.Expr) (steps pipeline) {
	of := map[string]*load{}
	for _, e := range exprs {
		syntax.Walk(e, func(e syntax.Expr) bool {
			prop, ok := e.(*syntax.Property)
			if !ok {
				return !isPattern(e)
			}
			v, ok := prop.Of.(*syntax.Variable)
			if !ok || !f.nodes[v.Name] {
				return true
			}
			slot, there := f.scope.Slot(v.Name)
			if _, loaded := f.scope.Loaded(v.Name, prop.Key); loaded || !there {
				return true
			}
			l := of[v.Name]
			if l == nil {
				l = &load{graph: p.x.graph, variable: visible(v.Name), slot: slot}
				of[v.Name] = l
				steps = append(steps, l)
			}
			into := f.scope.Hidden()
			f.scope.Load(v.Name, prop.Key, into)
			l.keys, l.into = append(l.keys, prop.Key), append(l.into, into)
			return true
		})
	}
	return steps
}

// isPattern reports whether an expression contains a subquery.
func isPattern(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.PatternComprehension, *syntax.PatternPredicate, *syntax.Subquery:
		return true
	}
	return false
}

// filter returns the steps that keep the rows for which a condition is true.
func (p *planner) filter(ctx context.Context, e syntax.Expr, f *frame) (pipeline, error) {
	if o, err := p.asExists(ctx, e, f); o != nil || err != nil {
		return pipeline{o}, err
	}
	if h, ok := e.(*syntax.HasLabels); ok {
		if v, ok := h.X.(*syntax.Variable); ok && f.nodes[v.Name] {
			slot, _ := f.scope.Slot(v.Name)
			return pipeline{&labelled{graph: p.x.graph, slot: slot, labels: h.Labels, text: syntax.Format(e)}}, nil
		}
	}
	steps := p.load(f, e)
	where, err := p.compiler.Compile(e, f.scope)
	return append(steps, &filter{where: where, text: syntax.Format(e)}), err
}
