package postgres_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// The files of the projects that were not asked for the longest time go first.
func TestTheCacheIsBounded(t *testing.T) {
	address, cache := pgserver.Start(t).Database(), t.TempDir()
	s, err := postgres.Open(address, postgres.Options{Cache: cache, CacheSize: 2500})
	check(t, err)
	var files []string
	ask := func(root string) {
		t.Helper()
		g, err := s.Open(t.Context(), root)
		check(t, err)
		files = append(files, filepath.Base(g.Derived()))
		check(t, os.WriteFile(g.Derived(), make([]byte, 1000), 0o600), g.Close())
		time.Sleep(20 * time.Millisecond) // the times of files differ
	}
	roots := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for _, root := range roots {
		buildSmall(t, s, root, 1)
	}
	ask(roots[0])
	ask(roots[1])
	ask(roots[0])
	ask(roots[2])
	check(t, s.Close())
	entries, err := os.ReadDir(cache)
	check(t, err)
	left := map[string]bool{}
	for _, e := range entries {
		left[e.Name()] = true
	}
	if diff := cmp.Diff(map[string]bool{files[0]: true, files[3]: true}, left); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
