package drift_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// committed returns a project whose commit has the files in old/ of an archive, and whose work tree has those in new/.
func committed(t *testing.T, a *txtar.Archive) *project.Project {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	sides := map[string]map[string]string{"old": {}, "new": {}}
	for _, f := range a.Files {
		if side, name, ok := strings.Cut(f.Name, "/"); ok {
			sides[side][name] = string(f.Data)
		}
	}
	p, dir := openProject(t, sides["old"])
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "one")
	for name := range sides["old"] {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, sides["new"])
	return p
}

// itemsOf returns the items of a report, a line each.
func itemsOf(r *drift.Report) string {
	var b strings.Builder
	for _, i := range r.Items {
		breaking := ""
		if i.Breaking {
			breaking = "BREAKING "
		}
		fmt.Fprintf(&b, "%s%s %s %s: %s\n", breaking, i.Severity, i.Rule, i.SymbolName, i.Description)
	}
	return b.String()
}

// TestAProjectIsComparedWithARevision module by module.
func TestAProjectIsComparedWithARevision(t *testing.T) {
	file := filepath.Join("testdata", "modules", "tree.txtar")
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := &a.Files[len(a.Files)-1]
	a.Files = a.Files[:len(a.Files)-1]
	p := committed(t, a)
	r, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD", NoReport: true, Now: at}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := itemsOf(r)
	if os.Getenv("UPDATE") != "" {
		want.Data = []byte(got)
		a.Files = append(a.Files, *want)
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(want.Data), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, c := range []struct {
		path string
		want int
	}{{"gone", 1}, {"here", 1}, {"internal", 2}, {"a.go", 1}, {"same", 0}} {
		r, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD", NoReport: true, Now: at}, []string{c.path})
		if err != nil || len(r.Items) != c.want {
			t.Errorf("%s: %v, %v", c.path, r, err)
		}
	}
	_, err = drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD"}, []string{"nowhere"})
	if missing := (*project.MissingError)(nil); !errors.As(err, &missing) {
		t.Errorf("a path that is on neither side: %v", err)
	}
}

// TestAllSpecsAreCompared with their code, those named, those in a folder, and all.
func TestAllSpecsAreCompared(t *testing.T) {
	p, dir := openProject(t, map[string]string{"src/auth/login.ts": oldAuth, "src/same/same.ts": "export const one = 1;\n"})
	if _, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true}, nil); err == nil {
		t.Error("no spec, and no error")
	}
	for _, target := range []string{"src/auth", "src/same"} {
		if _, err := spec.Generate(t.Context(), p, target, spec.GenerateOptions{Now: at}); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, map[string]string{"src/auth/login.ts": newAuth})
	for _, paths := range [][]string{nil, {"."}, {"specs/src"}, {"specs/src/auth.spec.md", "specs/src/same.spec.md"}} {
		r, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true, Now: at}, paths)
		if err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, part := range r.Parts {
			parts = append(parts, fmt.Sprintf("%s %s %d", part.SpecPath, part.SourcePath, part.Summary.TotalChanges))
		}
		want := []string{"specs/src/auth.spec.md src/auth 4", "specs/src/same.spec.md src/same 0"}
		if diff := cmp.Diff(want, parts); diff != "" || r.Summary.TotalChanges != 4 {
			t.Errorf("%v: %+v\n%s", paths, r.Summary, diff)
		}
	}
	if _, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true}, []string{"src"}); err == nil {
		t.Error("a folder without specs, and no error")
	}
	if _, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true, Base: "HEAD"}, nil); err == nil {
		t.Error("no repository, and no error")
	}
}
