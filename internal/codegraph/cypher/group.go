package cypher

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// group aggregates rows with equal keys into one row each, in the order of the groups' first rows.
type group struct {
	x     *execution
	scope *eval.Scope // of the output rows
	keys  []eval.Expr
	into  []int // slots of the keys
	calls []aggregateCall
	texts []string
}

// aggregateCall is one aggregate.
type aggregateCall struct {
	args []eval.Expr // nil for count(*)
	new  func() eval.Aggregate
	into int
}

func (g *group) explain() step { return step{name: "Group", detail: strings.Join(g.texts, ", ")} }

// groupState is a group in progress.
type groupState struct {
	keys  []value.Value
	calls []eval.Aggregate
}

func (g *group) run(ctx context.Context, in stream) stream {
	return func(yield func([]eval.Row, error) bool) {
		all := groupStates{group: g, known: map[string]*groupState{}}
		defer func() { _ = g.x.hold(-all.held) }()
		for rows, err := range in {
			if err == nil {
				err = all.take(ctx, rows)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		if len(g.keys) == 0 && len(all.list) == 0 {
			all.list = append(all.list, g.start(nil))
		}
		out := newEmitter(g.scope.Width(), yield)
		for _, a := range all.list {
			r := out.copy(nil)
			for i, into := range g.into {
				r[into] = a.keys[i]
			}
			for i, c := range g.calls {
				r[c.into] = a.calls[i].Result()
			}
			if !out.add(r) {
				return
			}
		}
		out.flush()
	}
}

// start returns an empty group.
func (g *group) start(keys []value.Value) *groupState {
	a := &groupState{keys: keys, calls: make([]eval.Aggregate, len(g.calls))}
	for i, c := range g.calls {
		a.calls[i] = c.new()
	}
	return a
}

// groupStates are the groups in progress.
type groupStates struct {
	*group
	known map[string]*groupState
	list  []*groupState
	held  int64
	key   []byte
	keys  []value.Value
	args  []value.Value
}

// take adds rows to their groups.
func (a *groupStates) take(ctx context.Context, rows []eval.Row) error {
	before := a.held
	for _, r := range rows {
		to, err := a.of(ctx, r)
		if err != nil {
			return err
		}
		for i := range a.calls {
			if err := a.feed(ctx, to.calls[i], &a.calls[i], r); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.x.hold(a.held - before)
}

// of returns the group of a row.
func (a *groupStates) of(ctx context.Context, r eval.Row) (*groupState, error) {
	a.key, a.keys = a.key[:0], a.keys[:0]
	for _, k := range a.group.keys {
		v, err := k(ctx, r)
		if err != nil {
			return nil, err
		}
		a.key, a.keys = value.AppendKey(a.key, v), append(a.keys, v)
	}
	to := a.known[string(a.key)]
	if to == nil {
		to = a.start(append([]value.Value(nil), a.keys...))
		a.known[string(a.key)] = to
		a.list = append(a.list, to)
		a.held += int64(len(a.key)) + entrySize + int64(len(a.calls)+len(a.keys))*relationshipSize
	}
	return to, nil
}

// feed passes a row's values to an aggregate.
func (a *groupStates) feed(ctx context.Context, to eval.Aggregate, c *aggregateCall, r eval.Row) error {
	a.args = a.args[:0]
	for _, e := range c.args {
		v, err := e(ctx, r)
		if err != nil {
			return err
		}
		a.args = append(a.args, v)
	}
	before := to.Size()
	err := to.Add(a.args...)
	a.held += to.Size() - before
	return err
}
