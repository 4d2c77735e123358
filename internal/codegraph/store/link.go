package store

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Published is what a project of a shared store says of itself in its manifests.
type Published struct {
	Publishes []string          // names of packages, normalised
	Requires  []string          // names of packages that it depends on, normalised
	Manifests map[string][]byte // by path
	// Surface is a hash of what others can use. While it stays, the edges into the project stay, except their lines.
	Surface string
	Terms   map[string]int // how often a word is in the names of its symbols
}

// Ranked is a project by how much of a question's words its names have.
type Ranked struct {
	SharedProject
	Cover float64 // in [0, 1]: the share of the words, the rarer the more
}

// Link is a virtual edge between two projects of a shared store. Its TargetRoot is empty.
type Link struct {
	Source, Target string // keys
	Edge           VirtualEdge
}

// LinkUpdate replaces the edges between a project and those that States names, and removes those between it and projects neither of
// which requires the other any more.
type LinkUpdate struct {
	Key     string
	Surface string
	// States are the states of the graphs that the edges were computed from, by key.
	States map[string]SharedProject
	Links  []Link
	// Move changes the edges to the project that stay, and reports whether it did; nil for none that do.
	Move func(e *VirtualEdge) bool
}

// Links keeps the edges between the projects of a shared store.
type Links interface {
	// Publish records what a project says of itself, and reports whether its surface is another one than that of the edges
	// into it.
	Publish(ctx context.Context, key string, p Published) (changed bool, err error)
	// Manifests returns the manifests of a project, by path.
	Manifests(ctx context.Context, key string) (map[string][]byte, error)
	// Neighbours returns the projects that publish what a project requires, and those that require what it publishes.
	Neighbours(ctx context.Context, key string) (required, requiring []SharedProject, err error)
	// Rank returns the projects with the given keys, or all for nil, whose names have some of the words, best first, at most
	// limit.
	Rank(ctx context.Context, words, keys []string, limit int) ([]Ranked, error)
	// IsLinked reports whether the edges of a project are those of the current state of its graph.
	IsLinked(ctx context.Context, key string) (bool, error)
	// ReplaceLinks replaces the edges in one transaction. The error wraps [ErrMoved] if a graph is in another state meanwhile.
	ReplaceLinks(ctx context.Context, u LinkUpdate) error
	// LinksFrom returns the edges from the named symbols of a project, or all for nil; LinksTo those to them.
	LinksFrom(ctx context.Context, key string, symbols []string) ([]Link, error)
	LinksTo(ctx context.Context, key string, symbols []string) ([]Link, error)
}

// ErrMoved is returned for edges between graphs that were pushed meanwhile.
var ErrMoved = message.Errorf("another push was first")
