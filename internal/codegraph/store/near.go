package store

import "context"

// Contents is what derived forms are made of: a graph in one state. The methods are those of [Graph].
type Contents interface {
	State(ctx context.Context) (State, error)
	All(ctx context.Context, ids []FileID, node func(Node) error, edge func(Edge) error) error
	Words(ctx context.Context, ids []FileID, yield func(id FileID, words []byte) error) error
	Touched(ctx context.Context, serial uint64) ([]FileID, error)
}

// Distant is implemented by graphs that are far away.
type Distant interface {
	// Near returns the contents of the graph as they are now, brought near.
	Near(ctx context.Context) (Contents, error)
}
