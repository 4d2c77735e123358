// Package oracle finds the files of others that tests compare with and that are never
// committed: the feature files of the openCypher TCK, and the documents that state the
// contracts of graph-rag and the MCP tools.
package oracle

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tck is the pin that scripts/oracles.sh reads, too: repository, commit and folder.
//
//go:embed tck.txt
var tck string

// none is the value of a variable which states that an oracle is not at hand.
const none = "none"

// oracle is a folder of files that tests compare with.
type oracle struct {
	name     string
	variable string // the environment variable that names the folder
	cached   string // the folder's name in the cache
	get      string // how to get the files
	private  bool   // the files are not public: the variable may be none
}

// TCK returns the folder of the openCypher TCK's feature files: REVERSE_SPEC_TCK, or
// else what `make oracles` has fetched. Without either the test is skipped; with
// CI=true it fails.
func TCK(t testing.TB) string {
	t.Helper()
	commit := strings.Fields(tck)[1]
	return oracle{
		name: "the openCypher TCK", variable: "REVERSE_SPEC_TCK", cached: "tck-" + commit,
		get: "run `make oracles`, or set REVERSE_SPEC_TCK to the folder of its feature files",
	}.folder(t)
}

// Contracts returns the folder of the contract documents: REVERSE_SPEC_CONTRACTS, or
// else a folder in the cache, which is filled by hand since they are not public. With
// REVERSE_SPEC_CONTRACTS=none, or without either, the test is skipped; with CI=true and
// without either it fails.
func Contracts(t testing.TB) string {
	t.Helper()
	return oracle{
		name: "the contract documents", variable: "REVERSE_SPEC_CONTRACTS", cached: "contracts", private: true,
		get: "set REVERSE_SPEC_CONTRACTS to their folder, or to " + none + ": they are not public",
	}.folder(t)
}

// folder returns the oracle's folder, or ends the test.
func (o oracle) folder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(o.variable)
	switch {
	case dir == none && o.private:
		t.Skipf("%s=%s: %s are not at hand", o.variable, none, o.name)
	case dir != "" && !filepath.IsAbs(dir):
		t.Fatalf("%s is %q; it must be an absolute path", o.variable, dir)
	case dir != "":
		if err := isFolder(dir); err != nil {
			t.Fatalf("%s: %v", o.variable, err)
		}
		return dir
	}
	dir, err := o.inCache()
	if err == nil {
		return dir
	}
	missing := fmt.Sprintf("%s not found (%v): %s", o.name, err, o.get)
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// inCache returns the oracle's folder in the cache that scripts/oracles.sh fills.
func (o oracle) inCache() (string, error) {
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(home, ".cache")
	}
	dir := filepath.Join(cache, "reverse-spec", "oracles", o.cached)
	return dir, isFolder(dir)
}

// isFolder returns an error if there is no folder dir.
func isFolder(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	return err
}
