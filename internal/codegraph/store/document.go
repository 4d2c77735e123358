package store

import "context"

// Documents keeps texts of projects in a shared store: their specs.
type Documents interface {
	// SetDocuments replaces the documents of a project, by path.
	SetDocuments(ctx context.Context, key string, texts map[string][]byte) error
	// Documents returns the documents of a project and a hash of them; nil for a hash that is known.
	Documents(ctx context.Context, key, known string) (texts map[string][]byte, hash string, err error)
}
