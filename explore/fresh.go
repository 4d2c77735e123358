package explore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/reverse-spec/reverse-spec/index"
	"github.com/reverse-spec/reverse-spec/store"
)

// refresh brings the stored graph up to date, or says why it is as it was.
func (g *Graph) refresh(ctx context.Context, s store.Store, opts Options) error {
	wait, err := bounded(ctx, s, g.project.Root(), opts.Wait)
	if err != nil {
		return err
	}
	within, cancel := ctx, context.CancelFunc(func() {})
	if wait > 0 {
		within, cancel = context.WithTimeout(ctx, wait)
	}
	defer cancel()
	sum, err := index.Run(within, g.project, s, opts.Index)
	locked := (*store.LockedError)(nil)
	switch {
	case errors.As(err, &locked):
		g.Index = Freshness{Stale: true, Why: locked.Error()}
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		g.Index = Freshness{Stale: true, Why: fmt.Sprintf("索引未在 %s 内完成 (indexing takes longer than %[1]s: run reverse-spec index)", wait)}
	case err != nil:
		return err
	case sum.Mode == index.Full:
		g.Index.Warnings = sum.Warnings
	}
	return nil
}

// bounded returns how long to wait for an index: without end where there is none
// from before.
func bounded(ctx context.Context, s store.Store, root string, wait time.Duration) (time.Duration, error) {
	if wait == 0 {
		return 0, nil
	}
	stored, err := s.Open(ctx, root)
	if err != nil {
		return 0, ctx.Err() // whatever is the matter, indexing mends it or says so
	}
	return wait, stored.Close()
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
			return path + " 自索引后已更改，行号可能有偏差 (the file has changed since it was indexed; the lines may be off: run reverse-spec index)", nil
		}
	}
	return "", nil
}
