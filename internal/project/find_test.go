package project_test

import (
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestFindTakesTheRepositoryThenTheBuildFile(t *testing.T) {
	dir := folder(t, map[string]string{
		"repo/.git/HEAD": "", "repo/go.mod": "", "repo/web/package.json": "", "repo/web/src/a.ts": "",
		"worktree/.git": "gitdir: x", "worktree/x/": "",
		"plain/pom.xml": "", "plain/mod/build.gradle": "", "plain/mod/src/A.java": "", "plain/go.mod/x/": "",
		"none/deep/a.txt": "",
	})
	for from, want := range map[string]string{
		"repo":                 "repo",
		"repo/web/src":         "repo",
		"repo/web/src/a.ts":    "repo",
		"repo/web/not/yet":     "repo",
		"worktree/x":           "worktree",
		"plain/mod/src/A.java": "plain/mod",
		"plain/mod":            "plain/mod",
		"plain/go.mod/x":       "plain", // go.mod is a folder here
		"none/deep":            "none/deep",
		"none/deep/a.txt":      "none/deep",
	} {
		if got := project.Find(filepath.Join(dir, from)); got != filepath.Join(dir, want) {
			t.Errorf("Find(%s) = %s, want %s", from, got, want)
		}
	}
	t.Chdir(filepath.Join(dir, "repo", "web"))
	if got := project.Find("src"); got != filepath.Join(dir, "repo") {
		t.Errorf("relative: %s", got)
	}
}
