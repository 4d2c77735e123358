package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return openStore(t, t.TempDir()) })
}

func openStore(t *testing.T, home string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(sqlite.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// files lists the files in a folder of a store.
func files(t *testing.T, home string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(home, "projects", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	return paths
}
