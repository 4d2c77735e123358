package eval

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// graphFunctions are the functions of nodes, relationships and paths.
var graphFunctions = []*function{
	{name: "id", min: 1, max: 1, call: pure(id)},
	{name: "elementId", min: 1, max: 1, call: pure(elementID)},
	{name: "labels", min: 1, max: 1, call: labels},
	{name: "type", min: 1, max: 1, call: of(message.Key("a relationship"), relationshipType)},
	{name: "keys", min: 1, max: 1, call: keys},
	{name: "properties", min: 1, max: 1, call: properties},
	{name: "startNode", min: 1, max: 1, call: of(message.Key("a relationship"), startNode)},
	{name: "endNode", min: 1, max: 1, call: of(message.Key("a relationship"), endNode)},
	{name: "nodes", min: 1, max: 1, call: of(message.Key("a path"), nodes)},
	{name: "relationships", min: 1, max: 1, call: of(message.Key("a path"), relationships)},
	{name: "rels", min: 1, max: 1, call: of(message.Key("a path"), relationships)},
	{name: "length", min: 1, max: 1, call: of(message.Key("a path"), length)},
}

var nodeOrRelationship = message.Key("a node or a relationship")

// id returns the id of a node. For a relationship it returns its number or, if that is 0, a hash of its identity,
// which is stable across runs.
func id(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case value.Node:
		return int64(v), nil
	case value.Relationship:
		return numberOf(v.Key()), nil
	}
	return nil, &argumentError{nodeOrRelationship, args[0]}
}

func numberOf(k value.Key) int64 {
	if k.Number != 0 {
		return k.Number
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(k.From))
	b = binary.BigEndian.AppendUint32(b, uint32(k.To))
	h := fnv.New64a()
	h.Write(append(b, k.Type...))
	return int64(h.Sum64() & math.MaxInt64)
}

// elementID returns the id as a string with the prefix 4: for nodes and 5: for relationships.
func elementID(args []value.Value) (value.Value, error) {
	number, err := id(args)
	if err != nil {
		return nil, err
	}
	kind := "5:"
	if _, ok := args[0].(value.Node); ok {
		kind = "4:"
	}
	return kind + strconv.FormatInt(number.(int64), 10), nil
}

func labels(ctx context.Context, g Graph, args []value.Value) (value.Value, error) {
	n, ok := args[0].(value.Node)
	if !ok {
		return nil, &argumentError{message.Key("a node"), args[0]}
	}
	found, err := labelsOf(ctx, g, n)
	return texts(found), err
}

// texts converts strings to a list.
func texts(ss []string) value.List {
	list := make(value.List, len(ss))
	for i, s := range ss {
		list[i] = s
	}
	return list
}

func relationshipType(r value.Relationship) (value.Value, error) { return r.Key().Type, nil }

func startNode(r value.Relationship) (value.Value, error) { return value.Node(r.Key().From), nil }

func endNode(r value.Relationship) (value.Value, error) { return value.Node(r.Key().To), nil }

// keysOf returns the sorted names of properties or keys.
func keysOf(ctx context.Context, g Graph, v value.Value) ([]string, error) {
	switch v := v.(type) {
	case value.Node:
		found, err := g.Keys(ctx, []codegraph.ID{codegraph.ID(v)})
		if err != nil {
			return nil, err
		}
		return found[0], nil
	case value.Map:
		return slices.Sorted(maps.Keys(v)), nil
	case value.Relationship:
		return v.Properties(), nil
	}
	return nil, &argumentError{message.Key("a node, a relationship or a map"), v}
}

func keys(ctx context.Context, g Graph, args []value.Value) (value.Value, error) {
	found, err := keysOf(ctx, g, args[0])
	return texts(found), err
}

func properties(ctx context.Context, g Graph, args []value.Value) (value.Value, error) {
	if m, ok := args[0].(value.Map); ok {
		return m, nil
	}
	names, err := keysOf(ctx, g, args[0])
	if err != nil {
		return nil, err
	}
	if n, ok := args[0].(value.Node); ok {
		found, err := g.Properties(ctx, []codegraph.ID{codegraph.ID(n)}, names...)
		if err != nil {
			return nil, err
		}
		return newMap(names, found[0]), nil
	}
	all := make(value.Map, len(names))
	for _, name := range names {
		all[name] = args[0].(value.Relationship).Property(name)
	}
	return all, nil
}

func nodes(p *value.Path) (value.Value, error) {
	list := make(value.List, len(p.Nodes))
	for i, n := range p.Nodes {
		list[i] = n
	}
	return list, nil
}

func relationships(p *value.Path) (value.Value, error) {
	list := make(value.List, len(p.Relationships))
	for i, r := range p.Relationships {
		list[i] = r
	}
	return list, nil
}

func length(p *value.Path) (value.Value, error) { return int64(len(p.Relationships)), nil }
