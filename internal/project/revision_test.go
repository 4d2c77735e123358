package project_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// history makes a repository of two commits whose project is the folder p, and
// returns it with the first commit's id.
func history(t *testing.T) (root, first string) {
	t.Helper()
	top := repository(t, map[string]string{
		"p/src/a.go": "one", "p/src/gone.go": "gone", "p/a b/ü.go": "u", "p/src0": "0", "p/src-x/b.go": "b", "other/o.go": "o",
	})
	root = filepath.Join(top, "p")
	symlink(t, "src/a.go", filepath.Join(root, "in"))
	symlink(t, "src", filepath.Join(root, "folder"))
	symlink(t, "../other/o.go", filepath.Join(root, "out"))
	first = commit(t, top, "one")
	git(t, top, "tag", "v1")
	must(t, os.Remove(filepath.Join(root, "src", "gone.go")))
	put(t, top, map[string]string{"p/src/a.go": "two", "p/src/new.go": "new"})
	commit(t, top, "two")
	put(t, top, map[string]string{"p/src/a.go": "three", "p/untracked.go": ""})
	return root, first
}

func at(t *testing.T, p *project.Project, rev string) *project.Project {
	t.Helper()
	old, err := p.At(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, old.Close()) })
	return old
}

// eachWay runs a test with the git command and without.
func eachWay(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	t.Run("git", f)
	t.Run("without git", func(t *testing.T) {
		withoutGit(t)
		f(t)
	})
}

