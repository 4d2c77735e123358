package resolve_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// scipOracle returns what the indexes in REVERSE_SPEC_SCIP know of a repository; nil
// without any.
func scipOracle(t *testing.T, dir string) resolve.Oracle {
	t.Helper()
	indexes := filepath.SplitList(os.Getenv("REVERSE_SPEC_SCIP"))
	if len(indexes) == 0 {
		return nil
	}
	ws, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	listing, err := ws.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range listing.Files {
		paths = append(paths, e.Path)
	}
	manifests, err := manifest.Read(paths, ws.ReadFile)
	if err != nil {
		t.Log(err)
	}
	oracle, err := index.Oracle(t.Context(), ws, listing.Files, manifests, indexes)
	if err != nil {
		t.Fatal(err)
	}
	return oracle
}
