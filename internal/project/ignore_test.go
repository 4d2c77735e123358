package project_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestIgnoreRules lists each archive by git, and again by our own rules. Files
// under home/ are the user's.
func TestIgnoreRules(t *testing.T) {
	golden.Archives(t, "ignore", func(t *testing.T, files map[string][]byte) string {
		dir := repository(t, nil)
		for name, text := range files {
			base := dir
			if below, ok := strings.CutPrefix(name, "home/"); ok {
				base, name = os.Getenv("HOME"), below
			}
			put(t, base, map[string]string{name: string(text)})
		}
		p := open(t, dir)
		byGit := paths(list(t, p, "."))
		withoutGit(t)
		if diff := cmp.Diff(byGit, paths(list(t, p, "."))); diff != "" {
			t.Errorf("our rules differ from git's (-git +ours):\n%s", diff)
		}
		return strings.Join(byGit, "\n") + "\n"
	})
}

func TestWindowsLineEndsAndByteOrderMarkInRules(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "\ufeffa.go\r\nb.go\r\n\r\n# c\r\nd.go \r\n", "a.go": "", "b.go": "", "c.go": "", "d.go": "", "sub/a.go": "",
	})
	p := open(t, dir)
	byGit := paths(list(t, p, "."))
	withoutGit(t)
	ours := paths(list(t, p, "."))
	if diff := cmp.Diff(byGit, ours); diff != "" {
		t.Errorf("-git +ours:\n%s", diff)
	}
	if diff := cmp.Diff([]string{".gitignore", "c.go"}, byGit); diff != "" {
		t.Errorf("-want +git:\n%s", diff)
	}
}

func TestAnIgnoreFileThatIsALinkIsNotFollowed(t *testing.T) {
	dir := repository(t, map[string]string{"rules": "*.go\n", "a.go": "", "sub/.gitignore/x": ""})
	symlink(t, "rules", filepath.Join(dir, ".gitignore"))
	p := open(t, dir)
	byGit := list(t, p, ".")
	withoutGit(t)
	ours := list(t, p, ".")
	byGit.Warnings, ours.Warnings = nil, nil
	if diff := cmp.Diff(byGit, ours); diff != "" {
		t.Errorf("-git +ours:\n%s", diff)
	}
}

// TestWalkIsWhatGitLists compares the two on random trees with random rules at
// every level.
func TestWalkIsWhatGitLists(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	hidden := 0
	for i := range 15 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			files := map[string]string{}
			for range 60 {
				files[randomPath(r)+"/f"+fmt.Sprint(r.IntN(3))] = ""
			}
			folders := []string{""}
			for name := range files {
				folders = append(folders, filepath.ToSlash(filepath.Dir(name))+"/")
			}
			dir := repository(t, files)
			rules := func() string {
				var b strings.Builder
				for range r.IntN(4) {
					b.WriteString(randomLine(r) + "\n")
				}
				return b.String()
			}
			for range 6 {
				put(t, dir, map[string]string{folders[r.IntN(len(folders))] + ".gitignore": rules()})
			}
			put(t, dir, map[string]string{".git/info/exclude": rules()})
			put(t, os.Getenv("HOME"), map[string]string{".config/git/ignore": rules()})
			p := open(t, dir)
			byGit := list(t, p, ".")
			withoutGit(t)
			ours := list(t, p, ".")
			hidden += len(files) - len(byGit.Files)
			if len(ours.Warnings) != 1 || !strings.Contains(ours.Warnings[0], "git is not installed") {
				t.Errorf("warnings: %q", ours.Warnings)
			}
			ours.Warnings = nil
			if diff := cmp.Diff(byGit, ours); diff != "" {
				t.Errorf("-git +ours:\n%s", diff)
			}
		})
	}
	if !t.Failed() && !t.Skipped() && hidden < 20 {
		t.Errorf("the rules hid %d files only: the cases are no good", hidden)
	}
}
