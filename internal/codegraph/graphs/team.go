package graphs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/crossrepo"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// team is the store that is shared with others.
type team struct {
	mu     sync.Mutex
	opened bool
	store  store.Shared // nil if none is configured
	err    error
	guard  bool
	kept   kept
}

func (t *team) open(how func() (store.Shared, error)) (store.Shared, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.opened && how != nil {
		t.opened = true
		var s store.Shared
		if s, t.err = how(); t.err == nil && s != nil {
			if t.guard {
				s = shared.Guard(s)
			}
			t.store = s
		}
	}
	return t.store, t.err
}

func (t *team) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.store == nil {
		return nil
	}
	return errors.Join(t.kept.close(), t.store.Close())
}

// errNoStore says that there is no shared store.
var errNoStore = message.Errorf("no shared store is configured: set %s to its address", shared.Variable)

// organisation returns the shared store, opened by the first call.
func (g *Graphs) organisation() (store.Shared, error) {
	s, err := g.team.open(g.options.Organisation)
	if err == nil && s == nil {
		err = errNoStore
	}
	return s, err
}

// Pushed says what a push did.
type Pushed struct {
	*shared.Pushed
	Linked *crossrepo.Linked `json:"linked,omitempty"` // nil if the edges to other projects were current
	// Unlinked says why these could not be computed; the next push does it.
	Unlinked error `json:"-"`
}

