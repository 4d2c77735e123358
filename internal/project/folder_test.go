package project_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestReadFolderNamesWhatIsThere(t *testing.T) {
	dir := folder(t, map[string]string{
		".gitignore": "build\n", ".git/HEAD": "", "build/x": "", "b.go": "", "a/deep/x.go": "", "Z": "", "none/": "",
	})
	symlink(t, "a", filepath.Join(dir, "link"))
	p := open(t, dir)
	for name, want := range map[string]*project.Folder{
		".":    {Names: []string{".git", ".gitignore", "Z", "a", "b.go", "build", "link", "none"}, Total: 8},
		"link": {Names: []string{"deep"}, Total: 1},
		"a/":   {Names: []string{"deep"}, Total: 1},
		dir:    {Names: []string{".git", ".gitignore", "Z", "a", "b.go", "build", "link", "none"}, Total: 8},
		"none": {Names: []string{}},
	} {
		got, err := p.ReadFolder(t.Context(), name, 100)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	var notFolder *project.NotFolderError
	if _, err := p.ReadFolder(t.Context(), "b.go", 100); !errors.As(err, &notFolder) || notFolder.Path != "b.go" {
		t.Errorf("a file: %v", err)
	}
	const want = "no such file or folder: bild; did you mean build?"
	if _, err := p.ReadFolder(t.Context(), "bild", 100); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// For any number of names, the first are returned and the others counted.
func TestReadFolderCutsAndSaysSo(t *testing.T) {
	dir := folder(t, nil)
	for i := range 1100 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%04d", i)), nil, 0o644))
	}
	got, err := open(t, dir).ReadFolder(t.Context(), ".", 2)
	must(t, err)
	if diff := cmp.Diff(&project.Folder{Names: []string{"f0000", "f0001"}, Total: 1100}, got); diff != "" {
		t.Error(diff)
	}
	const want = "f0000\nf0001\n… 1098 of 1100 entries are left out\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestFolderNamesAreQuoted(t *testing.T) {
	f := &project.Folder{Names: []string{"a b", "new\nline", "\"quoted\"", "bad\xff", "中文", "tab\t", "\x1b[31m"}, Total: 7}
	const want = `a b
"new\nline"
"\"quoted\""
"bad\xff"
中文
"tab\t"
"\x1b[31m"
`
	if diff := cmp.Diff(want, f.String()); diff != "" {
		t.Error(diff)
	}
}
