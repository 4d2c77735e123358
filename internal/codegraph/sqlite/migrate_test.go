package sqlite_test

import (
	"errors"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// TestOlderVersionIsMigrated runs the migrations from an older version to the current one.
func TestOlderVersionIsMigrated(t *testing.T) {
	s := newShop(t, 2)
	newer := &shop{openStore(t, s.home), s.home, s.root}
	defer newer.Close()
	sqlite.WithStep(newer.Store, "UPDATE state SET git_commit = 'migrated'; DELETE FROM node WHERE id = 2;")

	release, err := s.Lock(t.Context(), s.root)
	check(t, err)
	locked := (*store.LockedError)(nil)
	if _, err := newer.readAll(t.Context()); !errors.As(err, &locked) || locked.Project != "shop" {
		t.Errorf("while another writes: %v", err)
	}
	check(t, release())

	if n, err := newer.readAll(t.Context()); n != 1 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
	g, err := newer.Open(t.Context(), s.root)
	check(t, err)
	defer g.Close()
	if state, err := g.State(t.Context()); state.Commit != "migrated" || err != nil {
		t.Errorf("state %+v, %v", state, err)
	}
	version := (*store.VersionError)(nil)
	if _, err := s.readAll(t.Context()); !errors.As(err, &version) || version.Got != version.Known+1 {
		t.Errorf("the older program: %v", err)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	s := newShop(t, 2)
	newer := &shop{openStore(t, s.home), s.home, s.root}
	defer newer.Close()
	sqlite.WithStep(newer.Store, "DELETE FROM node; INSERT INTO nowhere VALUES(1);")
	if _, err := newer.readAll(t.Context()); err == nil {
		t.Error("no error")
	}
	if n, err := s.readAll(t.Context()); n != 2 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
}
