package explore

import (
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Snapshot returns the graph for searches in it; it is closed with g.
func (g *Graph) Snapshot() *snapshot.Snapshot { return g.reader }

// Stored returns the graph as it is kept; it is closed with g.
func (g *Graph) Stored() store.Graph { return g.stored }

// Project returns the files that the graph is of. They are whoever's opened g.
func (g *Graph) Project() *project.Project { return g.project }