func TestRevisionFiles(t *testing.T) {
	root, first := history(t)
	eachWay(t, func(t *testing.T) {
		p := open(t, root)
		for _, rev := range []string{"v1", first, first[:8], "HEAD~1", "main^", "refs/tags/v1"} {
			old := at(t, p, rev)
			if old.Revision() != first || old.ShortRevision() != first[:12] || old.Root() != root {
				t.Errorf("%s: revision %s, root %s", rev, old.Revision(), old.Root())
			}
		}
		old := at(t, p, "v1")
		want := &project.Listing{
			Target: ".", Skipped: project.Skipped{Links: 3},
			Files: []project.Entry{{Path: "a b/ü.go", Size: 1}, {Path: "src-x/b.go", Size: 1}, {Path: "src/a.go", Size: 3}, {Path: "src/gone.go", Size: 4}, {Path: "src0", Size: 1}},
		}
		if diff := cmp.Diff(want, list(t, old, ".")); diff != "" {
			t.Error(diff)
		}
		want = &project.Listing{Target: "src", Files: []project.Entry{{Path: "src/a.go", Size: 3}, {Path: "src/gone.go", Size: 4}}}
		for _, target := range []string{"src", "folder", filepath.Join(root, "src")} {
			if diff := cmp.Diff(want, list(t, old, target)); diff != "" {
				t.Errorf("%s: %s", target, diff)
			}
		}
		for name, want := range map[string]string{
			"src/a.go": "one", "in": "one", "folder/gone.go": "gone", "a b/ü.go": "u", filepath.Join(root, "src", "gone.go"): "gone",
		} {
			if got, err := old.ReadFile(name); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		if got, err := p.ReadFile("src/a.go"); err != nil || string(got) != "three" {
			t.Errorf("the work tree: %q, %v", got, err)
		}
	})
}

func TestAPathMayBeMissingInARevision(t *testing.T) {
	root, first := history(t)
	eachWay(t, func(t *testing.T) {
		old := at(t, open(t, root), "v1")
		for name, want := range map[string]string{
			"src/new.go":  "no such file or folder in revision " + first[:12] + ": src/new.go",
			"src/goen.go": "no such file or folder in revision " + first[:12] + ": src/goen.go; did you mean src/gone.go?",
			"out":         "out is outside the project " + root,
			"../other":    "../other is outside the project " + root,
		} {
			if _, err := old.List(t.Context(), name); err == nil || unwrapAll(err).Error() != want {
				t.Errorf("list %s: %v, want %s", name, err, want)
			}
		}
		for _, name := range []string{"src/new.go", "untracked.go", "src/a.go/x"} {
			if e := (*project.MissingError)(nil); true {
				if _, err := old.ReadFile(name); !errors.As(err, &e) || e.Revision != first[:12] {
					t.Errorf("read %s: %v", name, err)
				}
			}
		}
		if _, err := old.ReadFile("src"); err == nil {
			t.Error("a folder was read")
		}
	})
}

func TestARevisionIsReadOnly(t *testing.T) {
	root, _ := history(t)
	old := at(t, open(t, root), "v1")
	if err := old.WriteFile("src/a.go", nil); !errors.Is(err, project.ErrReadOnly) {
		t.Error(err)
	}
}

func TestUnknownRevision(t *testing.T) {
	root, _ := history(t)
	eachWay(t, func(t *testing.T) {
		p := open(t, root)
		for _, rev := range []string{
			"", "none", "-", "--help", "--all", "-h", "v1:src/a.go", "v1 main", "v1..main", "v1\nmain", "HEAD~99", "HEAD^{tree}", "\x00",
		} {
			old, err := p.At(t.Context(), rev)
			if err == nil {
				t.Errorf("%q gave %s", rev, old.Revision())
				must(t, old.Close())
				continue
			}
			e := (*project.RevisionError)(nil)
			if !errors.As(err, &e) || e.Revision != rev || e.Hint().Empty() {
				t.Errorf("%q: %v", rev, err)
			}
			if rev == "none" && !strings.HasPrefix(err.Error(),
				"cannot read the git revision none of "+root+": unknown revision, or not a commit") {
				t.Errorf("%q: %v", rev, err)
			}
		}
	})
}

func TestOutsideARepositoryThereAreNoRevisions(t *testing.T) {
	dir := folder(t, map[string]string{"a.go": ""})
	eachWay(t, func(t *testing.T) {
		_, err := open(t, dir).At(t.Context(), "HEAD")
		e := (*project.RevisionError)(nil)
		if !errors.As(err, &e) || !strings.Contains(e.Err.Error(), "not a git repository") || !strings.Contains(e.Hint().String(), "not in a git repository") {
			t.Errorf("%v", err)
		}
	})
}

func TestAProjectYoungerThanTheRevisionHadNoFiles(t *testing.T) {
	top := repository(t, map[string]string{"a.go": ""})
	commit(t, top, "one")
	put(t, top, map[string]string{"young/b.go": ""})
	commit(t, top, "two")
	eachWay(t, func(t *testing.T) {
		old := at(t, open(t, filepath.Join(top, "young")), "HEAD~1")
		if got := list(t, old, "."); len(got.Files) != 0 || got.Files == nil {
			t.Errorf("%+v", got)
		}
	})
}

func TestASubmoduleOfARevisionIsCounted(t *testing.T) {
	sub := repository(t, map[string]string{"s.go": ""})
	commit(t, sub, "one")
	dir := repository(t, map[string]string{"a.go": ""})
	git(t, dir, "submodule", "add", "-q", sub, "sub")
	commit(t, dir, "one")
	eachWay(t, func(t *testing.T) {
		old := at(t, open(t, dir), "HEAD")
		if got := list(t, old, "."); got.Skipped.Submodules != 1 || len(got.Files) != 2 {
			t.Errorf("%+v", got)
		}
		if got := list(t, old, "sub"); got.Skipped.Submodules != 1 || len(got.Files) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestALargeFileOfARevisionIsRefused(t *testing.T) {
	dir := repository(t, map[string]string{"big": strings.Repeat("x", project.MaxFileSize+1), "full": strings.Repeat("x", project.MaxFileSize)})
	commit(t, dir, "one")
	eachWay(t, func(t *testing.T) {
		old := at(t, open(t, dir), "HEAD")
		if e := (*project.TooLargeError)(nil); true {
			if _, err := old.ReadFile("big"); !errors.As(err, &e) {
				t.Error(err)
			}
		}
		if text, err := old.ReadFile("full"); err != nil || len(text) != project.MaxFileSize {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
}

func TestALargeFileIsReadWholeWhereMoreIsAllowed(t *testing.T) {
	const size = 2*project.MaxFileSize + 7
	dir := repository(t, map[string]string{"big": strings.Repeat("x", size)})
	commit(t, dir, "one")
	eachWay(t, func(t *testing.T) {
		for name, p := range map[string]*project.Project{"work tree": open(t, dir), "revision": at(t, open(t, dir), "HEAD")} {
			for limit, want := range map[int64]int{size: size, size + 1: size, size - 1: 0} {
				if text, err := p.ReadUpTo("big", limit); len(text) != want || (err == nil) != (want > 0) {
					t.Errorf("%s, up to %d: %d bytes, %v", name, limit, len(text), err)
				}
			}
		}
	})
}

func TestARevisionIsReadByManyAtOnce(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("d%d/f%d.go", i%7, i)] = strings.Repeat(fmt.Sprint(i), i*100)
	}
	dir := repository(t, files)
	commit(t, dir, "one")
	ctx, cancel := context.WithCancel(t.Context())
	eachWay(t, func(t *testing.T) {
		old, err := open(t, dir).At(ctx, "HEAD")
		must(t, err)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for name, want := range files {
					if got, err := old.ReadFile(name); err != nil || string(got) != want {
						t.Errorf("%s: %d bytes, %v", name, len(got), err)
					}
				}
			})
		}
		wg.Wait()
		must(t, old.Close())
	})
	cancel()
	if _, err := open(t, dir).At(ctx, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAClosedRevisionSaysSo(t *testing.T) {
	root, _ := history(t)
	old, err := open(t, root).At(t.Context(), "v1")
	must(t, err)
	must(t, old.Close())
	must(t, old.Close())
	if _, err := old.ReadFile("src/a.go"); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Error(err)
	}
}
