package crossrepo

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// storeEdges stores the edges and builds the report.
func (f *federation) storeEdges(ctx context.Context, opts Options) error {
	now := opts.Now().UTC().Truncate(time.Second)
	for _, r := range f.repos {
		edges, changed, err := f.merge(ctx, r, now)
		if err != nil {
			return err
		}
		if changed && !opts.DryRun {
			if err := r.setVirtual(ctx, edges); err != nil {
				return err
			}
		}
		f.report.Edges = append(f.report.Edges, edges...)
		f.report.Repositories = append(f.report.Repositories, f.repositoryReport(r, edges))
		f.report.Warnings = append(f.report.Warnings, r.warnings...)
	}
	return nil
}

// merge returns the edges of a repository in the order of the store, keeping the timestamps of edges that already
// existed, and reports whether anything changed.
func (f *federation) merge(ctx context.Context, r *repository, now time.Time) (edges []store.VirtualEdge, changed bool, err error) {
	stored, err := r.stored.Virtual(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	before := make(map[string]store.VirtualEdge, len(stored))
	for _, e := range stored {
		before[e.ID] = e
	}
	edges = make([]store.VirtualEdge, 0, len(f.edges[r.place]))
	for e := range maps.Values(f.edges[r.place]) {
		e.CreatedAt, e.UpdatedAt = now, now
		if old, was := before[e.ID]; was {
			e.CreatedAt = old.CreatedAt
			same := *e
			same.UpdatedAt = old.UpdatedAt
			if same == old {
				e.UpdatedAt = old.UpdatedAt
			}
		}
		edges = append(edges, *e)
	}
	slices.SortFunc(edges, compareEdges)
	return edges, !slices.Equal(edges, stored), nil
}

// compareEdges compares edges by the order of the store.
func compareEdges(a, b store.VirtualEdge) int {
	return cmp.Or(cmp.Compare(a.SourceSymbol, b.SourceSymbol), cmp.Compare(a.TargetRepo, b.TargetRepo), cmp.Compare(a.TargetSymbol, b.TargetSymbol),
		cmp.Compare(a.Type, b.Type), cmp.Compare(a.Contract, b.Contract), cmp.Compare(a.ID, b.ID))
}

// setVirtual stores the virtual edges of the repository.
func (r *repository) setVirtual(ctx context.Context, edges []store.VirtualEdge) (err error) {
	release, err := index.Lock(ctx, r.store, r.project.Root(), index.DefaultWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return r.stored.SetVirtual(ctx, edges)
}
