package cypher

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// projector plans one WITH or RETURN.
type projector struct {
	*planner
	clause *syntax.Projection
	items  []*syntax.Item
	f      *frame // of the input rows, later with the columns added
	steps  pipeline
	// made maps expressions to columns, because ORDER BY may repeat the expressions.
	made  aliases
	order []*syntax.Order
	slots []int // of the columns
}

// project returns the steps of a WITH or RETURN, the frame of its output rows, and its columns.
func (p *planner) project(ctx context.Context, c *syntax.Projection, f *frame, tell bool) (pipeline, *frame, []string, error) {
	j := &projector{planner: p, clause: c, items: itemsOf(c, f), f: f}
	j.name()
	var err error
	if j.aggregates() {
		err = j.group()
	} else {
		err = j.compute(j.items)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if c.Distinct {
		j.steps = append(j.steps, &distinct{x: p.x, slots: j.slots})
	}
	if err := j.arrange(tell); err != nil {
		return nil, nil, nil, err
	}
	for _, e := range conjuncts(c.Where) { // WHERE may use names that are not columns
		steps, err := p.filter(ctx, e, j.f)
		if err != nil {
			return nil, nil, nil, err
		}
		j.steps = append(j.steps, steps...)
	}
	out, columns := j.narrow()
	return j.steps, out, columns, nil
}

// itemsOf returns the items, with "*" expanded.
func itemsOf(c *syntax.Projection, f *frame) []*syntax.Item {
	if !c.Star {
		return c.Items
	}
	var items []*syntax.Item
	for _, name := range f.names() {
		items = append(items, &syntax.Item{At: c.At, Expr: &syntax.Variable{At: c.At, Name: name}, As: name})
	}
	return append(items, c.Items...)
}

// name records the expressions of the columns. The name of a column takes precedence.
func (j *projector) name() {
	given := map[string]bool{}
	for _, i := range j.items {
		given[i.Name()] = true
	}
	for _, i := range j.items {
		if v, ok := i.Expr.(*syntax.Variable); ok && given[v.Name] {
			continue
		}
		j.made = append(j.made, alias{i.Expr, i.Name()})
	}
	for _, o := range j.clause.OrderBy {
		j.order = append(j.order, &syntax.Order{Expr: j.column(o.Expr), Descending: o.Descending})
	}
}

// column replaces expressions of columns by the columns.
func (j *projector) column(e syntax.Expr) syntax.Expr {
	return replaced(e, func(e syntax.Expr) syntax.Expr {
		if name, ok := j.made.of(e); ok {
			return &syntax.Variable{At: e.Start(), Name: name}
		}
		return nil
	})
}

// aggregates reports whether any item aggregates.
func (j *projector) aggregates() bool {
	for _, i := range j.items {
		if len(aggregatesIn(i.Expr)) > 0 {
			return true
		}
	}
	for _, o := range j.order {
		if len(aggregatesIn(o.Expr)) > 0 {
			return true
		}
	}
	return false
}

// aggregatesIn returns the outermost aggregates in an expression.
func aggregatesIn(e syntax.Expr) (found []syntax.Expr) {
	syntax.Walk(e, func(e syntax.Expr) bool {
		if isAggregate(e) {
			found = append(found, e)
			return false
		}
		return !isPattern(e)
	})
	return found
}

func isAggregate(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.CountStar:
		return true
	case *syntax.Call:
		return eval.IsAggregate(e.Name)
	}
	return false
}

// compute adds the steps that compute and name the columns.
func (j *projector) compute(items []*syntax.Item) error {
	inner := j.f.inner()
	a := &assign{}
	var exprs []syntax.Expr
	for _, i := range items {
		exprs = append(exprs, i.Expr)
	}
	j.steps = append(j.steps, j.load(j.f, exprs...)...)
	inner.scope = j.f.scope.Inner()
	var texts []string
	for _, i := range items {
		slot, isNode, err := j.place(i, a)
		if err != nil {
			return err
		}
		inner.scope.Bind(i.Name(), slot)
		inner.nodes[i.Name()] = isNode
		j.slots = append(j.slots, slot)
		texts = append(texts, i.Name())
	}
	if len(a.exprs) > 0 {
		a.text = strings.Join(texts, ", ")
		j.steps = append(j.steps, a)
	}
	j.f = inner
	return nil
}

// place returns the slot of a column: that of a variable, or a new computed one.
func (j *projector) place(i *syntax.Item, a *assign) (slot int, isNode bool, err error) {
	if v, ok := i.Expr.(*syntax.Variable); ok {
		if slot, ok := j.f.scope.Slot(v.Name); ok {
			return slot, j.f.nodes[v.Name], nil
		}
	}
	e, err := j.compiler.Compile(i.Expr, j.f.scope)
	if err != nil {
		return 0, false, err
	}
	slot = j.f.scope.Hidden()
	a.exprs, a.slots = append(a.exprs, e), append(a.slots, slot)
	return slot, false, nil
}

// arrange adds ORDER BY, SKIP and LIMIT.
func (j *projector) arrange(tell bool) error {
	skips, err := j.count("SKIP", j.clause.Skip)
	if err != nil {
		return err
	}
	limits, err := j.count("LIMIT", j.clause.Limit)
	if err != nil {
		return err
	}
	if len(j.order) > 0 {
		o := &order{x: j.x, countRest: tell}
		if limits.expr != nil {
			o.first = []*count{limits, skips}
		}
		if err := j.sort(o); err != nil {
			return err
		}
	}
	if skips.expr != nil {
		j.steps = append(j.steps, &skip{*skips})
	}
	if limits.expr != nil {
		j.steps = append(j.steps, &limit{x: j.x, count: *limits, countRest: tell})
	}
	return nil
}

// sort adds ORDER BY.
func (j *projector) sort(o *order) error {
	for _, k := range j.order {
		j.steps = append(j.steps, j.load(j.f, k.Expr)...)
		e, err := j.compiler.Compile(k.Expr, j.f.scope)
		if err != nil {
			return err
		}
		text := syntax.Format(k.Expr)
		if k.Descending {
			text += " DESC"
		}
		o.keys, o.descending, o.texts = append(o.keys, e), append(o.descending, k.Descending), append(o.texts, text)
	}
	j.steps = append(j.steps, o)
	return nil
}

// count compiles what SKIP or LIMIT says.
func (j *projector) count(clause string, e syntax.Expr) (*count, error) {
	if e == nil {
		return &count{}, nil
	}
	compiled, err := j.compiler.Compile(e, eval.NewScope())
	return &count{expr: compiled, clause: clause, at: e.Start(), shown: syntax.Format(e)}, err
}

// narrow adds the step that leaves only the columns.
func (j *projector) narrow() (*frame, []string) {
	out := newFrame()
	out.around = j.f.around
	n := &narrow{scope: out.scope, from: j.slots}
	for _, i := range j.items {
		name := i.Name()
		n.to = append(n.to, out.slot(name))
		n.names = append(n.names, name)
		out.nodes[name] = j.f.nodes[name]
	}
	j.steps = append(j.steps, n)
	if !j.clause.Return {
		j.steps = append(j.steps, out.restore()...)
	}
	return out, n.names
}
