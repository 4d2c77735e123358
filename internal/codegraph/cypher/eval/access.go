package eval

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (c *Compiler) property(e *syntax.Property, s *Scope) (Expr, error) {
	if v, ok := e.Of.(*syntax.Variable); ok {
		if slot, ok := s.Loaded(v.Name, e.Key); ok {
			return fromSlot(slot), nil
		}
	}
	of, err := c.Compile(e.Of, s)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		v, err := of(ctx, r)
		if err != nil {
			return nil, err
		}
		p, err := propertyOf(ctx, c.Graph, v, e.Key)
		return p, at(e.At, err)
	}, nil
}

// propertyOf returns a property of a node or a relationship, or the value of a key in a map.
func propertyOf(ctx context.Context, g Graph, v value.Value, key string) (value.Value, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case value.Node:
		found, err := g.Properties(ctx, []codegraph.ID{codegraph.ID(v)}, key)
		if err != nil {
			return nil, err
		}
		return found[0][0], nil
	case value.Map:
		return v[key], nil
	case value.Relationship:
		return v.Property(key), nil
	}
	return nil, typeMismatch("."+key, message.Key("a node, a relationship or a map"), v)
}

func (c *Compiler) index(e *syntax.Index, s *Scope) (Expr, error) {
	return c.onTwo(e.At, e.Of, e.Index, s, func(ctx context.Context, of, index value.Value) (value.Value, error) {
		if of == nil || index == nil {
			return nil, nil
		}
		if list, ok := of.(value.List); ok {
			return element(list, index)
		}
		key, ok := index.(string)
		switch of.(type) {
		case value.Map, value.Node, value.Relationship:
			if !ok {
				return nil, fault(syntax.TypeError, "MapElementAccessByNonString",
					message.New("the key of a map or a property is a string, not %s", described(index)))
			}
			return propertyOf(ctx, c.Graph, of, key)
		}
		return nil, typeMismatch("[ ]", message.Key("a list, a map, a node or a relationship"), of)
	})
}

// element returns an element of a list, counted from the end for a negative index; null if out of range.
func element(list value.List, index value.Value) (value.Value, error) {
	i, ok := index.(int64)
	if !ok {
		return nil, fault(syntax.TypeError, "ListElementAccessByNonInteger",
			message.New("the index of a list is an integer, not %s", described(index)))
	}
	if i < 0 {
		i += int64(len(list))
	}
	if i < 0 || i >= int64(len(list)) {
		return nil, nil
	}
	return list[i], nil
}

func (c *Compiler) slice(e *syntax.Slice, s *Scope) (Expr, error) {
	parts, err := c.compileAll(s, e.Of, e.From, e.To)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		vs, err := evaluate(ctx, r, parts)
		if err != nil {
			return nil, err
		}
		if vs[0] == nil || parts[1] != nil && vs[1] == nil || parts[2] != nil && vs[2] == nil {
			return nil, nil
		}
		list, ok := vs[0].(value.List)
		if !ok {
			return nil, at(e.At, typeMismatch("[ .. ]", message.Key("a list"), vs[0]))
		}
		from, err := bound(vs[1], 0, len(list))
		if err != nil {
			return nil, at(e.At, err)
		}
		to, err := bound(vs[2], len(list), len(list))
		if err != nil {
			return nil, at(e.At, err)
		}
		return slices.Clip(list[from:max(from, to)]), nil
	}, nil
}

// bound returns an end of a slice as an index from 0 to n.
func bound(v value.Value, otherwise, n int) (int, error) {
	if v == nil {
		return otherwise, nil
	}
	i, ok := v.(int64)
	if !ok {
		return 0, typeMismatch("[ .. ]", message.Key("integers"), v)
	}
	if i < 0 {
		i += int64(n)
	}
	return int(min(max(i, 0), int64(n))), nil
}

func (c *Compiler) hasLabels(e *syntax.HasLabels, s *Scope) (Expr, error) {
	of, err := c.Compile(e.X, s)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		v, err := of(ctx, r)
		if v == nil || err != nil {
			return nil, err
		}
		var have []string
		switch v := v.(type) {
		case value.Node:
			have, err = labelsOf(ctx, c.Graph, v)
		case value.Relationship:
			have = []string{v.Key().Type}
		default:
			err = typeMismatch(":", message.Key("a node or a relationship"), v)
		}
		if err != nil {
			return nil, at(e.At, err)
		}
		return fits(e.Labels, have), nil
	}, nil
}

// labelsOf returns the labels of a node.
func labelsOf(ctx context.Context, g Graph, n value.Node) ([]string, error) {
	found, err := g.Labels(ctx, []codegraph.ID{codegraph.ID(n)})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func fits(want syntax.Labels, have []string) bool {
	for _, group := range want {
		if !slices.ContainsFunc(group, func(label string) bool { return slices.Contains(have, label) }) {
			return false
		}
	}
	return true
}
