package explore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// refresh updates the stored graph, or records why it could not. While another process builds the first graph, it
// waits.
func (g *Graph) refresh(ctx context.Context, s store.Store, opts Options) error {
	limit := cmp.Or(opts.Index.Wait, index.DefaultWait)
	opts.Index.Wait, opts.Index.NoSizes = 0, true
	before := opts.Wait > 0 && g.hasOlder(ctx, s)
	err := g.index(ctx, s, opts, before)
	if fixed := (*store.ReadOnlyError)(nil); errors.As(err, &fixed) {
		return g.useStored(ctx, s, fixed)
	}
	locked := (*store.LockedError)(nil)
	if !errors.As(err, &locked) {
		return err
	}
	if before || g.hasOlder(ctx, s) {
		g.Index = Freshness{Stale: true, Why: message.Render(message.From(ctx), locked)}
		return nil
	}
	opts.Index.Wait = limit
	return g.index(ctx, s, opts, false)
}

// useStored uses the stored graph of a read-only store, and records whether it matches the files.
func (g *Graph) useStored(ctx context.Context, s store.Store, fixed *store.ReadOnlyError) error {
	// In an unpacked image all files are new but keep their times. The times are trusted, because otherwise each
	// question would read all files, and the result could not be stored.
	st, err := statusOf(ctx, g.project, s, func(store.File) bool { return true })
	switch {
	case err != nil:
		return err
	case !st.Indexed:
		return fixed
	case st.Stale():
		g.Index = Freshness{Stale: true, Why: message.Sprintf(ctx, "%s since, and it cannot be renewed: %v",
			message.Count(st.Changed+st.Removed, "%d file has changed", "%d files have changed"), fixed)}
	}
	return nil
}

// hasOlder reports whether there is an older graph that can be opened. Indexing repairs any other, or reports the
// error.
func (g *Graph) hasOlder(ctx context.Context, s store.Store) bool {
	stored, err := s.Open(ctx, g.project.Root())
	return err == nil && stored.Close() == nil
}

// index runs the indexer, with the time limit of the options if there is an older graph.
func (g *Graph) index(ctx context.Context, s store.Store, opts Options, before bool) error {
	within := ctx
	if before && opts.Wait > 0 {
		bounded, cancel := context.WithTimeout(ctx, opts.Wait)
		defer cancel()
		within = bounded
	}
	sum, err := index.Run(within, g.project, s, opts.Index)
	switch {
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		g.Index = Freshness{Stale: true, Why: message.Sprintf(ctx, "indexing takes longer than %v: run reverse-spec index", opts.Wait)}
		return nil
	case err != nil:
		return err
	}
	g.Index.Compared = sum.Listed
	if sum.Mode == index.Full {
		g.Index.Warnings = sum.Warnings
	}
	return nil
}

// changed returns a warning if a file's content differs from the indexed one.
func (g *Graph) changed(ctx context.Context, path string, src []byte) (string, error) {
	files, err := g.stored.Files(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))
	for _, f := range files {
		if f.Path == path && f.Hash != hex.EncodeToString(sum[:]) {
			return message.Sprintf(ctx, "%s has changed since it was indexed; the lines may be off: run reverse-spec index", path), nil
		}
	}
	return "", nil
}
