package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// unwind makes a row for each element of a list, one row for a value that is not a list, and none for null.
type unwind struct {
	scope *eval.Scope
	list  eval.Expr
	slot  int
	text  string
}

func (u *unwind) explain() step { return step{name: "Unwind", detail: u.text} }

func (u *unwind) run(ctx context.Context, in stream) stream {
	return each(in, u.scope, func(out *emitter, rows []eval.Row) (more bool, err error) {
		for _, r := range rows {
			v, err := u.list(ctx, r)
			if err != nil {
				return false, err
			}
			for _, item := range elements(v) {
				next := out.copy(r)
				next[u.slot] = item
				if !out.add(next) {
					return false, nil
				}
			}
		}
		return true, nil
	})
}

func elements(v value.Value) value.List {
	switch v := v.(type) {
	case nil:
		return nil
	case value.List:
		return v
	}
	return value.List{v}
}
