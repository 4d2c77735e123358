package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// path assembles the path that a pattern matched.
type path struct {
	name  string
	slot  int
	nodes []int
	rels  []int // slots of relationships or lists of them
}

func (p *path) explain() step { return step{name: "Path", detail: p.name} }

func (p *path) run(_ context.Context, in stream) stream {
	return fill(in, func(rows []eval.Row) error {
		for _, r := range rows {
			r[p.slot] = p.of(r)
		}
		return nil
	})
}

// of returns the path of a row; null if a part of it is null.
func (p *path) of(r eval.Row) value.Value {
	at, ok := r[p.nodes[0]].(value.Node)
	if !ok {
		return nil
	}
	found := &value.Path{Nodes: []value.Node{at}}
	along := func(rel value.Relationship) {
		at = otherEnd(rel.Key(), at)
		found.Nodes = append(found.Nodes, at)
		found.Relationships = append(found.Relationships, rel)
	}
	for _, slot := range p.rels {
		switch v := r[slot].(type) {
		case value.Relationship:
			along(v)
		case value.List:
			for _, item := range v {
				along(item.(value.Relationship))
			}
		default:
			return nil
		}
	}
	return found
}
