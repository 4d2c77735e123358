package shared

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// guarded is a store in which a caller sees what its access allows, and writes nothing. It embeds no store, so that a
// new method is none that is not guarded.
type guarded struct{ of store.Shared }

// Guard returns a shared store whose callers see the projects that [store.AccessOf] their context allows, all others as if
// they were not stored, and cannot write. Closing it closes s.
func Guard(s store.Shared) store.Shared { return guarded{&joined{Shared: s}} }

// errGuarded is the error of a write.
var errGuarded = message.Errorf("the shared graph is read only here")

func hidden(name string) error { return message.Errorf("project %s: %w", name, store.ErrNone) }

func (g guarded) Origins(ctx context.Context) ([]store.SharedProject, error) {
	all, err := g.of.Origins(ctx)
	access := store.AccessOf(ctx)
	seen := make([]store.SharedProject, 0, len(all))
	for _, p := range all {
		if access.Allows(p.Origin.Key) {
			seen = append(seen, p)
		}
	}
	return seen, err
}

func (g guarded) Projects(ctx context.Context) ([]store.Project, error) {
	seen, err := g.Origins(ctx)
	projects := make([]store.Project, 0, len(seen))
	for _, p := range seen {
		projects = append(projects, p.Project)
	}
	return projects, err
}

func (g guarded) Find(ctx context.Context, name string) (store.SharedProject, error) {
	p, err := g.of.Find(ctx, name)
	if err == nil && !store.AccessOf(ctx).Allows(p.Origin.Key) {
		return store.SharedProject{}, hidden(name)
	}
	return p, err
}

func (g guarded) Open(ctx context.Context, key string) (store.Graph, error) {
	if !store.AccessOf(ctx).Allows(key) {
		return nil, hidden(key)
	}
	opened, err := g.of.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	return guardedGraph{opened, g, key}, nil
}

// guardedGraph is a graph whose edges lead only to projects that the caller may see.
type guardedGraph struct {
	store.Graph
	of  guarded
	key string
}

func (g guardedGraph) Virtual(ctx context.Context, symbols []string) ([]store.VirtualEdge, error) {
	links, err := g.of.LinksFrom(ctx, g.key, symbols)
	edges := make([]store.VirtualEdge, 0, len(links))
	for _, l := range links {
		edges = append(edges, l.Edge)
	}
	return edges, err
}

func (guardedGraph) Update(context.Context, store.Update) error { return errGuarded }

func (guardedGraph) SetVirtual(context.Context, []store.VirtualEdge) error { return errGuarded }

func (g guarded) Name(ctx context.Context, key string) (string, error) {
	if !store.AccessOf(ctx).Allows(key) {
		return "", hidden(key)
	}
	return g.of.Name(ctx, key)
}

func (g guarded) Close() error { return g.of.Close() }

func (guarded) Build(context.Context, string) (store.Builder, error) {
	return nil, errGuarded
}

func (guarded) Lock(context.Context, string) (func() error, error) {
	return nil, errGuarded
}

func (guarded) Delete(context.Context, string) error {
	return errGuarded
}

func (guarded) Wipe(context.Context) error {
	return errGuarded
}

func (guarded) Record(context.Context, store.Origin) error {
	return errGuarded
}

func (guarded) AddToken(context.Context, store.Token) error {
	return errGuarded
}

func (guarded) Tokens(context.Context) ([]store.Token, error) {
	return nil, errGuarded
}

func (guarded) RevokeToken(context.Context, string) error {
	return errGuarded
}

func (g guarded) For(store.Origin, func(store.Origin) error) store.Store { return g }

// Token returns the token with a hash: whoever has the secret may ask for it.
func (g guarded) Token(ctx context.Context, hash string) (store.Token, error) {
	return g.of.Token(ctx, hash)
}

func (guarded) Publish(context.Context, string, store.Published) (store.Changed, error) {
	return store.Changed{}, errGuarded
}

func (guarded) Texts(context.Context, string) (map[string][]byte, error) {
	return nil, errGuarded
}

func (guarded) Trace(context.Context, string) ([]byte, error) {
	return nil, errGuarded
}

func (guarded) Providers(context.Context, string) (providers []store.SharedProject, state string, err error) {
	return nil, "", errGuarded
}

func (guarded) Users(context.Context, string) ([]store.SharedProject, error) {
	return nil, errGuarded
}

func (guarded) IsLinked(context.Context, string, string) (bool, error) {
	return false, errGuarded
}

func (guarded) ReplaceLinks(context.Context, store.LinkUpdate) error {
	return errGuarded
}

func (guarded) Neighbours(context.Context, string) (required, requiring []store.SharedProject, err error) {
	return nil, nil, errGuarded
}

func (g guarded) Rank(ctx context.Context, words, keys []string, limit int) ([]store.Ranked, error) {
	if access := store.AccessOf(ctx); !access.All {
		if keys == nil {
			keys = access.Keys
		}
		keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !access.Allows(key) })
		if len(keys) == 0 {
			return nil, nil
		}
	}
	return g.of.Rank(ctx, words, keys, limit)
}

func (g guarded) LinksFrom(ctx context.Context, key string, symbols []string) ([]store.Link, error) {
	return seen(ctx, key, symbols, g.of.LinksFrom)
}

func (g guarded) LinksTo(ctx context.Context, key string, symbols []string) ([]store.Link, error) {
	return seen(ctx, key, symbols, g.of.LinksTo)
}

func (g guarded) ContractLinksTo(ctx context.Context, key string) ([]store.Link, error) {
	return seen(ctx, key, nil, func(ctx context.Context, key string, _ []string) ([]store.Link, error) {
		return g.of.ContractLinksTo(ctx, key)
	})
}

func (g guarded) Relations(ctx context.Context, keys []string) ([]store.Relation, error) {
	access := store.AccessOf(ctx)
	if keys == nil && !access.All {
		keys = access.Keys
	}
	if !access.All {
		keys = slices.DeleteFunc(append([]string{}, keys...), func(key string) bool { return !access.Allows(key) })
	}
	all, err := g.of.Relations(ctx, keys)
	return slices.DeleteFunc(all, func(r store.Relation) bool { return !access.Allows(r.Source) || !access.Allows(r.Target) }), err
}

// seen returns those edges of a project both of whose ends may be seen.
func seen(ctx context.Context, key string, symbols []string, links func(context.Context, string, []string) ([]store.Link, error)) ([]store.Link, error) {
	access := store.AccessOf(ctx)
	if !access.Allows(key) {
		return nil, hidden(key)
	}
	all, err := links(ctx, key, symbols)
	return slices.DeleteFunc(all, func(l store.Link) bool { return !access.Allows(l.Source) || !access.Allows(l.Target) }), err
}

func (guarded) SetDocuments(context.Context, string, map[string][]byte) error { return errGuarded }

func (g guarded) Documents(ctx context.Context, key, known string) (texts map[string][]byte, hash string, err error) {
	if !store.AccessOf(ctx).Allows(key) {
		return nil, "", hidden(key)
	}
	return g.of.Documents(ctx, key, known)
}
