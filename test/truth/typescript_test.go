package truth_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTypeScriptDeclarationsAsTheCheckerSeesThem compares the sources of rxjs.
func TestTypeScriptDeclarationsAsTheCheckerSeesThem(t *testing.T) {
	node, sources := needs(t, "node"), fetched(t, "rxjs", "src")
	project := t.TempDir()
	copyTree(t, sources, filepath.Join(project, "src"))
	t.Setenv("NODE_PATH", fetched(t))
	truth := lines(t, node, "declarations.mjs", project, filepath.Join(project, "src"))
	compare(t, truth, ours(t, project, "src"), floor{1, 1})
}

// fetched returns a path in the packages that make truth downloads, and skips the test if it
// is missing.
func fetched(t *testing.T, elem ...string) string {
	t.Helper()
	dir := filepath.Join(append([]string{os.Getenv("TRUTH_CACHE"), "node_modules"}, elem...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("npm packages were not fetched: run make truth where npm and its registry are")
	}
	return dir
}
