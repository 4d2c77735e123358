package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Graph is a property graph as the engine reads it: in batches. [Code] makes one of
// a code graph. It is for use by many goroutines.
type Graph interface {
	// Find returns the nodes that a lookup finds, each once.
	Find(ctx context.Context, l Lookup) ([]codegraph.ID, error)
	// Estimate returns about how many nodes Find would return, and whether it would
	// know them without a look at each node. It may say so only of properties whose
	// values are strings.
	Estimate(ctx context.Context, l Lookup) (nodes int, indexed bool, err error)
	// Size returns how many relationships of the types there are; all for none.
	Size(ctx context.Context, types ...string) (int, error)
	// Expand returns the relationships at some nodes, in one direction or both, of any
	// of the types, all for none.
	Expand(ctx context.Context, ids []codegraph.ID, d codegraph.Direction, types ...string) (Expansion, error)
	// Labels returns the labels of some nodes.
	Labels(ctx context.Context, ids []codegraph.ID) ([][]string, error)
	// Properties returns the values of some properties of some nodes, by node and then
	// by key; nil for what is not there.
	Properties(ctx context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error)
	// Vocabulary returns the words for what is in the graph.
	Vocabulary(ctx context.Context) (Vocabulary, error)
	// Keys returns the names of the properties that are there, sorted, for each node.
	Keys(ctx context.Context, ids []codegraph.ID) ([][]string, error)
}

// Vocabulary is the words for what is in a graph, each list sorted.
type Vocabulary struct {
	Labels, Types, Properties []string
}

// Lookup is a way to find nodes: by labels, and by one property.
type Lookup struct {
	Labels   []string // any of them; none for all nodes
	Property string   // "" for none
	By       By
	Text     string // what the property is, begins or ends with
}

// By is how the property of a [Lookup] is compared.
type By int8

// The ways to compare.
const (
	Equal By = iota
	Prefix
	Suffix
)

// Expansion is the relationships at some nodes.
type Expansion struct {
	Relationships []value.Relationship
	// Ends tells where in Relationships those of each node end; they begin where those
	// of the node before end. In the direction Both one from a node to itself is there
	// once.
	Ends []int
}

// At returns the relationships at the node that was the i-th asked for.
func (x *Expansion) At(i int) []value.Relationship {
	if i == 0 {
		return x.Relationships[:x.Ends[0]]
	}
	return x.Relationships[x.Ends[i-1]:x.Ends[i]]
}
