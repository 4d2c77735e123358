package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// number writes each row's index in its batch to a slot, to identify the results for it.
func number(rows []eval.Row, slot int) {
	for i, r := range rows {
		r[slot] = int64(i)
	}
}

// optional is OPTIONAL MATCH: the results of its steps for a row, or the row with null in their slots. Within a
// batch, rows with null come last.
type optional struct {
	scope *eval.Scope
	inner pipeline
	slot  int   // for the index of a row
	found []int // slots set by the steps
}

func (o *optional) explain() step { return step{name: "Optional", inner: explainAll(o.inner)} }

func (o *optional) run(ctx context.Context, in stream) stream {
	return each(in, o.scope, func(out *emitter, rows []eval.Row) (bool, error) { return o.batch(ctx, out, rows) })
}

// batch processes a batch, and reports whether to continue.
func (o *optional) batch(ctx context.Context, out *emitter, rows []eval.Row) (more bool, err error) {
	number(rows, o.slot)
	kept := make([]eval.Row, len(rows)) // the steps may modify their input
	for i, r := range rows {
		kept[i] = out.copy(r)
	}
	found := make([]bool, len(rows)) // the steps may reorder rows
	for results, err := range o.inner.run(ctx, batch(rows...)) {
		if err != nil {
			return false, err
		}
		for _, r := range results {
			found[r[o.slot].(int64)] = true
			if !out.add(r) {
				return false, nil
			}
		}
		if !out.flush() {
			return false, nil
		}
	}
	for i, r := range kept {
		if found[i] {
			continue
		}
		for _, slot := range o.found {
			r[slot] = nil
		}
		if !out.add(r) {
			return false, nil
		}
	}
	return true, nil
}

// exists keeps the rows for which its steps give a result or, if not is set, those without.
type exists struct {
	inner pipeline
	slot  int // for the index of a row
	not   bool
	// single passes one row at a time to the steps, because they may give many results for it.
	single bool
	text   string
}

func (e *exists) explain() step {
	name := "Exists"
	if e.not {
		name = "Not exists"
	}
	return step{name: name, detail: e.text, inner: explainAll(e.inner)}
}

func (e *exists) run(ctx context.Context, in stream) stream {
	return sift(in, func(rows []eval.Row) ([]eval.Row, error) {
		found, err := e.found(ctx, rows)
		kept := make([]eval.Row, 0, len(rows))
		for i, is := range found {
			if is != e.not {
				kept = append(kept, rows[i])
			}
		}
		return kept, err
	})
}

// found reports for which rows the steps give a result.
func (e *exists) found(ctx context.Context, rows []eval.Row) ([]bool, error) {
	found := make([]bool, len(rows))
	number(rows, e.slot)
	copies := make([]eval.Row, len(rows))
	for i, r := range rows {
		copies[i] = append(eval.Row(nil), r...)
	}
	if !e.single {
		for results, err := range e.inner.run(ctx, batch(copies...)) {
			if err != nil {
				return nil, err
			}
			for _, r := range results {
				found[r[e.slot].(int64)] = true
			}
		}
		return found, nil
	}
	for i, r := range copies {
		var err error
		if found[i], err = hasResult(ctx, e.inner, r); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// hasResult reports whether steps give a result for a row.
func hasResult(ctx context.Context, p pipeline, r eval.Row) (bool, error) {
	for rows, err := range p.run(ctx, batch(r)) {
		if err != nil {
			return false, err
		}
		if len(rows) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// counted returns an expression for steps: the number of their results for a row.
func counted(p pipeline) eval.Expr {
	return func(ctx context.Context, r eval.Row) (value.Value, error) {
		n := int64(0)
		for rows, err := range p.run(ctx, batch(append(eval.Row(nil), r...))) {
			if err != nil {
				return nil, err
			}
			n += int64(len(rows))
		}
		return n, nil
	}
}

// subquery returns an expression for steps: whether they give a result for a row or, if what is not nil, the list
// of its values in the results.
func subquery(p pipeline, what eval.Expr) eval.Expr {
	return func(ctx context.Context, r eval.Row) (value.Value, error) {
		r = append(eval.Row(nil), r...)
		if what == nil {
			return hasResult(ctx, p, r)
		}
		list := value.List{}
		for rows, err := range p.run(ctx, batch(r)) {
			if err != nil {
				return nil, err
			}
			for _, r := range rows {
				v, err := what(ctx, r)
				if err != nil {
					return nil, err
				}
				list = append(list, v)
			}
		}
		return value.Bounded(list)
	}
}
