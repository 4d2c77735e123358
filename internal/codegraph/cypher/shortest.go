package cypher

import (
	"context"
	"iter"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// shortest finds shortest paths between two bound nodes by breadth-first search.
type shortest struct {
	hop
	x          *execution
	scope      *eval.Scope
	length     syntax.Length
	every      bool // all shortest paths, not just one
	properties eval.Expr
}

func (s *shortest) explain() step {
	name := "Shortest path"
	if s.every {
		name = "Shortest paths"
	}
	return step{name: name, detail: s.shown}
}

func (s *shortest) run(ctx context.Context, in stream) stream {
	return each(in, s.scope, func(out *emitter, rows []eval.Row) (more bool, err error) {
		for _, r := range rows {
			paths, err := s.paths(ctx, r)
			if err != nil {
				return false, err
			}
			for p := range paths {
				if s.back {
					slices.Reverse(p)
				}
				next := out.copy(r)
				next[s.rel] = p
				if !out.add(next) {
					return false, nil
				}
			}
		}
		return true, nil
	})
}

// arrival records how a node was first reached: the relationships and the number of steps.
type arrival struct {
	steps int
	by    []value.Relationship
}

// paths returns the relationships of the shortest paths for a row. A path from a node to itself must follow the
// direction of its relationships; otherwise it could return over the same one.
func (s *shortest) paths(ctx context.Context, r eval.Row) (iter.Seq[value.List], error) {
	none := slices.Values([]value.List(nil))
	from, ok1 := r[s.from].(value.Node)
	to, ok2 := r[s.to].(value.Node)
	switch {
	case !ok1 || !ok2:
		return none, nil
	case from == to && s.length.Min == 0:
		return slices.Values([]value.List{{}}), nil
	case from == to && s.direction == codegraph.Both:
		return none, nil
	}
	var want value.Map
	if s.properties != nil {
		v, err := s.properties(ctx, r)
		if err != nil {
			return nil, err
		}
		want, _ = v.(value.Map)
	}
	return s.search(ctx, from, to, want)
}

// search searches from one node until it reaches the other.
func (s *shortest) search(ctx context.Context, from, to value.Node, want value.Map) (iter.Seq[value.List], error) {
	found := map[value.Node]*arrival{}
	held := int64(0)
	defer func() { _ = s.x.hold(-held) }()
	frontier := []value.Node{from}
	for steps := 1; len(frontier) > 0 && found[to] == nil; steps++ {
		if s.length.Max != syntax.Unbounded && steps > s.length.Max {
			break
		}
		var err error
		if frontier, err = s.step(ctx, found, frontier, steps, want); err != nil {
			return nil, err
		}
		size := int64(len(frontier)) * trailSize
		held += size
		if err := s.x.hold(size); err != nil {
			return nil, err
		}
	}
	return eachPath(found, to), nil
}

// step expands the frontier, and returns the new nodes.
func (s *shortest) step(ctx context.Context, found map[value.Node]*arrival, frontier []value.Node, steps int, want value.Map) (next []value.Node, err error) {
	for part := range slices.Chunk(frontier, fullBatch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ids := make([]codegraph.ID, len(part))
		for i, n := range part {
			ids[i] = codegraph.ID(n)
		}
		x, err := s.x.graph.Expand(ctx, ids, s.direction, s.types...)
		if err != nil {
			return nil, err
		}
		for i, n := range part {
			for _, rel := range x.At(i) {
				if !fits(rel, want) {
					continue
				}
				far := otherEnd(rel.Key(), n)
				a := found[far]
				switch {
				case a == nil:
					found[far] = &arrival{steps: steps, by: []value.Relationship{rel}}
					next = append(next, far)
				case s.every && a.steps == steps:
					a.by = append(a.by, rel)
				}
			}
		}
	}
	return next, nil
}

// eachPath iterates over the paths to a node. There may be very many.
func eachPath(found map[value.Node]*arrival, to value.Node) iter.Seq[value.List] {
	return func(yield func(value.List) bool) {
		if found[to] == nil {
			return
		}
		length := found[to].steps
		var follow func(at value.Node, tail value.List) bool
		follow = func(at value.Node, tail value.List) bool {
			if len(tail) == length {
				p := slices.Clone(tail)
				slices.Reverse(p)
				return yield(p)
			}
			for _, rel := range found[at].by {
				if !follow(otherEnd(rel.Key(), at), append(tail, rel)) {
					return false
				}
			}
			return true
		}
		follow(to, make(value.List, 0, length))
	}
}
