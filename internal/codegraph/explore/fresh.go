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

// refresh brings the stored graph up to date, or says why it is as it was. While
// another process makes the first one, it waits.
func (g *Graph) refresh(ctx context.Context, s store.Store, opts Options) error {
	limit := cmp.Or(opts.Index.Wait, index.Patience)
	opts.Index.Wait = 0
	before := opts.Wait > 0 && g.before(ctx, s)
	err := g.index(ctx, s, opts, before)
	if fixed := (*store.ReadOnlyError)(nil); errors.As(err, &fixed) {
		return g.asItIs(ctx, s, fixed)
	}
	locked := (*store.LockedError)(nil)
	if !errors.As(err, &locked) {
		return err
	}
	if before || g.before(ctx, s) {
		g.Index = Freshness{Stale: true, Why: message.Render(message.From(ctx), locked)}
		return nil
	}
	opts.Index.Wait = limit
	return g.index(ctx, s, opts, false)
}

// asItIs takes the graph that is stored where nothing can be, and says whether it is that
// of the files.
func (g *Graph) asItIs(ctx context.Context, s store.Store, fixed *store.ReadOnlyError) error {
	// An image that was unpacked has new files with the old times: those are believed, or
	// each question would read all of them, and nothing could be noted.
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

// before reports whether there is a graph from before. One that cannot be opened
// is none: indexing mends it, or says what is the matter.
func (g *Graph) before(ctx context.Context, s store.Store) bool {
	stored, err := s.Open(ctx, g.project.Root())
	return err == nil && stored.Close() == nil
}

// index runs the index, with a graph from before no longer than the options say.
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
	case err != nil:
		return err
	case sum.Mode == index.Full:
		g.Index.Warnings = sum.Warnings
	}
	return nil
}

// changed returns a warning when a file's content is not what was indexed.
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
