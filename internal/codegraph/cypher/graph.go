package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Graph is a property graph that is read in batches. [Code] makes one of a code graph. It is safe for concurrent
// use.
type Graph interface {
	// Find returns the nodes that match a lookup, without duplicates.
	Find(ctx context.Context, l Lookup) ([]codegraph.ID, error)
	// Estimate returns the approximate number of nodes that Find would return, and whether there is an index, so
	// that Find does not examine each node. An index is only for properties whose values are strings.
	Estimate(ctx context.Context, l Lookup) (nodes int, indexed bool, err error)
	// Size returns the number of relationships of the types; of all for none.
	Size(ctx context.Context, types ...string) (int, error)
	// Expand returns the relationships at the nodes, in one direction or both, of any of the types, or all if none
	// is given.
	Expand(ctx context.Context, ids []codegraph.ID, d codegraph.Direction, types ...string) (Expansion, error)
	// Labels returns the labels of each node.
	Labels(ctx context.Context, ids []codegraph.ID) ([][]string, error)
	// Properties returns the values of properties, by node and key; nil for missing ones.
	Properties(ctx context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error)
	// Vocabulary returns the names used in the graph.
	Vocabulary(ctx context.Context) (Vocabulary, error)
	// Keys returns the sorted names of each node's properties.
	Keys(ctx context.Context, ids []codegraph.ID) ([][]string, error)
}

// Vocabulary holds the names used in a graph, sorted.
type Vocabulary struct {
	Labels, Types, Properties []string
}

// Lookup is a condition on nodes: labels and one property.
type Lookup struct {
	Labels   []string // any of them; nil for all nodes
	Property string   // "" for no property
	By       By
	Text     string // compared with the property
}

// By is the comparison of a [Lookup].
type By int8

// The comparisons.
const (
	Equal By = iota
	Prefix
	Suffix
)

// Expansion holds the relationships at some nodes.
type Expansion struct {
	Relationships []value.Relationship
	// Ends[i] is the end in Relationships of those of the i-th node; they begin at Ends[i-1]. For direction Both a
	// self-loop appears once.
	Ends []int
}

// At returns the relationships at the i-th node requested.
func (x *Expansion) At(i int) []value.Relationship {
	if i == 0 {
		return x.Relationships[:x.Ends[0]]
	}
	return x.Relationships[x.Ends[i-1]:x.Ends[i]]
}
