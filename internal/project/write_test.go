package project_test

import (
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

// contents returns every file below dir and its text; links show where they point.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, file)
		rel = filepath.ToSlash(rel)
		if d.Type()&os.ModeSymlink != 0 {
			target, err := os.Readlink(file)
			files[rel] = "-> " + filepath.ToSlash(target)
			return err
		}
		text, err := os.ReadFile(file)
		files[rel] = string(text)
		return err
	}))
	return files
}

func TestWriteFileMakesAndReplaces(t *testing.T) {
	dir := folder(t, map[string]string{"old.sh": "old", "real/x.go": "old"})
	must(t, os.Chmod(filepath.Join(dir, "old.sh"), 0o750))
	symlink(t, "real", filepath.Join(dir, "link"))
	symlink(t, "real/x.go", filepath.Join(dir, "x.go"))
	symlink(t, "real/new.go", filepath.Join(dir, "new.go"))
	p := open(t, dir)
	for _, name := range []string{"old.sh", "a/b/c.md", "link/y.go", "x.go", "new.go", filepath.Join(dir, "abs.md")} {
		must(t, p.WriteFile(name, []byte("new")))
	}
	must(t, p.WriteFile("empty", nil))
	want := map[string]string{
		"old.sh": "new", "a/b/c.md": "new", "real/y.go": "new", "real/x.go": "new", "real/new.go": "new", "abs.md": "new", "empty": "",
		"link": "-> real", "x.go": "-> real/x.go", "new.go": "-> real/new.go",
	}
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(filepath.Join(dir, "old.sh"))
	must(t, err)
	if info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestWriteFileStaysInsideAndLeavesNothingBehind(t *testing.T) {
	base := folder(t, map[string]string{"p/a.go": "a", "p/dir/b.go": "b", "far/x.go": "x"})
	root := filepath.Join(base, "p")
	symlink(t, "../far", filepath.Join(root, "out"))
	symlink(t, "../far/x.go", filepath.Join(root, "outfile"))
	symlink(t, "../far/new.go", filepath.Join(root, "outnew"))
	before := contents(t, base)
	p := open(t, root)
	for _, name := range []string{
		"../far/x.go", "out/x.go", "out/new/x.go", "outfile", "outnew", filepath.Join(base, "far", "x.go"),
	} {
		if e := (*project.OutsideError)(nil); true {
			if err := p.WriteFile(name, []byte("new")); !errors.As(err, &e) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, name := range []string{"", ".", "dir", "a.go/b.go", strings.Repeat("n", 300)} {
		if err := p.WriteFile(name, []byte("new")); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	if diff := cmp.Diff(before, contents(t, base)); diff != "" {
		t.Error(diff)
	}
}

func TestAFailedWriteKeepsTheOldFile(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("skipped: root writes everywhere")
	}
	dir := folder(t, map[string]string{"d/a.go": "old"})
	must(t, os.Chmod(filepath.Join(dir, "d"), 0o555))
	t.Cleanup(func() { must(t, os.Chmod(filepath.Join(dir, "d"), 0o755)) })
	if err := open(t, dir).WriteFile("d/a.go", []byte("new")); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff(map[string]string{"d/a.go": "old"}, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestReadersSeeTheOldOrTheNew(t *testing.T) {
	dir := folder(t, map[string]string{"a": strings.Repeat("0", 100_000)})
	p := open(t, dir)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 10 {
				if err := p.WriteFile("a", []byte(strings.Repeat(fmt.Sprint(i), 100_000))); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 50 {
				text, err := p.ReadFile("a")
				if err != nil || len(text) != 100_000 || strings.Trim(string(text), string(text[0])) != "" {
					t.Errorf("%d bytes, %v", len(text), err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(contents(t, dir)); n != 1 {
		t.Errorf("%d files left", n)
	}
}
