package federate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/federate"
	"github.com/reverse-spec/reverse-spec/internal/golden"
)

// unpack writes files below a new folder, and returns it.
func unpack(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		check(t, os.WriteFile(path, data, 0o600))
	}
	return dir
}

// tell tells everything of a report that does not depend on where it was made.
func tell(r *federate.Report) string {
	var b strings.Builder
	b.WriteString(r.String())
	for _, e := range r.Edges {
		b.WriteString("\n" + federate.Explain(e))
	}
	for _, w := range r.Warnings {
		b.WriteString("\nwarning: " + w + "\n")
	}
	return b.String()
}

// TestContracts federates the repositories of an archive.
func TestContracts(t *testing.T) {
	golden.Archives(t, "contracts", func(t *testing.T, files map[string][]byte) string {
		dir := unpack(t, files)
		return tell(run(t, openStore(t), filepath.Join(dir, "federation.yaml")))
	})
}
