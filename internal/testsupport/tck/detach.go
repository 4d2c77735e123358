package tck

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Detach converts a value to the form that [ParseValue] returns: nodes, relationships and paths become their
// contents.
func Detach(ctx context.Context, g cypher.Graph, v value.Value) (any, error) {
	switch v := v.(type) {
	case value.Node:
		return detachNode(ctx, g, v)
	case value.Relationship:
		return detachRelationship(v), nil
	case *value.Path:
		return detachPath(ctx, g, v)
	case value.List:
		list := value.List{}
		for _, item := range v {
			detached, err := Detach(ctx, g, item)
			if err != nil {
				return nil, err
			}
			list = append(list, detached)
		}
		return list, nil
	case value.Map:
		m := value.Map{}
		for key, item := range v {
			detached, err := Detach(ctx, g, item)
			if err != nil {
				return nil, err
			}
			m[key] = detached
		}
		return m, nil
	}
	return v, nil
}

func detachNode(ctx context.Context, g cypher.Graph, n value.Node) (Node, error) {
	ids := []codegraph.ID{codegraph.ID(n)}
	labels, err := g.Labels(ctx, ids)
	if err != nil {
		return Node{}, err
	}
	keys, err := g.Keys(ctx, ids)
	if err != nil {
		return Node{}, err
	}
	values, err := g.Properties(ctx, ids, keys[0]...)
	if err != nil {
		return Node{}, err
	}
	properties := value.Map{}
	for i, key := range keys[0] {
		properties[key] = values[0][i]
	}
	return Node{Labels: labels[0], Properties: properties}, nil
}

func detachRelationship(r value.Relationship) Relationship {
	properties := value.Map{}
	for _, key := range r.Properties() {
		properties[key] = r.Property(key)
	}
	return Relationship{Type: r.Key().Type, Properties: properties}
}

func detachPath(ctx context.Context, g cypher.Graph, p *value.Path) (Path, error) {
	var path Path
	for i, n := range p.Nodes {
		detached, err := detachNode(ctx, g, n)
		if err != nil {
			return Path{}, err
		}
		path.Nodes = append(path.Nodes, detached)
		if i < len(p.Relationships) {
			r := p.Relationships[i]
			path.Relationships = append(path.Relationships, detachRelationship(r))
			path.Backward = append(path.Backward, r.Key().From != codegraph.ID(n))
		}
	}
	return path, nil
}
