// Package memory implements [cypher.Graph] in memory, for tests.
package memory

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Graph is a property graph. The zero value is empty. It is safe for concurrent reads.
type Graph struct {
	nodes         []node // by id - 1
	relationships int    // number of relationships ever added
}

var _ cypher.Graph = (*Graph)(nil)

type node struct {
	labels     []string
	properties value.Map
	out, in    []*relationship
}

type relationship struct {
	key        value.Key
	properties value.Map
}

func (r *relationship) Key() value.Key                   { return r.key }
func (r *relationship) Property(name string) value.Value { return r.properties[name] }
func (r *relationship) Properties() []string             { return slices.Sorted(maps.Keys(r.properties)) }

// Node adds a node. Properties that are nil are omitted.
func (g *Graph) Node(labels []string, properties value.Map) codegraph.ID {
	g.nodes = append(g.nodes, node{labels: slices.Compact(slices.Sorted(slices.Values(labels))), properties: present(properties)})
	return codegraph.ID(len(g.nodes))
}

// Relate adds a relationship. Properties that are nil are omitted.
func (g *Graph) Relate(from, to codegraph.ID, kind string, properties value.Map) value.Relationship {
	g.relationships++
	key := value.Key{From: from, To: to, Type: kind, Number: int64(g.relationships)}
	r := &relationship{key: key, properties: present(properties)}
	g.at(from).out = append(g.at(from).out, r)
	g.at(to).in = append(g.at(to).in, r)
	return r
}

// Remove removes a relationship.
func (g *Graph) Remove(r value.Relationship) {
	key := r.Key()
	is := func(r *relationship) bool { return r.key == key }
	g.at(key.From).out = slices.DeleteFunc(g.at(key.From).out, is)
	g.at(key.To).in = slices.DeleteFunc(g.at(key.To).in, is)
}

// present returns the properties that are not nil.
func present(properties value.Map) value.Map {
	properties = maps.Clone(properties)
	maps.DeleteFunc(properties, func(_ string, v value.Value) bool { return v == nil })
	return properties
}

// at returns a node, empty if there is none with the id.
func (g *Graph) at(id codegraph.ID) *node {
	if id == 0 || int(id) > len(g.nodes) {
		return &node{}
	}
	return &g.nodes[id-1]
}

// Find examines every node.
func (g *Graph) Find(_ context.Context, l cypher.Lookup) ([]codegraph.ID, error) {
	var found []codegraph.ID
	for i := range g.nodes {
		if g.nodes[i].fits(l) {
			found = append(found, codegraph.ID(i+1))
		}
	}
	return found, nil
}

// fits reports whether a node matches a lookup.
func (n *node) fits(l cypher.Lookup) bool {
	if len(l.Labels) > 0 && !slices.ContainsFunc(l.Labels, func(label string) bool { return slices.Contains(n.labels, label) }) {
		return false
	}
	if l.Property == "" {
		return true
	}
	text, ok := n.properties[l.Property].(string)
	switch {
	case !ok:
		return false
	case l.By == cypher.Prefix:
		return strings.HasPrefix(text, l.Text)
	case l.By == cypher.Suffix:
		return strings.HasSuffix(text, l.Text)
	}
	return text == l.Text
}

// Estimate counts the nodes; there is no index.
func (g *Graph) Estimate(ctx context.Context, l cypher.Lookup) (nodes int, indexed bool, err error) {
	found, err := g.Find(ctx, l)
	return len(found), false, err
}

// Size counts relationships.
func (g *Graph) Size(_ context.Context, types ...string) (int, error) {
	n := 0
	for i := range g.nodes {
		n += len(ofTypes(g.nodes[i].out, types))
	}
	return n, nil
}

// ofTypes returns the relationships of any of the types; all if types is empty.
func ofTypes(all []*relationship, types []string) []*relationship {
	if len(types) == 0 {
		return all
	}
	var some []*relationship
	for _, r := range all {
		if slices.Contains(types, r.key.Type) {
			some = append(some, r)
		}
	}
	return some
}

// Expand returns the relationships at the nodes.
func (g *Graph) Expand(_ context.Context, ids []codegraph.ID, d codegraph.Direction, types ...string) (cypher.Expansion, error) {
	var x cypher.Expansion
	for _, id := range ids {
		n := g.at(id)
		if d != codegraph.In {
			for _, r := range ofTypes(n.out, types) {
				x.Relationships = append(x.Relationships, r)
			}
		}
		if d != codegraph.Out {
			for _, r := range ofTypes(n.in, types) {
				if d == codegraph.In || r.key.From != id {
					x.Relationships = append(x.Relationships, r)
				}
			}
		}
		x.Ends = append(x.Ends, len(x.Relationships))
	}
	return x, nil
}

// Labels returns the sorted labels of the nodes.
func (g *Graph) Labels(_ context.Context, ids []codegraph.ID) ([][]string, error) {
	all := make([][]string, len(ids))
	for i, id := range ids {
		all[i] = g.at(id).labels
	}
	return all, nil
}

// Properties returns the values of properties of the nodes.
func (g *Graph) Properties(_ context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error) {
	all := make([][]value.Value, len(ids))
	for i, id := range ids {
		all[i] = make([]value.Value, len(keys))
		for k, key := range keys {
			all[i][k] = g.at(id).properties[key]
		}
	}
	return all, nil
}

// Keys returns the names of the nodes' properties.
func (g *Graph) Keys(_ context.Context, ids []codegraph.ID) ([][]string, error) {
	all := make([][]string, len(ids))
	for i, id := range ids {
		all[i] = slices.Sorted(maps.Keys(g.at(id).properties))
	}
	return all, nil
}

// Vocabulary returns the names used in the graph.
func (g *Graph) Vocabulary(context.Context) (cypher.Vocabulary, error) {
	labels, types, properties := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, n := range g.nodes {
		for _, l := range n.labels {
			labels[l] = true
		}
		for p := range n.properties {
			properties[p] = true
		}
		for _, r := range n.out {
			types[r.key.Type] = true
			for p := range r.properties {
				properties[p] = true
			}
		}
	}
	sorted := func(words map[string]bool) []string { return slices.Sorted(maps.Keys(words)) }
	return cypher.Vocabulary{Labels: sorted(labels), Types: sorted(types), Properties: sorted(properties)}, nil
}
