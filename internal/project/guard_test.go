package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// What git runs is configured in its folder: a file written there would be a
// program started.
func TestNothingIsWrittenIntoGitsFolders(t *testing.T) {
	bare := map[string]string{"bare/HEAD": "", "bare/objects/": "", "bare/refs/": "", "bare/hooks/x.sample": ""}
	dir := folder(t, bare)
	put(t, dir, map[string]string{
		".git/HEAD": "ref", ".git/config": "c", "sub/.git": "gitdir: x", "a.go": "", "gitlike/HEAD": "", "gitlike/objects/": "",
	})
	symlink(t, ".git", filepath.Join(dir, "link"))
	symlink(t, ".git/config", filepath.Join(dir, "config"))
	before := contents(t, dir)
	p := open(t, dir)
	for _, name := range []string{
		".git/config", ".git/hooks/pre-commit", ".git", "sub/.git", "sub/.git/x", "new/.git/config", "link/config", "link/hooks/x",
		"config", ".GIT/config", ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config", "git~1/config", "GIT~1/config", ".g\u200cit/config",
		filepath.Join(dir, ".git", "config"), "a/../.git/config", "bare/config", "bare/hooks/pre-commit",
	} {
		err := p.WriteFile(name, []byte("new"))
		if _, replaceErr := p.Replace(t.Context(), name, "c", "d", project.Places{}); err == nil || replaceErr == nil {
			t.Errorf("%s: %v, %v", name, err, replaceErr)
		}
		if !strings.Contains(err.Error(), "nothing is written into a git repository's own folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{".gitignore", ".github/workflows/ci.yml", "x.git", "git/config", "gitlike/config"} {
		must(t, p.WriteFile(name, []byte("new")))
	}
	if _, err := p.ReadFile(".git/config"); err != nil {
		t.Errorf("reading is another matter: %v", err)
	}
}

func TestSaveFileMakesNoOddNames(t *testing.T) {
	dir := folder(t, map[string]string{`there\is`: "old", "a.go": "old", "dir/": ""})
	p := open(t, dir)
	before := contents(t, dir)
	for name, want := range map[string]string{
		`src\a.go`:    `the path "src\\a.go" has a backslash; separate folders with /`,
		"a\nb":        "the path \"a\\nb\" has a control character",
		"a\x1b[31m":   "the path \"a\\x1b[31m\" has a control character",
		"new/":        "new/ is not a regular file",
		"a.go/":       "a.go/ is not a regular file",
		"new/.":       "new/. is not a regular file",
		"dir":         "dir is not a regular file",
		"a\x00":       `the path "a\x00" has a NUL byte`,
		"a.go/b/c.go": "",
	} {
		if err := p.SaveFile(t.Context(), name, []byte("new"), project.Places{}); err == nil || want != "" && err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	huge := strings.Repeat("n", 10<<20)
	const want = "the path nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn… has 10485760 bytes; the limit is 4096"
	if err := p.SaveFile(t.Context(), huge, nil, project.Places{}); err == nil || unwrapAll(err).Error() != want {
		t.Errorf("10 MB: %.200s", err)
	}
	var large *project.TooLargeError
	if err := p.SaveFile(t.Context(), "big", make([]byte, project.MaxFileSize+1), project.Places{}); !errors.As(err, &large) {
		t.Errorf("5 MB of text: %v", err)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	must(t, p.SaveFile(t.Context(), `there\is`, []byte("new"), project.Places{})) // it was there before
	must(t, p.SaveFile(t.Context(), "a.go", []byte("new"), project.Places{}))
	must(t, p.SaveFile(t.Context(), "new/b.go", []byte("new"), project.Places{}))
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
		t.Errorf("%v %v", entries, err)
	}
}
