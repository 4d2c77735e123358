package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
)

// union concatenates the rows of several queries, which all start from the same rows.
type union struct {
	parts []pipeline
}

func (u *union) explain() step {
	s := step{name: "Union"}
	for _, p := range u.parts {
		s.inner = append(s.inner, step{name: "Query", inner: explainAll(p)})
	}
	return s
}

func (u *union) run(ctx context.Context, in stream) stream {
	return func(yield func([]eval.Row, error) bool) {
		for rows, err := range in {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, p := range u.parts {
				for found, err := range p.run(ctx, batch(rows...)) {
					if !yield(found, err) || err != nil {
						return
					}
				}
			}
		}
	}
}
