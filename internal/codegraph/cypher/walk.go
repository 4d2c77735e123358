package cypher

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// MaxSteps is the maximum length of a variable-length path without an upper bound.
const MaxSteps = 50

// walk follows a variable-length relationship. All rows of a batch are expanded together, one graph request per
// step, so that within a batch shorter paths come first.
type walk struct {
	hop
	x      *execution
	scope  *eval.Scope
	length syntax.Length
	// properties is a map that each relationship must match; nil if there is none.
	properties eval.Expr
	// once is set if only distinct end nodes are needed: a node is then not expanded twice.
	once bool
	rows float64
}

func (w *walk) explain() step {
	s := step{name: "Walk", detail: w.shown, rows: w.rows}
	if w.once {
		s.detail += " each node once"
	}
	return s
}

// trail is a partial path: relationships without repetition.
type trail struct {
	row    int // index in the batch
	at     value.Node
	length int
	last   value.Relationship // nil at the start
	before *trail
}

// trailSize is the approximate size of a trail, in bytes.
const trailSize = 64 + relationshipSize

func (w *walk) run(ctx context.Context, in stream) stream {
	return each(in, w.scope, func(out *emitter, rows []eval.Row) (bool, error) { return w.batch(ctx, out, rows) })
}

// batchExpand is the walk of one batch.
type batchExpand struct {
	*walk
	out   *emitter
	rows  []eval.Row
	wants []value.Map // by row; nil for no condition
	seen  map[visit]bool
	held  int64
}

// visit is a node reached by the walk of a row.
type visit struct {
	row int
	at  value.Node
}

// batch walks for a batch, shortest trails first, and reports whether to continue.
func (w *walk) batch(ctx context.Context, out *emitter, rows []eval.Row) (more bool, err error) {
	s := batchExpand{walk: w, out: out, rows: rows}
	defer func() { _ = w.x.hold(-s.held) }()
	trails, err := s.start(ctx)
	if err != nil {
		return false, err
	}
	longest := w.length.Max
	if longest == syntax.Unbounded && !w.once {
		longest = max(MaxSteps, w.length.Min)
	}
	for steps := 0; len(trails) > 0; steps++ {
		if steps >= w.length.Min {
			for _, t := range trails {
				if !s.emit(t) {
					return false, nil
				}
			}
			if !out.flush() {
				return false, nil
			}
		}
		if steps == longest {
			if w.length.Max == syntax.Unbounded {
				w.x.note(message.Sprintf(ctx, "paths of any length were followed for %d steps: give a bound such as *1..%d", longest, longest))
			}
			return true, nil
		}
		if trails, err = s.step(ctx, trails); err != nil {
			return false, err
		}
	}
	return true, nil
}

// start returns the trails of length zero.
func (s *batchExpand) start(ctx context.Context) ([]*trail, error) {
	if s.once {
		s.seen = map[visit]bool{}
	}
	var trails []*trail
	for i, r := range s.rows {
		var want value.Map
		if s.properties != nil {
			v, err := s.properties(ctx, r)
			if err != nil {
				return nil, err
			}
			want, _ = v.(value.Map)
		}
		s.wants = append(s.wants, want)
		at, ok := r[s.from].(value.Node)
		if !ok {
			continue
		}
		trails = append(trails, &trail{row: i, at: at})
		if s.once && s.length.Min == 0 {
			s.seen[visit{i, at}] = true
		}
	}
	return trails, nil
}

// emit adds the row of a trail that is long enough, and reports whether to continue.
func (s *batchExpand) emit(t *trail) bool {
	r := s.rows[t.row]
	if s.bound && r[s.to] != value.Value(t.at) {
		return true
	}
	next := s.out.copy(r)
	next[s.to] = t.at
	if !s.once {
		list := t.list()
		if s.back {
			slices.Reverse(list)
		}
		next[s.rel] = list
	}
	return s.out.add(next)
}

// list returns the relationships of a trail, in order.
func (t *trail) list() value.List {
	all := make(value.List, t.length)
	for ; t.before != nil; t = t.before {
		all[t.length-1] = t.last
	}
	return all
}

// has reports whether a relationship is on the trail.
func (t *trail) has(k value.Key) bool {
	for ; t.before != nil; t = t.before {
		if t.last.Key() == k {
			return true
		}
	}
	return false
}

// step extends each trail by one relationship.
func (s *batchExpand) step(ctx context.Context, trails []*trail) (longer []*trail, err error) {
	for part := range slices.Chunk(trails, fullBatch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ids := make([]codegraph.ID, len(part))
		for i, t := range part {
			ids[i] = codegraph.ID(t.at)
		}
		found, err := s.x.graph.Expand(ctx, ids, s.direction, s.types...)
		if err != nil {
			return nil, err
		}
		before := len(longer)
		for i, t := range part {
			for _, rel := range found.At(i) {
				if next := s.along(t, rel); next != nil {
					longer = append(longer, next)
				}
			}
		}
		size := int64(len(longer)-before) * trailSize
		s.held += size
		if err := s.x.hold(size); err != nil {
			return nil, err
		}
	}
	return longer, nil
}

// along returns a trail extended by a relationship; nil if that is not allowed.
func (s *batchExpand) along(t *trail, rel value.Relationship) *trail {
	k := rel.Key()
	if !fits(rel, s.wants[t.row]) || used(s.rows[t.row], s.others, k) {
		return nil
	}
	far := otherEnd(k, t.at)
	if s.seen != nil {
		v := visit{t.row, far}
		if s.seen[v] {
			return nil
		}
		s.seen[v] = true
		return &trail{row: t.row, at: far, length: t.length + 1}
	}
	if t.has(k) {
		return nil
	}
	return &trail{row: t.row, at: far, length: t.length + 1, last: rel, before: t}
}

// fits reports whether a relationship has the properties of a map.
func fits(rel value.Relationship, want value.Map) bool {
	for key, v := range want {
		if value.Equal(rel.Property(key), v) != value.Value(true) {
			return false
		}
	}
	return true
}
