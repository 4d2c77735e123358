package graphs

import (
	"context"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// AddToken makes a token that may see the named projects of the shared store, or all for none, and returns its secret. A
// lifetime of 0 is for ever.
func (g *Graphs) AddToken(ctx context.Context, name string, projects []string, lifetime time.Duration) (secret string, t store.Token, err error) {
	if err = shared.CheckTokenName(name); err != nil {
		return "", t, err
	}
	s, err := g.organisation()
	if err != nil {
		return "", t, err
	}
	access := store.Access{All: len(projects) == 0}
	for _, name := range projects {
		key, err := g.keyOf(ctx, s, name)
		if err != nil {
			return "", t, err
		}
		access.Keys = append(access.Keys, key)
	}
	secret, t = shared.NewToken(name, access, time.Now(), lifetime)
	return secret, t, s.AddToken(ctx, t)
}

// keyOf returns the key of a stored project, by its key or name.
func (g *Graphs) keyOf(ctx context.Context, s store.Shared, name string) (string, error) {
	all, err := s.Origins(ctx)
	if err != nil {
		return "", err
	}
	key, names := "", make([]string, 0, len(all))
	for _, p := range all {
		if p.Origin.Key == name {
			return name, nil
		}
		if p.Name == name {
			key = p.Origin.Key
		}
		names = append(names, p.Name)
	}
	if key == "" {
		return "", &explore.UnknownProjectError{Name: name, Available: names}
	}
	return key, nil
}

// Tokens returns the tokens of the shared store, sorted by name.
func (g *Graphs) Tokens(ctx context.Context) ([]store.Token, error) {
	s, err := g.organisation()
	if err != nil {
		return nil, err
	}
	return s.Tokens(ctx)
}

// RevokeToken removes a token of the shared store.
func (g *Graphs) RevokeToken(ctx context.Context, name string) error {
	s, err := g.organisation()
	if err != nil {
		return err
	}
	return s.RevokeToken(ctx, name)
}

// Token returns the token whose secret has a hash, see [shared.HashToken]. The error wraps [store.ErrNoToken] if there is none.
func (g *Graphs) Token(ctx context.Context, hash string) (store.Token, error) {
	s, err := g.organisation()
	if err != nil {
		return store.Token{}, err
	}
	return s.Token(ctx, hash)
}
