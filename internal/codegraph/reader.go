package codegraph

import "context"

// Reader reads a graph in batches. Results belong to the caller.
type Reader interface {
	// Nodes returns the nodes with the ids, in their order; the zero Node for an unknown id. Of their texts only
	// the given fields are set, or all if none is given.
	Nodes(ctx context.Context, ids []ID, fields ...Field) ([]Node, error)
	// Qualified returns the node with a qualified name; 0 if there is none.
	Qualified(ctx context.Context, name string) (ID, error)
	// Named returns the nodes with a name, sorted by id.
	Named(ctx context.Context, name string) ([]ID, error)
	// Suffixed returns the nodes whose qualified names are suffix or end in "." and suffix, sorted by id. The "@"
	// and line that distinguish equal names may be omitted.
	Suffixed(ctx context.Context, suffix string) ([]ID, error)
	// Prefixed returns the nodes whose qualified names begin with prefix, sorted by id.
	Prefixed(ctx context.Context, prefix string) ([]ID, error)
	// At returns the nodes of a path: the file or folder, and the declarations in the file. If below is set, it
	// includes all paths that begin with path. They are sorted by id.
	At(ctx context.Context, path string, below bool) ([]ID, error)
	// Labelled returns the nodes with any of the labels, or all nodes if none is given, sorted by id.
	Labelled(ctx context.Context, labels ...Label) ([]ID, error)
	// Expand returns the edges at the nodes, in one direction or both, with any of the types, or all edges if none
	// is given.
	Expand(ctx context.Context, ids []ID, d Direction, types ...Relationship) (Expansion, error)
	// Counts returns the size of the graph.
	Counts(ctx context.Context) (Counts, error)
}

// Field is a text field of a [Node].
type Field int8

// The fields. All other properties of a node are always set.
const (
	FieldQualifiedName Field = iota
	FieldName
	FieldKind
	FieldPath
	FieldSignature
	FieldDoc
	FieldLanguage
	FieldVersion
	FieldDecorators
)

// Expansion holds the edges at some nodes.
type Expansion struct {
	Edges []Edge
	// Ends[i] is the end in Edges of the edges of the i-th node; they begin at Ends[i-1].
	Ends []int
}

// At returns the edges at the i-th node requested. For direction Both, outgoing edges come before incoming ones,
// and a self-loop appears once.
func (x *Expansion) At(i int) []Edge {
	if i == 0 {
		return x.Edges[:x.Ends[0]]
	}
	return x.Edges[x.Ends[i-1]:x.Ends[i]]
}

// Counts are the numbers of nodes and edges of a graph.
type Counts struct {
	Nodes map[Label]int
	Edges map[Relationship]int
}
