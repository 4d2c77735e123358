package cypher

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// apply is CALL { }: the results of a query for each row, added to the row.
type apply struct {
	scope    *eval.Scope // of the rows
	inner    pipeline
	first    *eval.Scope // of the query's first row
	in       [2][]int    // slots of the visible names: in the rows, in the query's first row
	out      [2][]int    // slots of the columns: in the query's rows, in the rows
	optional bool
	text     string
}

func (a *apply) explain() step {
	name := "Call"
	if a.optional {
		name = "Optional call"
	}
	return step{name: name, detail: a.text, inner: explainAll(a.inner)}
}

func (a *apply) run(ctx context.Context, in stream) stream {
	return each(in, a.scope, func(out *emitter, rows []eval.Row) (bool, error) {
		for _, r := range rows {
			if more, err := a.row(ctx, out, r); !more || err != nil {
				return more, err
			}
		}
		return true, nil
	})
}

// row runs the query for one row, and reports whether to continue.
func (a *apply) row(ctx context.Context, out *emitter, r eval.Row) (more bool, err error) {
	start := make(eval.Row, a.first.Width())
	for i, from := range a.in[0] {
		start[a.in[1][i]] = r[from]
	}
	found := false
	for results, err := range a.inner.run(ctx, batch(start)) {
		if err != nil {
			return false, err
		}
		for _, result := range results {
			found = true
			next := out.copy(r)
			for i, from := range a.out[0] {
				next[a.out[1][i]] = result[from]
			}
			if !out.add(next) {
				return false, nil
			}
		}
	}
	if found || !a.optional {
		return true, nil
	}
	next := out.copy(r)
	for _, slot := range a.out[1] {
		next[slot] = nil
	}
	return out.add(next), nil
}

// apply returns the steps of CALL { }, and adds its columns to the frame.
func (p *planner) apply(ctx context.Context, c *syntax.CallSubquery, f *frame) (pipeline, error) {
	a := &apply{scope: f.scope, optional: c.Optional, text: "{ " + c.Query.String() + " }"}
	inner := newFrame()
	a.first = inner.scope
	for _, name := range seenIn(c, f) {
		slot, ok := f.scope.Slot(name)
		if !ok {
			continue
		}
		a.in[0], a.in[1] = append(a.in[0], slot), append(a.in[1], inner.slot(name))
		inner.nodes[name] = f.nodes[name]
	}
	var enter pipeline
	if c.Scoped {
		enter = inner.enter()
	}
	steps, end, columns, err := p.query(ctx, c.Query, inner, false)
	if err != nil {
		return nil, err
	}
	a.inner = append(enter, steps...)
	for _, name := range columns {
		slot := f.scope.Hidden()
		f.scope.Bind(name, slot)
		f.nodes[name] = end.nodes[name]
		a.out[0], a.out[1] = append(a.out[0], end.slot(name)), append(a.out[1], slot)
	}
	return pipeline{a}, nil
}

// seenIn returns the names that a query in CALL { } sees of the query around it.
func seenIn(c *syntax.CallSubquery, f *frame) (names []string) {
	all := func() (all []string) {
		for _, name := range f.scope.Names() {
			if !strings.HasPrefix(name, hiddenMark) {
				all = append(all, name)
			}
		}
		return all
	}
	if c.Star {
		return all()
	}
	for _, x := range c.Scope {
		names = append(names, x.Name)
	}
	for _, s := range c.Query.Parts {
		switch {
		case s.Imports == nil:
		case s.Imports.Star:
			return all()
		default:
			for _, i := range s.Imports.Items {
				names = append(names, i.Name())
			}
		}
	}
	return names
}
