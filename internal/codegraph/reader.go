package codegraph

import "context"

// Reader reads a graph in batches. What it returns is the caller's.
type Reader interface {
	// Nodes returns the nodes of some ids, in their order; for an id that is not
	// there the zero Node. Of their texts only those of the fields are there, with no
	// fields all.
	Nodes(ctx context.Context, ids []ID, fields ...Field) ([]Node, error)
	// Qualified returns the node of a qualified name; 0 when there is none.
	Qualified(ctx context.Context, name string) (ID, error)
	// Named returns the nodes of a name, in the order of ids.
	Named(ctx context.Context, name string) ([]ID, error)
	// Suffixed returns the nodes whose qualified names are the suffix or end in "."
	// and the suffix, in the order of ids. "@" and a line at the end, which tell
	// apart things of one name, may be left out.
	Suffixed(ctx context.Context, suffix string) ([]ID, error)
	// Prefixed returns the nodes whose qualified names begin with a prefix, in the order
	// of ids.
	Prefixed(ctx context.Context, prefix string) ([]ID, error)
	// At returns the nodes of a path: the file or folder, and what is in the file; with
	// below also those of the paths that it begins. They are in the order of ids.
	At(ctx context.Context, path string, below bool) ([]ID, error)
	// Labelled returns the nodes of any of the labels, all for none, in the order
	// of ids.
	Labelled(ctx context.Context, labels ...Label) ([]ID, error)
	// Expand returns the edges at some nodes, in one direction or both, of any of
	// the types, all for none.
	Expand(ctx context.Context, ids []ID, d Direction, types ...Relationship) (Expansion, error)
	// Counts returns how much there is.
	Counts(ctx context.Context) (Counts, error)
}

// Field is a text of a [Node].
type Field int8

// The fields. What else a node has is always there.
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

// Expansion is the edges at some nodes.
type Expansion struct {
	Edges []Edge
	// Ends tells where in Edges those of each node end; they begin where those of
	// the node before end.
	Ends []int
}

// At returns the edges at the node that was the i-th asked for: in the direction
// Both those from it and then those to it, and one from it to itself once.
func (x *Expansion) At(i int) []Edge {
	if i == 0 {
		return x.Edges[:x.Ends[0]]
	}
	return x.Edges[x.Ends[i-1]:x.Ends[i]]
}

// Counts are how many nodes and edges a graph has.
type Counts struct {
	Nodes map[Label]int
	Edges map[Relationship]int
}
