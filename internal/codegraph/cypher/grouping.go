package cypher

import (
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// group adds the steps of a grouping: the columns without aggregates are the keys, and the others are computed per
// group.
func (j *projector) group() error {
	g := &group{x: j.x}
	after := &frame{scope: eval.NewScope(), nodes: map[string]bool{}, around: j.f.around}
	g.scope = after.scope
	before := j.f
	var keys aliases
	rest := []*syntax.Item{}
	for _, i := range j.items {
		if len(aggregatesIn(i.Expr)) > 0 {
			continue
		}
		if err := j.key(g, i, before, after); err != nil {
			return err
		}
		keys = append(keys, alias{i.Expr, i.Name()})
	}
	for _, x := range j.subjects() {
		if _, known := keys.of(x); known {
			continue
		}
		i := &syntax.Item{At: x.Start(), Expr: x, As: j.hidden()}
		if err := j.key(g, i, before, after); err != nil {
			return err
		}
		keys = append(keys, alias{x, i.As})
	}
	r := &regrouped{projector: j, group: g, before: before, after: after, keys: keys}
	for _, i := range j.items {
		e := syntax.Expr(&syntax.Variable{At: i.At, Name: i.Name()})
		if len(aggregatesIn(i.Expr)) > 0 {
			var err error
			if e, err = r.rewrite(i.Expr); err != nil {
				return err
			}
		}
		rest = append(rest, &syntax.Item{At: i.At, Expr: e, As: i.Name()})
	}
	for _, o := range j.order {
		var err error
		if o.Expr, err = r.rewrite(o.Expr); err != nil {
			return err
		}
	}
	j.steps = append(append(j.steps, g), after.restore()...)
	j.f = after
	return j.compute(rest)
}

// subjects returns the variables of the map projections that contain aggregates.
func (j *projector) subjects() (variables []syntax.Expr) {
	for _, i := range j.items {
		if len(aggregatesIn(i.Expr)) > 0 {
			variables = append(variables, eval.Subjects(i.Expr)...)
		}
	}
	return variables
}

// key adds a grouping key.
func (j *projector) key(g *group, i *syntax.Item, before, after *frame) error {
	j.steps = append(j.steps, j.load(before, i.Expr)...)
	e, err := j.compiler.Compile(i.Expr, before.scope)
	if err != nil {
		return err
	}
	g.keys, g.into = append(g.keys, e), append(g.into, after.slot(i.Name()))
	g.texts = append(g.texts, i.Name())
	if v, ok := i.Expr.(*syntax.Variable); ok {
		after.nodes[i.Name()] = before.nodes[v.Name]
	}
	return nil
}

// regrouped replaces expressions by names of columns of the group.
type regrouped struct {
	*projector
	group         *group
	before, after *frame
	keys          aliases
	calls         aliases // the aggregates with their generated names
}

func (r *regrouped) rewrite(e syntax.Expr) (out syntax.Expr, err error) {
	key := func(e syntax.Expr) syntax.Expr {
		if name, ok := r.keys.of(e); ok {
			return &syntax.Variable{At: e.Start(), Name: name}
		}
		return nil
	}
	out = replaced(e, func(e syntax.Expr) syntax.Expr {
		if s, ok := e.(*syntax.Subquery); ok && key(e) == nil { // its aggregates are its own
			return replacedWithin(s, key)
		}
		if isAggregate(e) {
			name, failed := r.call(e)
			if failed != nil {
				err = failed
			}
			return &syntax.Variable{At: e.Start(), Name: name}
		}
		return key(e)
	})
	return out, err
}

// call adds an aggregate unless it exists, and returns its name.
func (r *regrouped) call(e syntax.Expr) (string, error) {
	if name, ok := r.calls.of(e); ok {
		return name, nil
	}
	name := r.hidden()
	r.calls = append(r.calls, alias{e, name})
	a, err := eval.NewAggregation(e)
	if err != nil {
		return "", err
	}
	g := aggregateCall{new: a.New, into: r.after.slot(name)}
	r.steps = append(r.steps, r.load(r.before, a.Args...)...)
	for _, a := range a.Args {
		compiled, err := r.compiler.Compile(a, r.before.scope)
		if err != nil {
			return "", err
		}
		g.args = append(g.args, compiled)
	}
	r.group.calls = append(r.group.calls, g)
	r.group.texts = append(r.group.texts, syntax.Format(e))
	return name, nil
}
