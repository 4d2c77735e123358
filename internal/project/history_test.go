package project_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// TestHistory asks for the commits before one, in a folder of a repository.
func TestHistory(t *testing.T) {
	root := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	change := func(message string, files ...string) string {
		t.Helper()
		for _, f := range files {
			path := filepath.Join(root, f)
			if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(message), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run("add", "--all")
		run("commit", "--quiet", "-m", message)
		return run("rev-parse", "HEAD")
	}
	run("init", "--quiet")
	change("Begin", "app/a.go", "app/b c.go")
	change("Outside", "README")
	second := change("Fix a\n\nbecause of b", "app/a.go", "README")
	change("Later", "app/a.go")

	p, err := project.Open(filepath.Join(root, "app"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	want := []project.Commit{{Subject: "Fix a", Files: []string{"a.go"}}, {Subject: "Begin", Files: []string{"a.go", "b c.go"}}}
	if diff := cmp.Diff(want, p.History(t.Context(), second, 10)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := p.History(t.Context(), second, 1); len(got) != 1 {
		t.Errorf("at most one: %v", got)
	}
	for _, none := range []string{"", "HEAD", "--all", strings.Repeat("0", 40)} {
		if got := p.History(t.Context(), none, 10); got != nil {
			t.Errorf("%q: %v", none, got)
		}
	}
}
