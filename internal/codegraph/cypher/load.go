package cypher

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
)

// load reads properties of the nodes in a slot, in batches, into slots of their own.
type load struct {
	graph    Graph
	variable string
	slot     int
	keys     []string
	into     []int
}

func (l *load) explain() step {
	return step{name: "Read", detail: l.variable + "." + strings.Join(l.keys, ", "+l.variable+".")}
}

func (l *load) run(ctx context.Context, in stream) stream {
	return fill(in, func(rows []eval.Row) error { return l.fill(ctx, rows) })
}

// fill sets the properties. Adjacent rows often have the same node.
func (l *load) fill(ctx context.Context, rows []eval.Row) error {
	all := nodesIn(rows, l.slot)
	ids := make([]codegraph.ID, 0, len(all))
	for i, id := range all {
		if i == 0 || id != all[i-1] {
			ids = append(ids, id)
		}
	}
	values, err := l.graph.Properties(ctx, ids, l.keys...)
	if err != nil {
		return err
	}
	at := -1
	for i, r := range rows {
		if i == 0 || all[i] != all[i-1] {
			at++
		}
		for k, into := range l.into {
			r[into] = values[at][k]
		}
	}
	return nil
}