// Push brings the shared graph of a project to the commit that is checked out, see [shared.Push], and the edges between
// it and other projects, see [crossrepo.Link].
func (g *Graphs) Push(ctx context.Context, p *project.Project, opts shared.PushOptions) (*Pushed, error) {
	s, err := g.organisation()
	if err != nil {
		return nil, err
	}
	retry := func(f func() error) error { return shared.Retry(ctx, opts.Patience, opts.Retrying, f) }
	out := &Pushed{}
	err = retry(func() (err error) {
		out.Pushed, err = shared.Push(ctx, p, s, opts)
		return err
	})
	if err != nil {
		return nil, err
	}
	if out.Newer == "" {
		out.Unlinked = retry(func() (err error) {
			out.Linked, err = crossrepo.Link(ctx, p, s, out.Key, shared.Words, time.Now())
			return err
		})
	}
	if out.Newer == "" && opts.Documents != nil {
		if err := pushDocuments(ctx, p, s, out.Key, opts.Documents, retry); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// pushDocuments brings the documents of a project in the shared store to those of the commit.
func pushDocuments(
	ctx context.Context, p *project.Project, s store.Shared, key string,
	documents func(context.Context, *project.Project, map[string][]byte) (map[string][]byte, error), retry func(func() error) error,
) error {
	var known map[string][]byte
	err := retry(func() (err error) {
		known, _, err = s.Documents(ctx, key, "")
		return err
	})
	if err != nil {
		return err
	}
	texts, err := documents(ctx, p, known)
	if err != nil {
		return err
	}
	return retry(func() error { return s.SetDocuments(ctx, key, texts) })
}

// Documents returns the specs of a project of the shared store, by its key, see [store.Documents].
func (g *Graphs) Documents(ctx context.Context, key, known string) (texts map[string][]byte, hash string, err error) {
	s, err := g.organisation()
	if err != nil {
		return nil, "", err
	}
	return s.Documents(ctx, key, known)
}

// DeleteShared removes a project from the shared store, by its key or name.
func (g *Graphs) DeleteShared(ctx context.Context, name string) error {
	s, err := g.organisation()
	if err != nil {
		return err
	}
	p, err := s.Find(ctx, name)
	if err != nil {
		return err
	}
	return s.Delete(ctx, p.Name)
}

// Listed is a project that has a graph.
type Listed struct {
	store.Project
	Shared bool   `json:",omitempty"` // in the shared store; Root is its key
	Branch string `json:",omitempty"`
	Commit string `json:",omitempty"`
}

// List returns the projects that have a graph, on this machine and in the shared store, sorted by name. A shared
// project whose name one of this machine has is named by its key.
func (g *Graphs) List(ctx context.Context) ([]Listed, error) {
	list := []Listed{}
	own, err := g.ownProjects(ctx)
	if err != nil {
		return list, err
	}
	names := map[string]bool{}
	for _, p := range own {
		list = append(list, Listed{Project: p})
		names[p.Name] = true
	}
	others, err := g.pushed(ctx)
	for _, p := range others {
		if names[p.Name] {
			p.Name = p.Origin.Key
		}
		list = append(list, Listed{Project: p.Project, Shared: true, Branch: p.Origin.Branch, Commit: p.Origin.Commit})
	}
	slices.SortStableFunc(list, func(a, b Listed) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

// ownProjects returns the projects of this machine.
func (g *Graphs) ownProjects(ctx context.Context) ([]store.Project, error) {
	if !g.own() {
		return nil, nil
	}
	s, err := g.Store()
	if err != nil {
		return nil, err
	}
	return s.Projects(ctx)
}

// SharedProjects returns how many projects the shared store has; configured is false if there is none.
func (g *Graphs) SharedProjects(ctx context.Context) (n int, configured bool, err error) {
	if _, err := g.organisation(); errors.Is(err, errNoStore) {
		return 0, false, nil
	}
	list, err := g.pushed(ctx)
	return len(list), true, err
}

// pushed returns the projects in the shared store.
func (g *Graphs) pushed(ctx context.Context) ([]store.SharedProject, error) {
	s, err := g.organisation()
	if errors.Is(err, errNoStore) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.Origins(ctx)
}

// Projects returns the names of the projects that have a graph, sorted.
func (g *Graphs) Projects(ctx context.Context) ([]string, error) {
	list, err := g.List(ctx)
	names := make([]string, 0, len(list))
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names, err
}

// WithNamed opens the graph of the project with a name, asks it and closes it: that of this machine, brought up to date,
// or else that of the shared store.
func (g *Graphs) WithNamed(ctx context.Context, name string, o OpenOptions, ask func(*Graph) error) error {
	root, err := g.rootOf(ctx, name)
	if err == nil {
		p, err := project.Open(root)
		if err != nil {
			return err
		}
		return errors.Join(g.With(ctx, p, o, ask), p.Close())
	}
	if unknown := (*explore.UnknownProjectError)(nil); !errors.As(err, &unknown) {
		return err
	}
	opened, err2 := g.openShared(ctx, name)
	switch {
	case errors.Is(err2, errNoStore):
		return err
	case errors.Is(err2, store.ErrNone):
		return g.unknown(ctx, name, err)
	case err2 != nil:
		return err2
	}
	return errors.Join(ask(opened), opened.Close())
}

// rootOf returns the folder of a project of this machine. The error is an [*explore.UnknownProjectError] if there is none
// with the name.
func (g *Graphs) rootOf(ctx context.Context, name string) (string, error) {
	if !g.own() {
		return "", &explore.UnknownProjectError{Name: name}
	}
	s, err := g.Store()
	if err != nil {
		return "", err
	}
	return explore.RootOf(ctx, s, name)
}

// withOnly asks the only shared project that the caller may see.
func (g *Graphs) withOnly(ctx context.Context, o OpenOptions, ask func(*Graph) error) error {
	const most = 10
	names, err := g.Projects(ctx)
	switch {
	case err != nil:
		return err
	case len(names) == 1:
		return g.WithNamed(ctx, names[0], o, ask)
	case len(names) > most:
		names = append(names[:most:most], "...")
	}
	return message.Errorf("%w; there are: %s", errNoOwn, strings.Join(names, ", "))
}

// unknown returns the error for a name that neither store has.
func (g *Graphs) unknown(ctx context.Context, name string, err error) error {
	names, failed := g.Projects(ctx)
	if failed != nil {
		return err
	}
	return &explore.UnknownProjectError{Name: name, Available: names}
}

// openShared opens the graph of a project in the shared store, by its key or name.
func (g *Graphs) openShared(ctx context.Context, name string) (*Graph, error) {
	s, err := g.organisation()
	if err != nil {
		return nil, err
	}
	opened, err := g.team.kept.open(ctx, s, name)
	if err != nil {
		return nil, err
	}
	return &Graph{opened, g}, nil
}

// Provenance says which graph was asked if it is that of the shared store.
func (g *Graph) Provenance(ctx context.Context) []string {
	i := g.Index
	if i.Shared == "" {
		return nil
	}
	of := message.New("%s", i.Commit)
	if i.Branch != "" {
		of = message.New("%s of branch %s", i.Commit, i.Branch)
	}
	if i.Stale {
		age := time.Since(i.Current).Round(time.Second)
		return []string{message.Sprintf(ctx, "from the shared graph of %s as it was %s ago (%s): commit %s, indexed %s", i.Shared, age, i.Why, of, i.BuiltAt.Local().Format(time.DateTime))}
	}
	notes := []string{message.Sprintf(ctx, "from the shared graph of %s: commit %s, indexed %s", i.Shared, of, i.BuiltAt.Local().Format(time.DateTime))}
	if i.Foreign != "" {
		notes = append(notes, message.Sprintf(ctx, "that graph was indexed by reverse-spec %s, whose graphs differ from those of this version: something may be missing until it is pushed again", i.Foreign))
	}
	return notes
}
