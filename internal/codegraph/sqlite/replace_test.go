package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
)

// A crash between the removal of the old log and the replacement of the database must not lose an update.
func TestCheckpointedDatabaseNeedsNoLog(t *testing.T) {
	s := newShop(t, 3)
	g, err := s.Open(t.Context(), s.root)
	check(t, err)
	defer g.Close()
	release, err := s.Lock(t.Context(), s.root)
	check(t, err)
	reader, err := s.Open(t.Context(), s.root)
	check(t, err)
	defer reader.Close()
	updated := false
	check(t, reader.All(t.Context(), nil, func(store.Node) error { // as somebody reads, the log stays
		if updated {
			return nil
		}
		updated = true
		return g.Update(t.Context(), store.Update{DropNodes: []codegraph.ID{2}})
	}, func(store.Edge) error { return nil }))
	path := s.database(t)
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("there is no log to begin with: %v", err)
	}
	check(t, sqlite.FlushLog(t.Context(), s.Store, s.root))
	check(t, release())

	text, err := os.ReadFile(path)
	check(t, err)
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "copy.db"), text, 0o600))
	alone, err := sqlite.Open(sqlite.Options{File: filepath.Join(dir, "copy.db")})
	check(t, err)
	defer alone.Close()
	if n, err := (&shop{alone, "", s.root}).readAll(t.Context()); n != 2 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
}

// Opening the database between the removal of the old log and the renaming of the new database would create a log
// for both.
func TestOpenWaitsForReplacement(t *testing.T) {
	s := newShop(t, 3)
	path := s.database(t)
	dir, err := os.OpenRoot(filepath.Dir(path))
	check(t, err)
	defer dir.Close()
	gate := filepath.Base(path) + ".gate"
	short := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}

	reopen, err := lockfile.LockExclusive(t.Context(), dir, gate)
	check(t, err)
	if _, err := s.Open(short(), s.root); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("opened while it is replaced: %v", err)
	}
	check(t, reopen())

	leave, err := lockfile.LockShared(t.Context(), dir, gate)
	check(t, err)
	release, err := s.Lock(t.Context(), s.root)
	check(t, err)
	b, err := s.Build(t.Context(), s.root)
	check(t, err)
	if err := b.Commit(short(), store.State{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("replaced while it is opened: %v", err)
	}
	if n, err := s.readAll(t.Context()); n != 3 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
	check(t, leave())
	check(t, release())
	s.build(t, 1)
	if n, err := s.readAll(t.Context()); n != 1 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
}
