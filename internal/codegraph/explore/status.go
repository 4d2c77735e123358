package explore

import (
	"context"
	"errors"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Status is how a project's stored graph stands.
type Status struct {
	Project    string         `json:"project"`
	Root       string         `json:"root"`
	Indexed    bool           `json:"indexed"`
	BuiltAt    time.Time      `json:"built_at,omitzero"`
	Commit     string         `json:"commit,omitempty"`      // that was checked out then
	HeadCommit string         `json:"head_commit,omitempty"` // that is now
	Version    string         `json:"version,omitempty"`     // of the program that wrote it
	Scip       []string       `json:"scip,omitempty"`        // the SCIP indexes that it was made with
	Changed    int            `json:"changed"`               // files written since, or new
	Removed    int            `json:"removed"`
	Files      int            `json:"files"`
	Unresolved map[string]int `json:"unresolved,omitempty"`

	Nodes map[codegraph.Label]int        `json:"nodes,omitempty"`
	Edges map[codegraph.Relationship]int `json:"edges,omitempty"`

	Errors int   `json:"parse_errors"`
	Size   int64 `json:"size"` // bytes
}

// Stale tells that the graph is not that of the files.
func (s *Status) Stale() bool { return !s.Indexed || s.Changed+s.Removed > 0 }

// StatusOf tells how the stored graph of a project stands; it changes nothing.
func StatusOf(ctx context.Context, p *project.Project, s store.Store) (*Status, error) {
	return statusOf(ctx, p, s, func(f store.File) bool {
		hash, err := p.Hash(f.Path)
		return err == nil && hash == f.Hash
	})
}

// statusOf asks same of files that have their size and time, and may have been replaced.
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
	st.Indexed = true
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

// compare counts the files that are not as they were indexed, by size, time and what else
// the file system says, and those that were not there.
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
