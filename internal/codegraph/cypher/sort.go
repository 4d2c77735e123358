package cypher

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// order is ORDER BY. The sort is stable.
type order struct {
	x          *execution
	keys       []eval.Expr
	descending []bool
	texts      []string
	// first are SKIP and LIMIT, if only that many rows are needed.
	first []*count
	// countRest is set to count the dropped rows.
	countRest bool
}

func (o *order) explain() step {
	s := step{name: "Sort", detail: strings.Join(o.texts, ", ")}
	if len(o.first) > 0 {
		s.name = "Top"
	}
	return s
}

// sorted is a row with its sort keys.
type sorted struct {
	row  eval.Row
	keys []value.Value
}

func (o *order) compare(a, b sorted) int {
	for i := range a.keys {
		c := value.Order(a.keys[i], b.keys[i])
		if o.descending[i] {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func (o *order) run(ctx context.Context, in stream) stream {
	return func(yield func([]eval.Row, error) bool) {
		top, err := o.top(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		all, held := []sorted(nil), int64(0)
		defer func() { _ = o.x.hold(-held) }()
		for rows, err := range in {
			if err == nil {
				all, err = o.take(ctx, all, rows)
			}
			if err == nil && top >= 0 && len(all) > 2*top+fullBatch {
				all = o.cut(all, top)
			}
			if now := o.size(all); err == nil && now != held {
				err = o.x.hold(now - held)
				held = now
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		if top < 0 {
			top = len(all)
		}
		o.give(o.cut(all, top), yield)
	}
}

// top returns the number of rows needed; -1 for all.
func (o *order) top(ctx context.Context) (int, error) {
	if len(o.first) == 0 {
		return -1, nil
	}
	sum := 0
	for _, c := range o.first {
		n, err := c.value(ctx)
		if err != nil {
			return 0, err
		}
		sum += max(0, min(n, 1<<40))
	}
	return sum, nil
}

// take adds rows to those being sorted.
func (o *order) take(ctx context.Context, all []sorted, rows []eval.Row) ([]sorted, error) {
	keys := make([]value.Value, len(rows)*len(o.keys))
	for _, r := range rows {
		s := sorted{row: r, keys: keys[:len(o.keys):len(o.keys)]}
		keys = keys[len(o.keys):]
		for i, k := range o.keys {
			v, err := k(ctx, r)
			if err != nil {
				return nil, err
			}
			s.keys[i] = v
		}
		all = append(all, s)
	}
	return all, ctx.Err()
}

// cut sorts, and drops the rows that are not needed.
func (o *order) cut(all []sorted, top int) []sorted {
	slices.SortStableFunc(all, o.compare)
	if top >= len(all) {
		return all
	}
	if o.countRest {
		o.x.cut += len(all) - top
	}
	clear(all[top:])
	return all[:top]
}

// size estimates the memory of rows during sorting, in bytes.
func (o *order) size(all []sorted) int64 {
	if len(all) == 0 {
		return 0
	}
	return int64(len(all)) * int64(16*(len(all[0].row)+len(o.keys))+64)
}

// give passes the rows on.
func (o *order) give(all []sorted, yield func([]eval.Row, error) bool) {
	for part := range slices.Chunk(all, fullBatch) {
		rows := make([]eval.Row, len(part))
		for i := range part {
			rows[i] = part[i].row
		}
		if !yield(rows, nil) {
			return
		}
	}
}
