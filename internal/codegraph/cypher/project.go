package cypher

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
)

// assign computes expressions into slots.
type assign struct {
	exprs []eval.Expr
	slots []int
	text  string
}

func (a *assign) explain() step { return step{name: "Compute", detail: a.text} }

func (a *assign) run(ctx context.Context, in stream) stream {
	return fill(in, func(rows []eval.Row) error { return a.fill(ctx, rows) })
}

func (a *assign) fill(ctx context.Context, rows []eval.Row) error {
	for i, r := range rows {
		if i%fullBatch == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for k, e := range a.exprs {
			v, err := e(ctx, r)
			if err != nil {
				return err
			}
			r[a.slots[k]] = v
		}
	}
	return nil
}

// narrow converts rows to a new scope, keeping some values.
type narrow struct {
	scope *eval.Scope
	from  []int
	to    []int
	names []string
}

func (n *narrow) explain() step { return step{name: "Project", detail: strings.Join(n.names, ", ")} }

func (n *narrow) run(_ context.Context, in stream) stream {
	return each(in, n.scope, func(out *emitter, rows []eval.Row) (more bool, err error) {
		for _, r := range rows {
			next := out.copy(nil)
			for i, from := range n.from {
				next[n.to[i]] = r[from]
			}
			if !out.add(next) {
				return false, nil
			}
		}
		return true, nil
	})
}
