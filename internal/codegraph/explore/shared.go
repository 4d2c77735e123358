package explore

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// errNoSource is returned for the source of a project that is not on this machine.
var errNoSource = message.Errorf("the shared graph has no source code")

// OpenShared opens the graph of a project in a shared store as it is there. The caller closes it.
func OpenShared(ctx context.Context, s store.Shared, p store.SharedProject) (*Graph, error) {
	g := &Graph{key: p.Origin.Key, Index: Freshness{Shared: p.Origin.Key, Branch: p.Origin.Branch}}
	if err := g.load(ctx, s, p.Origin.Key); err != nil {
		return nil, err
	}
	if p.Origin.Commit != "" { // a commit that changed nothing of the graph is only recorded
		g.Index.Commit = p.Origin.Commit
	}
	return g, nil
}

// Lend returns a graph of a shared store for one more question. Closing it calls release, and nothing else.
func (g *Graph) Lend(f Freshness, release func() error) *Graph {
	return &Graph{key: g.key, stored: g.stored, reader: g.reader, Index: f, release: release}
}
