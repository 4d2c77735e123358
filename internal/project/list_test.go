package project_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestListIsWhatGitLists(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "*.log\nforced/\n", "a.go": "a", "sub/b.go": "bb", "gone.go": "", "x.log": "",
		"forced/tracked.go": "", "forced/not.go": "", "-n": "", "a b/ü\tc.go": "",
	})
	git(t, dir, "add", "-f", "a.go", "gone.go", "forced/tracked.go")
	must(t, os.Remove(filepath.Join(dir, "gone.go")))
	want := &project.Listing{Target: ".", Files: []project.Entry{
		{Path: "-n"},
		{Path: ".gitignore", Size: 14},
		{Path: "a b/ü\tc.go"},
		{Path: "a.go", Size: 1},
		{Path: "forced/tracked.go"},
		{Path: "sub/b.go", Size: 2},
	}}
	p := open(t, dir)
	if diff := cmp.Diff(want, list(t, p, ".")); diff != "" {
		t.Error(diff)
	}
	want = &project.Listing{Target: "sub", Files: []project.Entry{{Path: "sub/b.go", Size: 2}}}
	for _, target := range []string{"sub", "./sub/", filepath.Join(dir, "sub")} {
		if diff := cmp.Diff(want, list(t, p, target)); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}

func TestAProjectMayBeAFolderOfARepository(t *testing.T) {
	top := repository(t, map[string]string{
		".gitignore": "/p/out/\n*.tmp\n", "p/a.go": "", "p/out/x.go": "", "p/q/b.go": "", "p/c.tmp": "", "other/x.go": "",
	})
	p := open(t, filepath.Join(top, "p"))
	want := []string{"a.go", "q/b.go"}
	if diff := cmp.Diff(want, paths(list(t, p, "."))); diff != "" {
		t.Error(diff)
	}
	withoutGit(t)
	if diff := cmp.Diff(want, paths(list(t, p, "."))); diff != "" {
		t.Errorf("without git: %s", diff)
	}
}

