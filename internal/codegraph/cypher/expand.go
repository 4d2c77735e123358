package cypher

import (
	"context"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// hop is a relationship of a pattern, followed from a bound node.
type hop struct {
	from, rel, to int // slots
	direction     codegraph.Direction
	types         []string
	// bound is set if the node at the other end is bound, too.
	bound bool
	// back is set if the relationship is followed against the order of the text.
	back bool
	// others are slots of relationships, or lists of them, from which this one must differ.
	others []int
	shown  string
}

// show formats a hop as a pattern.
func show(from string, rel *syntax.RelPattern, to string, d codegraph.Direction) string {
	inside := ""
	if rel.Var != nil && !strings.HasPrefix(rel.Var.Name, hiddenMark) {
		inside = rel.Var.Name
	}
	if len(rel.Types) > 0 {
		inside += ":" + strings.Join(rel.Types, "|")
	}
	if l := rel.Length; l != nil {
		inside += l.String()
	}
	if inside != "" {
		inside = "[" + inside + "]"
	}
	left, right := "-", "-"
	switch d {
	case codegraph.Out:
		right = "->"
	case codegraph.In:
		left = "<-"
	case codegraph.Both:
	}
	return fmt.Sprintf("(%s)%s%s%s(%s)", from, left, inside, right, to)
}

// expand follows a relationship of a pattern, for a batch of rows at a time.
type expand struct {
	hop
	x     *execution
	scope *eval.Scope
	rows  float64
}

func (e *expand) explain() step {
	name := "Expand"
	if e.bound {
		name = "Join"
	}
	return step{name: name, detail: e.shown, rows: e.rows}
}

// relationshipSize is the approximate size of a relationship in memory, in bytes.
const relationshipSize = 96

func (e *expand) run(ctx context.Context, in stream) stream {
	return each(in, e.scope, func(out *emitter, rows []eval.Row) (bool, error) { return e.batch(ctx, out, rows) })
}

// batch follows the relationship for a batch, and reports whether to continue.
func (e *expand) batch(ctx context.Context, out *emitter, rows []eval.Row) (more bool, err error) {
	found, err := e.x.graph.Expand(ctx, nodesIn(rows, e.from), e.direction, e.types...)
	if err != nil {
		return false, err
	}
	held := int64(len(found.Relationships)) * relationshipSize
	if err := e.x.hold(held); err != nil {
		return false, err
	}
	defer func() { _ = e.x.hold(-held) }()
	for i, r := range rows {
		for _, rel := range found.At(i) {
			far := otherEnd(rel.Key(), r[e.from])
			if e.bound && r[e.to] != value.Value(far) || used(r, e.others, rel.Key()) {
				continue
			}
			next := out.copy(r)
			next[e.rel], next[e.to] = rel, far
			if !out.add(next) {
				return false, nil
			}
		}
	}
	return true, nil
}

// otherEnd returns the node at the other end of a relationship.
func otherEnd(k value.Key, from value.Value) value.Node {
	if from == value.Value(value.Node(k.From)) {
		return value.Node(k.To)
	}
	return value.Node(k.From)
}

// used reports whether a relationship is in one of the slots, alone or in a list.
func used(r eval.Row, slots []int, k value.Key) bool {
	for _, slot := range slots {
		switch v := r[slot].(type) {
		case value.Relationship:
			if v.Key() == k {
				return true
			}
		case value.List:
			for _, item := range v {
				if rel, ok := item.(value.Relationship); ok && rel.Key() == k {
					return true
				}
			}
		}
	}
	return false
}

// follow matches a bound relationship: its ends are assigned to the nodes, or compared with them.
type follow struct {
	hop
	scope     *eval.Scope
	fromKnown bool // the start node is bound
}

func (f *follow) explain() step { return step{name: "Follow", detail: f.shown} }

func (f *follow) run(_ context.Context, in stream) stream {
	return each(in, f.scope, func(out *emitter, rows []eval.Row) (more bool, err error) {
		for _, r := range rows {
			for _, ends := range f.ends(r) {
				next := out.copy(r)
				next[f.from], next[f.to] = ends[0], ends[1]
				if !out.add(next) {
					return false, nil
				}
			}
		}
		return true, nil
	})
}

// ends returns the possible pairs of start and end of a row's relationship.
func (f *follow) ends(r eval.Row) (pairs [][2]value.Node) {
	rel, ok := r[f.rel].(value.Relationship)
	if !ok {
		return nil
	}
	k := rel.Key()
	if len(f.types) > 0 && !anyOf([]string{k.Type}, f.types) || used(r, f.others, k) {
		return nil
	}
	try := func(from, to codegraph.ID) {
		a, b := value.Node(from), value.Node(to)
		begins := !f.fromKnown || r[f.from] == value.Value(a)
		ends := !f.bound || r[f.to] == value.Value(b)
		if f.from == f.to { // may be unbound
			ends = a == b
		}
		if begins && ends {
			pairs = append(pairs, [2]value.Node{a, b})
		}
	}
	if f.direction != codegraph.In {
		try(k.From, k.To)
	}
	if f.direction != codegraph.Out && (f.direction == codegraph.In || k.From != k.To) {
		try(k.To, k.From)
	}
	return pairs
}
