package explore

import (
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Snapshot returns the snapshot of the graph, for searches. It is closed with g.
func (g *Graph) Snapshot() *snapshot.Snapshot { return g.reader }

// Stored returns the stored graph. It is closed with g.
func (g *Graph) Stored() store.Graph { return g.stored }

// Project returns the project of the graph; nil for one of a shared store. It belongs to whoever called [Open].
func (g *Graph) Project() *project.Project { return g.project }