func TestIgnoredTargetIsListed(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "/gen/\n/out/*\nnode_modules\n", "a.go": "",
		"gen/x.go": "", "gen/sub/y.go": "", "gen/sub/.gitignore": "*.tmp", "gen/sub/z.tmp": "", "gen/node_modules/m.js": "",
		"out/o.go": "", "out/deep/p.go": "", "node_modules/m/index.js": "", "empty/": "",
	})
	git(t, dir, "add", "-f", "gen/x.go")
	p := open(t, dir)
	check := func(t *testing.T) {
		t.Helper()
		for target, want := range map[string][]string{
			"gen":                     {"gen/sub/.gitignore", "gen/sub/y.go", "gen/x.go"},
			"gen/sub":                 {"gen/sub/.gitignore", "gen/sub/y.go"},
			"out":                     {"out/deep/p.go", "out/o.go"},
			"out/deep":                {"out/deep/p.go"},
			"node_modules/m":          {"node_modules/m/index.js"},
			"gen/x.go":                {"gen/x.go"},
			"node_modules/m/index.js": {"node_modules/m/index.js"},
			"empty":                   {},
		} {
			if diff := cmp.Diff(want, paths(list(t, p, target))); diff != "" {
				t.Errorf("%s: %s", target, diff)
			}
		}
	}
	check(t)
	t.Run("without git", func(t *testing.T) {
		withoutGit(t)
		check(t)
	})
	t.Run("whole project", func(t *testing.T) { // a checkout in an ignored folder
		p := open(t, filepath.Join(dir, "node_modules", "m"))
		if diff := cmp.Diff([]string{"index.js"}, paths(list(t, p, "."))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAFileIsATarget(t *testing.T) {
	dir := folder(t, map[string]string{"src/a.go": "abc"})
	p := open(t, dir)
	want := &project.Listing{Target: "src/a.go", File: true, Files: []project.Entry{{Path: "src/a.go", Size: 3}}}
	if diff := cmp.Diff(want, list(t, p, "src/a.go")); diff != "" {
		t.Error(diff)
	}
}

func TestLinksAreCountedAndNotFollowed(t *testing.T) {
	base := repository(t, map[string]string{"p/src/a.go": "", "p/src/b/c.go": "", "far/x.go": ""})
	root := filepath.Join(base, "p")
	symlink(t, "src", filepath.Join(root, "folder"))
	symlink(t, "src/a.go", filepath.Join(root, "file.go"))
	symlink(t, "../far", filepath.Join(root, "out"))
	symlink(t, "nowhere", filepath.Join(root, "dangling"))
	p := open(t, root)
	want := &project.Listing{
		Target: ".", Files: []project.Entry{{Path: "src/a.go"}, {Path: "src/b/c.go"}},
		Skipped: project.Skipped{Links: 4},
	}
	check := func(t *testing.T) {
		t.Helper()
		got := list(t, p, ".")
		got.Warnings = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		// Who names a link means what it leads to.
		if got := list(t, p, "folder/b"); got.Target != "src/b" || !slices.Equal(paths(got), []string{"src/b/c.go"}) {
			t.Errorf("folder/b: %+v", got)
		}
		if got := list(t, p, "file.go"); got.Target != "src/a.go" || !got.File {
			t.Errorf("file.go: %+v", got)
		}
		if e := (*project.OutsideError)(nil); true {
			if _, err := p.List(t.Context(), "out"); !errors.As(err, &e) {
				t.Errorf("out: %v", err)
			}
		}
	}
	check(t)
	t.Run("without git", func(t *testing.T) {
		withoutGit(t)
		check(t)
	})
}

func TestTrackedFilesBelowALinkAreNotListed(t *testing.T) {
	base := repository(t, map[string]string{"a/x.go": "", "b/y.go": ""})
	commit(t, base, "one")
	must(t, os.RemoveAll(filepath.Join(base, "a")))
	far := t.TempDir()
	put(t, far, map[string]string{"x.go": "outside"})
	symlink(t, far, filepath.Join(base, "a"))
	got := list(t, open(t, base), ".")
	want := &project.Listing{Target: ".", Files: []project.Entry{{Path: "b/y.go"}}, Skipped: project.Skipped{Links: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOtherRepositoriesInsideAreSkippedUnlessAsked(t *testing.T) {
	sub := repository(t, map[string]string{"s.go": ""})
	commit(t, sub, "one")
	dir := repository(t, map[string]string{"a.go": "", "nested/n.go": "", "nested/deep/d.go": "", "nested/.gitignore": "*.o", "nested/x.o": ""})
	git(t, filepath.Join(dir, "nested"), "init", "-q")
	git(t, dir, "submodule", "add", "-q", sub, "sub")
	p := open(t, dir)
	check := func(t *testing.T) {
		t.Helper()
		got := list(t, p, ".")
		got.Warnings = nil
		want := &project.Listing{
			Target: ".", Files: []project.Entry{{Path: ".gitmodules", Size: got.Files[0].Size}, {Path: "a.go"}},
			Skipped: project.Skipped{Submodules: 2},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		for target, want := range map[string][]string{
			"sub":         {"sub/s.go"},
			"nested":      {"nested/.gitignore", "nested/deep/d.go", "nested/n.go"},
			"nested/deep": {"nested/deep/d.go"},
		} {
			if diff := cmp.Diff(want, paths(list(t, p, target))); diff != "" {
				t.Errorf("%s: %s", target, diff)
			}
		}
	}
	check(t)
	t.Run("without git", func(t *testing.T) {
		withoutGit(t)
		check(t)
	})
}

func TestALinkedWorkTreeHasTheRulesOfItsRepository(t *testing.T) {
	dir := repository(t, map[string]string{"a.go": "a"})
	put(t, dir, map[string]string{".git/info/exclude": "*.tmp\n"})
	first := commit(t, dir, "one")
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", linked)
	put(t, linked, map[string]string{"b.go": "", "c.tmp": ""})
	eachWay(t, func(t *testing.T) {
		p := open(t, linked)
		if got := paths(list(t, p, ".")); !slices.Equal(got, []string{"a.go", "b.go"}) {
			t.Errorf("%q", got)
		}
		if old := at(t, p, "HEAD"); old.Revision() != first || !slices.Equal(paths(list(t, old, ".")), []string{"a.go"}) {
			t.Errorf("at %s: %+v", old.Revision(), list(t, old, "."))
		}
	})
}

func TestAnUnmergedFileIsListedOnce(t *testing.T) {
	dir := repository(t, map[string]string{"a.go": "1\n"})
	commit(t, dir, "one")
	git(t, dir, "checkout", "-q", "-b", "side")
	put(t, dir, map[string]string{"a.go": "2\n"})
	commit(t, dir, "two")
	git(t, dir, "checkout", "-q", "main")
	put(t, dir, map[string]string{"a.go": "3\n"})
	commit(t, dir, "three")
	if out, err := exec.Command("git", "-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "merge", "-q", "side").CombinedOutput(); err == nil {
		t.Fatalf("the merge met no conflict: %s", out)
	}
	if got := paths(list(t, open(t, dir), ".")); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("%q", got)
	}
}

func TestToolFoldersAreSkippedWithoutARepository(t *testing.T) {
	dir := folder(t, map[string]string{
		".gitignore": "dist/\n", "a.go": "", "node_modules/m/i.js": "", "py/__pycache__/a.pyc": "", ".venv/x.py": "", "venv/x.py": "",
		"rust/Cargo.toml": "", "rust/target/x.rs": "", "java/pom.xml": "", "java/target/X.java": "", "go/target/x.go": "",
		"build/b.go": "", "dist/d.js": "", ".github/w.yml": "", "node_modules.go": "", "x/venv": "",
	})
	p := open(t, dir)
	want := []string{
		".github/w.yml", ".gitignore", "a.go", "build/b.go", "go/target/x.go", "java/pom.xml", "node_modules.go", "rust/Cargo.toml", "x/venv",
	}
	got := list(t, p, ".")
	if diff := cmp.Diff(want, paths(got)); diff != "" {
		t.Error(diff)
	}
	if len(got.Warnings) != 0 {
		t.Errorf("warnings: %q", got.Warnings)
	}
	if got := paths(list(t, p, "node_modules")); !slices.Equal(got, []string{"node_modules/m/i.js"}) {
		t.Errorf("node_modules, asked for: %q", got)
	}
	if got := paths(list(t, p, "dist")); !slices.Equal(got, []string{"dist/d.js"}) {
		t.Errorf("dist, asked for: %q", got)
	}
}

func TestARepositoryThatGitRefusesIsWalkedWithAWarning(t *testing.T) {
	files := map[string]string{".gitignore": "*.log\n", "a.go": "", "x.log": "", "node_modules/tracked.js": ""}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		words []string
	}{
		"corrupt index": {
			func(t *testing.T, dir string) { put(t, dir, map[string]string{".git/index": "garbage"}) },
			[]string{"git ls-files: ", "index"},
		},
		"no repository after all": {
			func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, ".git", "HEAD"))) },
			[]string{"git ls-files: not a git repository"},
		},
		"another owner": {
			func(t *testing.T, dir string) {
				if os.Getuid() != 0 {
					t.Skip("skipped: only root can give a folder away")
				}
				must(t, os.Chown(dir, 65534, 65534))
				must(t, os.Chown(filepath.Join(dir, ".git"), 65534, 65534))
			},
			[]string{"dubious ownership", "git config --global --add safe.directory"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, files)
			c.spoil(t, dir)
			got := list(t, open(t, dir), ".")
			if diff := cmp.Diff([]string{".gitignore", "a.go", "node_modules/tracked.js"}, paths(got)); diff != "" {
				t.Error(diff)
			}
			if len(got.Warnings) != 1 {
				t.Fatalf("warnings: %q", got.Warnings)
			}
			for _, word := range c.words {
				if !strings.Contains(got.Warnings[0], word) {
					t.Errorf("%q is not in %q", word, got.Warnings[0])
				}
			}
		})
	}
}

