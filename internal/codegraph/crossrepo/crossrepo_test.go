package crossrepo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/crossrepo"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
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

// tell formats the parts of a report that do not depend on the machine.
func tell(r *crossrepo.Report) string {
	var b strings.Builder
	b.WriteString(r.String())
	for _, e := range r.Edges {
		b.WriteString("\n" + crossrepo.Explain(e).String())
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

// openStore opens a store of its own for a test.
func openStore(t *testing.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run federates the repositories of a configuration.
func run(t *testing.T, s store.Store, path string) *crossrepo.Report {
	t.Helper()
	return runAt(t, s, path, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), false)
}

func runAt(t *testing.T, s store.Store, path string, now time.Time, dry bool) *crossrepo.Report {
	t.Helper()
	c, err := crossrepo.ReadConfig(path)
	check(t, err)
	r, err := crossrepo.Run(t.Context(), c, s, crossrepo.Options{Now: func() time.Time { return now }, DryRun: dry})
	check(t, err)
	return r
}

// TestRunReplacesEdges checks that existing edges keep their timestamps, obsolete ones are removed, and a run
// without changes writes nothing.
func TestRunReplacesEdges(t *testing.T) {
	dir := unpack(t, map[string][]byte{
		"federation.yaml": []byte("federation: {repositories: [{path: lib}, {path: app}]}"),
		"lib/go.mod":      []byte("module example.com/lib"),
		"lib/lib.go":      []byte("package lib\n\nfunc A() {}\n\nfunc B() {}\n"),
		"app/go.mod":      []byte("module example.com/app"),
		"app/app.go":      []byte("package app\n\nimport \"example.com/lib\"\n\nfunc Run() { lib.A() }\n"),
	})
	path, app := filepath.Join(dir, "federation.yaml"), filepath.Join(dir, "app")
	s, first := openStore(t), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	times := func(edges []store.VirtualEdge) map[string][2]int {
		out := map[string][2]int{}
		for _, e := range edges {
			out[e.TargetSymbol] = [2]int{e.CreatedAt.Day(), e.UpdatedAt.Day()}
		}
		return out
	}
	want := func(edges map[string][2]int) {
		t.Helper()
		if diff := cmp.Diff(edges, times(stored(t, s, app, nil))); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	runAt(t, s, path, first, true)
	want(map[string][2]int{})
	runAt(t, s, path, first, false)
	runAt(t, s, path, first.AddDate(0, 0, 1), false)
	want(map[string][2]int{"lib": {1, 1}, "lib.lib.A": {1, 1}})
	check(t, os.WriteFile(filepath.Join(dir, "app/app.go"), []byte("package app\n\nimport \"example.com/lib\"\n\n\nfunc Run() { lib.B() }\n"), 0o600))
	runAt(t, s, path, first.AddDate(0, 0, 2), false)
	want(map[string][2]int{"lib": {1, 1}, "lib.lib.B": {3, 3}})
	check(t, os.WriteFile(filepath.Join(dir, "lib/lib.go"), []byte("package lib\n\n\nfunc A() {}\n\nfunc B() {}\n"), 0o600))
	runAt(t, s, path, first.AddDate(0, 0, 3), false)
	want(map[string][2]int{"lib": {1, 1}, "lib.lib.B": {3, 4}})

	_, err := index.Run(t.Context(), openProject(t, app), s, index.Options{Force: true})
	check(t, err)
	want(map[string][2]int{"lib": {1, 1}, "lib.lib.B": {3, 4}})
}

func openProject(t *testing.T, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	check(t, err)
	t.Cleanup(func() { check(t, p.Close()) })
	return p
}
