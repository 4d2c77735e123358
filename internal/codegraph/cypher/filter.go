package cypher

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// filter keeps the rows for which a condition is true.
type filter struct {
	where eval.Expr
	text  string
}

func (f *filter) explain() step { return step{name: "Filter", detail: f.text} }

func (f *filter) run(ctx context.Context, in stream) stream {
	return keep(in, func(r eval.Row) (bool, error) {
		v, err := f.where(ctx, r)
		yes, _ := v.(bool)
		return yes, err
	})
}

// keep passes the rows for which wanted is true.
func keep(in stream, wanted func(r eval.Row) (bool, error)) stream {
	return sift(in, func(rows []eval.Row) ([]eval.Row, error) {
		kept := rows[:0]
		for _, r := range rows {
			yes, err := wanted(r)
			if err != nil {
				return nil, err
			}
			if yes {
				kept = append(kept, r)
			}
		}
		return kept, nil
	})
}

// sift passes what left returns for each batch.
func sift(in stream, left func(rows []eval.Row) ([]eval.Row, error)) stream {
	return func(yield func([]eval.Row, error) bool) {
		for rows, err := range in {
			if err == nil {
				rows, err = left(rows)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if len(rows) > 0 && !yield(rows, nil) {
				return
			}
		}
	}
}

// labelled keeps the rows whose node has labels.
type labelled struct {
	graph  Graph
	slot   int
	labels [][]string // one of each group
	text   string
}

func (l *labelled) explain() step { return step{name: "Filter", detail: l.text} }

func (l *labelled) run(ctx context.Context, in stream) stream {
	return sift(in, func(rows []eval.Row) ([]eval.Row, error) {
		labels, err := l.graph.Labels(ctx, nodesIn(rows, l.slot))
		kept := rows[:0]
		for i, has := range labels {
			if rows[i][l.slot] != nil && hasLabels(has, l.labels) {
				kept = append(kept, rows[i])
			}
		}
		return kept, err
	})
}

func hasLabels(has []string, wanted [][]string) bool {
	for _, group := range wanted {
		if !anyOf(has, group) {
			return false
		}
	}
	return true
}

func anyOf(has, wanted []string) bool {
	for _, h := range has {
		if slices.Contains(wanted, h) {
			return true
		}
	}
	return false
}

// nodesIn returns the nodes in a slot of rows; 0 if there is none.
func nodesIn(rows []eval.Row, slot int) []codegraph.ID {
	ids := make([]codegraph.ID, len(rows))
	for i, r := range rows {
		if n, ok := r[slot].(value.Node); ok {
			ids[i] = codegraph.ID(n)
		}
	}
	return ids
}
