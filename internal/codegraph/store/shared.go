package store

import (
	"context"
	"time"
)

// Origin says which repository, at which commit, a graph in a shared store is of.
type Origin struct {
	Key       string // identifies the project for all: "https://github.com/org/shop"
	Name      string // the name that it would like to have: "shop"
	Branch    string // "" for none
	Commit    string
	Committed time.Time // when the commit was made
}

// SharedProject is a project in a shared store. Its Root is the key.
type SharedProject struct {
	Project
	Origin   Origin
	Pushed   time.Time // when it was last pushed
	Identity string    // of its graph, as in [State]
	Serial   uint64
}

// Shared is a store that many machines share. A project in it is a repository, whichever folder it was read from. All
// methods of [Store] take its key, too, where they take a folder.
type Shared interface {
	Store
	Tokens
	Links
	Documents
	// Origins returns the stored projects with their origins, sorted by name.
	Origins(ctx context.Context) ([]SharedProject, error)
	// Find returns the stored project with a key, or else a name. The error wraps [ErrNone] if there is none.
	Find(ctx context.Context, name string) (SharedProject, error)
	// For returns the store in which every folder is the project of an origin. Its Lock calls accept with what is
	// stored of the project, the zero value for nothing, and fails with its error. What is written under that lock is
	// recorded as of the origin, in the same transaction. It needs no Close.
	For(o Origin, accept func(old Origin) error) Store
	// Record records the origin of a stored graph that already is what it should be. The caller holds the lock of the
	// store that For returned.
	Record(ctx context.Context, o Origin) error
}
