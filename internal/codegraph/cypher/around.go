package cypher

import (
	"context"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// around is the row around a subquery. Its names stay visible in the subquery after a WITH or a grouping, which make
// new rows. A subquery with such clauses runs for one row at a time.
type around struct {
	slots map[string]int
	nodes map[string]bool
	row   eval.Row // of the current run
}

// enter marks the names of a frame as those around the subquery that the frame is for. The steps record its row.
func (f *frame) enter() pipeline {
	f.around = &around{slots: map[string]int{}, nodes: maps.Clone(f.nodes)}
	for _, name := range f.scope.Names() {
		f.around.slots[name], _ = f.scope.Slot(name)
	}
	return pipeline{&record{f.around}}
}

// has reports whether a name is visible around the subquery.
func (a *around) has(name string) bool {
	if a == nil {
		return false
	}
	_, ok := a.slots[name]
	return ok
}

// restore adds the names around the subquery that a frame lacks, and returns the step that sets their values.
func (f *frame) restore() pipeline {
	if f.around == nil {
		return nil
	}
	o := &restore{around: f.around}
	for _, name := range slices.Sorted(maps.Keys(f.around.slots)) {
		if f.has(name) {
			continue
		}
		o.from, o.to = append(o.from, f.around.slots[name]), append(o.to, f.slot(name))
		f.nodes[name] = f.around.nodes[name]
	}
	if o.to == nil {
		return nil
	}
	return pipeline{o}
}

// only returns a frame for the same rows with only the names of an importing WITH.
func (f *frame) only(w *syntax.Projection) *frame {
	inner := &frame{scope: f.scope.Inner(), nodes: map[string]bool{}}
	var names []string
	for _, i := range w.Items {
		names = append(names, i.Name())
		inner.nodes[i.Name()] = f.nodes[i.Name()]
	}
	inner.scope.Keep(names)
	return inner
}

// record keeps the row that a subquery runs for.
type record struct{ *around }

func (o *record) explain() step { return step{} }

func (o *record) run(_ context.Context, in stream) stream {
	return fill(in, func(rows []eval.Row) error {
		if len(rows) > 0 {
			o.row = slices.Clone(rows[0])
		}
		return nil
	})
}

// restore sets the values of names around a subquery.
type restore struct {
	*around
	from, to []int
}

func (o *restore) explain() step { return step{} }

func (o *restore) run(_ context.Context, in stream) stream {
	return fill(in, func(rows []eval.Row) error {
		for _, r := range rows {
			for i, slot := range o.to {
				r[slot] = o.row[o.from[i]]
			}
		}
		return nil
	})
}