func TestNothingTheRepositoryConfiguresIsRun(t *testing.T) {
	dir := repository(t, map[string]string{"a.go": ""})
	commit(t, dir, "one")
	trap := filepath.Join(t.TempDir(), "trap")
	mark := trap + ".ran"
	must(t, os.WriteFile(trap, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755))
	hooks := filepath.Join(dir, ".git", "hooks")
	must(t, os.MkdirAll(hooks, 0o755))
	for _, hook := range []string{"post-index-change", "post-checkout", "reference-transaction"} {
		must(t, os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755))
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "filter.x.clean", "filter.x.smudge", "diff.x.textconv", "core.askPass"} {
		git(t, dir, "config", key, trap)
	}
	put(t, dir, map[string]string{".gitattributes": "*.go filter=x diff=x\n"})
	p := open(t, dir)
	list(t, p, ".")
	at, err := p.At(t.Context(), "HEAD")
	must(t, err)
	_, err = at.ReadFile("a.go")
	must(t, errors.Join(err, at.Close()))
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program that the repository names was run")
	}
}

func TestTheEnvironmentDoesNotPointGitElsewhere(t *testing.T) {
	other := repository(t, map[string]string{"other.go": ""})
	commit(t, other, "one")
	dir := repository(t, map[string]string{"a.go": ""})
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git", "index"))
	if got := paths(list(t, open(t, dir), ".")); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("%q", got)
	}
}

func TestUnreadableFoldersAreCounted(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("skipped: root reads everything")
	}
	dir := repository(t, map[string]string{"a.go": "", "shut/b.go": ""})
	shut := filepath.Join(dir, "shut")
	must(t, os.Chmod(shut, 0))
	t.Cleanup(func() { must(t, os.Chmod(shut, 0o755)) })
	p := open(t, dir)
	for _, how := range []string{"git", "walk"} {
		if got := list(t, p, "."); got.Skipped.Unreadable != 1 {
			t.Errorf("%s: %+v", how, got)
		}
		withoutGit(t)
	}
}

func TestListEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, dir := range map[string]string{
		"git":  repository(t, map[string]string{"a.go": ""}),
		"walk": folder(t, map[string]string{"a.go": ""}),
	} {
		for _, target := range []string{".", "none"} {
			if _, err := open(t, dir).List(ctx, target); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %s: %v", name, target, err)
			}
		}
	}
}

func TestSkippedReadsWell(t *testing.T) {
	s := project.Skipped{Links: 2, Binary: 1, Unknown: 5, UnknownTypes: []project.TypeCount{{".md", 4}, {"Makefile", 1}}}
	if got, want := s.String(), "2 links, 1 binary, 5 of unknown type (.md 4, Makefile 1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := (project.Skipped{}).String(); got != "nothing" {
		t.Error(got)
	}
	got, err := json.Marshal(s)
	must(t, err)
	want := `{"links":2,"binary":1,"unknown":5,"unknownTypes":[{"extension":".md","files":4},{"extension":"Makefile","files":1}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if s.Total() != 8 {
		t.Errorf("total %d", s.Total())
	}
}
