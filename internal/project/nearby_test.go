package project_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func isGo(name string) bool { return path.Ext(name) == ".go" }

// data makes folders with 500 files each.
func data(t *testing.T, dir string, folders int) {
	t.Helper()
	for i := range folders {
		at := filepath.Join(dir, "data", fmt.Sprintf("%03d", i))
		must(t, os.MkdirAll(at, 0o755))
		for k := range 500 {
			f, err := os.Create(filepath.Join(at, fmt.Sprintf("%d.txt", k)))
			must(t, err)
			must(t, f.Close())
		}
	}
}

func TestNearbyDoesNotReadAllOfAFolderOfData(t *testing.T) {
	files := map[string]string{
		"go.mod": "", "src/foo/foo.go": "", "src/bar/bar.go": "", "tests/foo_test.go": "", "zoo/deep/er/x.go": "", "main.go": "", "README.md": "",
	}
	want := []string{"main.go", "src/bar/bar.go", "src/foo/foo.go", "tests/foo_test.go", "zoo/deep/er/x.go"}
	read := map[string]int{}                // a repository has one entry more, .git
	for _, folders := range []int{20, 60} { // 10,000 and 30,000 files
		for name, dir := range map[string]string{"git": repository(t, files), "no git": folder(t, files)} {
			data(t, dir, folders)
			l, left, err := open(t, dir).Nearby(t.Context(), "src/foo", isGo)
			must(t, err)
			var got []string
			for _, f := range l.Files {
				got = append(got, f.Path)
			}
			if diff := cmp.Diff(want, got); diff != "" || left != "data" {
				t.Errorf("%s, left %v: %s", name, left, diff)
			}
			read[fmt.Sprint(name, " ", folders)] = l.Entries
		}
	}
	for _, name := range []string{"git", "no git"} {
		many, few := read[name+" 60"], read[name+" 20"]
		if many-few != 40 || many > 10_000 { // the names of the folders themselves
			t.Errorf("%s: %v entries were read", name, read)
		}
	}
}

// What the warning about such folders advises: a folder that the project leaves out is not read at all.
func TestNearbyDoesNotReadWhatTheProjectLeavesOut(t *testing.T) {
	files := map[string]string{"go.mod": "", "src/foo/foo.go": "", "tests/foo_test.go": "", project.IgnoreFile: "/data/\n"}
	for name, dir := range map[string]string{"git": repository(t, files), "no git": folder(t, files)} {
		data(t, dir, 20)
		l, left, err := open(t, dir).Nearby(t.Context(), "src/foo", isGo)
		must(t, err)
		if len(l.Files) != 2 || left != "" || l.Entries > 100 {
			t.Errorf("%s: %d files, left %v, %d entries", name, len(l.Files), left, l.Entries)
		}
	}
}

func TestNearbyDoesNotReadAllOfALongFolder(t *testing.T) {
	dir := folder(t, map[string]string{"a.go": "", "data/sub.txt": "", "x/y.go": ""})
	for k := range 10_000 {
		f, err := os.Create(filepath.Join(dir, "data", fmt.Sprintf("%d.txt", k)))
		must(t, err)
		must(t, f.Close())
	}
	l, left, err := open(t, dir).Nearby(t.Context(), "x", isGo)
	must(t, err)
	if len(l.Files) != 2 || left != "data" || l.Entries > 2000 {
		t.Errorf("%d files, left %v, %d entries", len(l.Files), left, l.Entries)
	}
}

// In a project of the usual size it is what List says, ignore rules and all.
func TestNearbyIsTheListingOfAnOrdinaryProject(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "out/\n*.gen.go\n", "a.go": "1", "a.gen.go": "1", "out/b.go": "1", "src/c.go": "12", "src/.gitignore": "d.go\n", "src/d.go": "", "src/e/f.go": "",
		".git/info/exclude": "private/\n", "private/p.go": "",
	})
	p := open(t, dir)
	all, err := p.List(t.Context(), ".")
	must(t, err)
	var want []project.Entry
	for _, f := range all.Files {
		if isGo(f.Path) {
			want = append(want, f)
		}
	}
	l, left, err := p.Nearby(t.Context(), "src/e", isGo)
	must(t, err)
	if diff := cmp.Diff(want, l.Files); diff != "" || left != "" || len(want) != 3 {
		t.Errorf("left %v: %s", left, diff)
	}
}
