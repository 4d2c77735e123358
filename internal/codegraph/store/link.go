package store

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Published is what a project of a shared store says of itself in its manifests and contracts.
type Published struct {
	Publishes []string          // names of packages, normalised
	Requires  []string          // names of packages that it depends on, normalised
	Texts     map[string][]byte // its manifests and contracts, by path
	// Surface is a hash of what others can use. While it stays, the edges into the project stay, except their lines.
	Surface string
	Terms   map[string]int // how often a word is in the names of its symbols
	// Contracts is what it says of contracts that are not code.
	Contracts Contracts
}

// Contracts is what a project says of contracts: its own and those that it may use.
type Contracts struct {
	// Provides are the names under which uses of its contracts are found, Uses those of what it may use itself; both hashed.
	Provides, Uses []int64
	Surface        string // a hash of what edges into the project depend on
	Trace          []byte // what finding its uses needs of its code; opaque here
}

// Changed says which edges into a project are to be computed anew.
type Changed struct {
	Surface   bool // those in code
	Contracts bool // those by contracts
}

// Ranked is a project by how much of a question's words its names have.
type Ranked struct {
	SharedProject
	Cover float64 // in [0, 1]: the share of the words, the rarer the more
}

// Link is a virtual edge between two projects of a shared store. Its TargetRoot is empty.
type Link struct {
	Source, Target string // keys
	Contract       bool   // by a contract that is not code
	Edge           VirtualEdge
}

// Relation says how many edges of a kind lead from one project of a shared store to another.
type Relation struct {
	Source, Target string // keys
	Kind           string // "proto", "openapi", "graphql", "go", "npm", ...; see [VirtualEdge]
	Contract       bool   // by a contract that is not code
	Edges          int
}

// LinkUpdate replaces the edges between a project and those that States names, and removes those between it and projects neither of
// which requires the other any more.
type LinkUpdate struct {
	Key     string
	Surface string
	// States are the states of the graphs that the edges were computed from, by key.
	States map[string]SharedProject
	Links  []Link
	// Move changes the edges in code to the project that stay, and reports whether it did; nil for none that do.
	Move func(e *VirtualEdge) bool
	// Texts is a hash of the manifests and contracts of the project, see [Links.IsLinked].
	Texts string
	// Contracts are the projects whose edges by contracts are replaced, all of them, with what [Links.Providers] said of each.
	Contracts map[string]string
}

// Links keeps the edges between the projects of a shared store.
type Links interface {
	// Publish records what a project says of itself, and reports where that is something else than what the edges into it are of.
	Publish(ctx context.Context, key string, p Published) (Changed, error)
	// Texts returns the manifests and contracts of a project, by path.
	Texts(ctx context.Context, key string) (map[string][]byte, error)
	// Trace returns what Publish recorded of a project's code; nil for nothing.
	Trace(ctx context.Context, key string) ([]byte, error)
	// Neighbours returns the projects that publish what a project requires, and those that require what it publishes.
	Neighbours(ctx context.Context, key string) (required, requiring []SharedProject, err error)
	// Providers returns the projects whose contracts a project may use, which are those that have some of the names that it uses. A
	// name that many provide tells nothing. State is a hash of what its edges by contracts depend on.
	Providers(ctx context.Context, key string) (providers []SharedProject, state string, err error)
	// Users returns the projects that may use the contracts of a project, as they are and as they were when the edges into it were
	// last set.
	Users(ctx context.Context, key string) ([]SharedProject, error)
	// Rank returns the projects with the given keys, or all for nil, whose names have some of the words, best first, at most
	// limit.
	Rank(ctx context.Context, words, keys []string, limit int) ([]Ranked, error)
	// IsLinked reports whether the edges of a project are those of the current state of its graph, and of texts with a hash.
	IsLinked(ctx context.Context, key, texts string) (bool, error)
	// ReplaceLinks replaces the edges in one transaction. The error wraps [ErrMoved] if a graph is in another state meanwhile.
	ReplaceLinks(ctx context.Context, u LinkUpdate) error
	// LinksFrom returns the edges from the named symbols of a project, or all for nil; LinksTo those to them.
	LinksFrom(ctx context.Context, key string, symbols []string) ([]Link, error)
	LinksTo(ctx context.Context, key string, symbols []string) ([]Link, error)
	// Relations returns what the projects with the given keys, or all for nil, use of others and others of them, sorted by source, target and
	// kind.
	Relations(ctx context.Context, keys []string) ([]Relation, error)
	// ContractLinksTo returns the edges by contracts to a project.
	ContractLinksTo(ctx context.Context, key string) ([]Link, error)
}

// ErrMoved is returned for edges between graphs that were pushed meanwhile.
var ErrMoved = message.Errorf("another push was first")
