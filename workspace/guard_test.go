package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/workspace"
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
		if _, replaceErr := p.Replace(t.Context(), name, "c", "d"); err == nil || replaceErr == nil {
			t.Errorf("%s: %v, %v", name, err, replaceErr)
		}
		if !strings.Contains(err.Error(), "不写入 .git (nothing is written into a git repository's own folder") {
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
		`src\a.go`:    `路径含有反斜杠: "src\\a.go" (path holds a backslash; separate folders with "/")`,
		"a\nb":        "路径含有控制字符: \"a\\nb\" (path holds a control character)",
		"a\x1b[31m":   "路径含有控制字符: \"a\\x1b[31m\" (path holds a control character)",
		"new/":        "不是普通文件: new/ (not a regular file)",
		"a.go/":       "不是普通文件: a.go/ (not a regular file)",
		"new/.":       "不是普通文件: new/. (not a regular file)",
		"dir":         "不是普通文件: dir (not a regular file)",
		"a\x00":       `路径无效: "a\x00" (path holds a NUL byte)`,
		"a.go/b/c.go": "",
	} {
		if err := p.SaveFile(name, []byte("new")); err == nil || want != "" && err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	huge := strings.Repeat("n", 10<<20)
	const want = "路径过长: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn… (path of 10485760 bytes is above the limit of 4096)"
	if err := p.SaveFile(huge, nil); err == nil || unwrapAll(err).Error() != want {
		t.Errorf("10 MB: %.200s", err)
	}
	var large *workspace.TooLargeError
	if err := p.SaveFile("big", make([]byte, workspace.MaxFileSize+1)); !errors.As(err, &large) {
		t.Errorf("5 MB of text: %v", err)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	must(t, p.SaveFile(`there\is`, []byte("new"))) // it was there before
	must(t, p.SaveFile("a.go", []byte("new")))
	must(t, p.SaveFile("new/b.go", []byte("new")))
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
		t.Errorf("%v %v", entries, err)
	}
}
