package store

import (
	"context"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Access is which projects of a shared store a caller may see. The zero value is none.
type Access struct {
	All  bool
	Keys []string // of projects, which need not be stored yet
}

// Allows reports whether the project with a key may be seen.
func (a Access) Allows(key string) bool { return a.All || slices.Contains(a.Keys, key) }

type accessKey struct{}

// WithAccess returns a context for a caller with an access.
func WithAccess(ctx context.Context, a Access) context.Context {
	return context.WithValue(ctx, accessKey{}, a)
}

// AccessOf returns the access of the caller of a context; none if the context has none.
func AccessOf(ctx context.Context) Access {
	a, _ := ctx.Value(accessKey{}).(Access)
	return a
}

// Token is a right to read a shared store through a server. The store has the hash of its secret alone.
type Token struct {
	Name    string
	Hash    string // SHA-256 of the secret, hex
	Access  Access
	Created time.Time
	Expires time.Time // zero for never
}

// Tokens keeps the tokens of a shared store.
type Tokens interface {
	// AddToken stores a token. The error wraps [ErrTaken] if there is one with its name.
	AddToken(ctx context.Context, t Token) error
	// Tokens returns all tokens, sorted by name.
	Tokens(ctx context.Context) ([]Token, error)
	// Token returns the token with a hash, also one that has expired. The error wraps [ErrNoToken] if there is none.
	Token(ctx context.Context, hash string) (Token, error)
	// RevokeToken removes the token with a name. The error wraps [ErrNoToken] if there is none.
	RevokeToken(ctx context.Context, name string) error
}

// ErrNoToken is returned for a token that is not there.
var ErrNoToken = message.Errorf("there is no such token")

// ErrTaken is returned for a name that another token has.
var ErrTaken = message.Errorf("the name is taken")
