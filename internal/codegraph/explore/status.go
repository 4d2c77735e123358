package explore

import (
	"context"
	"errors"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Status is the state of a project's stored graph.
type Status struct {
	Project    string         `json:"project"`
	Root       string         `json:"root"`
	Indexed    bool           `json:"indexed"`
	BuiltAt    time.Time      `json:"built_at,omitzero"`
	Commit     string         `json:"commit,omitempty"`      // checked out at indexing time
	HeadCommit string         `json:"head_commit,omitempty"` // checked out now
	Version    string         `json:"version,omitempty"`     // version of the program that wrote it
	Scip       []string       `json:"scip,omitempty"`        // the SCIP indexes that it uses
	Changed    int            `json:"changed"`               // number of new or changed files
	Removed    int            `json:"removed"`
	Files      int            `json:"files"`
	Unresolved map[string]int `json:"unresolved,omitempty"`

	Nodes map[codegraph.Label]int        `json:"nodes,omitempty"`
	Edges map[codegraph.Relationship]int `json:"edges,omitempty"`

	Errors int   `json:"parse_errors"`
	Size   int64 `json:"size"` // bytes

	Derived string `json:"-"` // path of the graph's derived file
}

// Stale reports whether the graph does not match the files.
func (s *Status) Stale() bool { return !s.Indexed || s.Changed+s.Removed > 0 }

// StatusOf returns the state of the stored graph of a project. It changes nothing.
func StatusOf(ctx context.Context, p *project.Project, s store.Store) (*Status, error) {
	return statusOf(ctx, p, s, func(f store.File) bool {
		hash, err := p.Hash(f.Path)
		return err == nil && hash == f.Hash
	})
}

// statusOf calls same for files with unchanged size and time but another stamp, to compare the content.
func statusOf(ctx context.Context, p *project.Project, s store.Store, same func(store.File) bool) (st *Status, err error) {
	st = &Status{Root: p.Root(), HeadCommit: project.HeadCommit(ctx, p.Root())}
	if st.Project, err = s.Name(ctx, p.Root()); err != nil {
		return nil, err
	}
	g, err := s.Open(ctx, p.Root())
	if errors.Is(err, store.ErrNone) {
		return st, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	st.Indexed, st.Derived = true, g.Derived()
	state, err := g.State(ctx)
	if err != nil {
		return nil, err
	}
	st.BuiltAt, st.Commit, st.Version = state.BuiltAt, state.Commit, state.Version
	for _, in := range state.Inputs {
		st.Scip = append(st.Scip, in.Path)
	}
	c, err := g.Counts(ctx)
	if err != nil {
		return nil, err
	}
	st.Files, st.Errors, st.Size, st.Unresolved = c.Files, c.Errors, c.Size, c.Unresolved
	st.Nodes, st.Edges = c.Nodes, c.Edges
	return st, st.compare(ctx, p, g, same)
}

// compare counts new and changed files, by size, time and further file system metadata, and removed files.
func (s *Status) compare(ctx context.Context, p *project.Project, g store.Graph, same func(store.File) bool) error {
	l, err := p.List(ctx, ".")
	if err != nil {
		return err
	}
	stored, err := g.Files(ctx)
	if err != nil {
		return err
	}
	now := make(map[string]project.Entry, len(l.Files))
	for _, f := range l.Files {
		now[f.Path] = f
	}
	for _, f := range stored {
		e, there := now[f.Path]
		switch {
		case !there:
			s.Removed++
		case e.Size != f.Size || !e.ModTime.Equal(f.ModTime), e.Stamp() != f.Stamp && !same(f):
			s.Changed++
		}
	}
	listed, err := g.NodesOf(ctx, 0)
	for _, n := range listed {
		if n.Label == codegraph.LabelFile {
			delete(now, n.Path)
		}
	}
	s.Changed += len(now)
	return err
}
