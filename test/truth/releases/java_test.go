package releases_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// corpus has small changes of Java libraries, each in a package of its own, and says of each whether a client of it still
// compiles and still runs (Dietrich, Jezek and Brada; Jezek and Dietrich, "API evolution and compatibility").
const (
	corpus       = "kjezek+api-evolution-data-corpus"
	corpusCommit = "407398eb0a512a94ab3637de04f5074333743ad5"
)

// TestJavaNextToItsClients compares with what happens to clients: a change breaks if they no longer compile or run.
func TestJavaNextToItsClients(t *testing.T) {
	git := gitFolder(t, corpus, corpusCommit)
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q")
	export(t, git, corpusCommit, dir, "lib-v1")
	rename(t, filepath.Join(dir, "lib-v1"), filepath.Join(dir, "lib"))
	run(t, dir, "git", "add", "-A", "-f")
	commit(t, dir)
	run(t, dir, "git", "rm", "-rqf", ".")
	export(t, git, corpusCommit, dir, "lib-v2")
	rename(t, filepath.Join(dir, "lib-v2"), filepath.Join(dir, "lib"))

	broken, said := map[string]bool{}, map[string]string{}
	inCase := regexp.MustCompile(`testing_lib/(\w+)`)
	for _, i := range diff(t, dir) {
		m := inCase.FindStringSubmatch(i.Location + " " + i.Symbol)
		if m != nil && i.Breaking {
			broken[m[1]] = true
			said[m[1]] += "; " + i.Description
		}
	}
	var s score
	for _, row := range outcomes(t, git) {
		name, breaks := row[0], row[1] == "0" || row[2] == "0"
		if breaks {
			s.truth++
		}
		if broken[name] {
			s.items++
		}
		switch {
		case breaks && broken[name]:
			s.found, s.right = s.found+1, s.right+1
		case breaks != broken[name]:
			t.Logf("  %s: clients compile: %s, run: %s; breaking here: %v %s", name, row[1], row[2], broken[name], said[name])
		}
	}
	t.Logf("table: | Java | breaking changes | items | precision | recall | F1 |")
	t.Logf("table: %s", s.row("all cases"))
	if s.f1() < 0.96 {
		t.Errorf("Java: F1 %.3f is below the goal of 0.96", s.f1())
	}
}

// outcomes returns, for each case, its name and whether clients compile and run: "1" or "0".
func outcomes(t *testing.T, git string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(run(t, ".", "git", "--git-dir="+git, "show", corpusCommit+":compatibility.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// gitFolder returns the git folder of a repository in the cache that has a commit, or skips the test.
func gitFolder(t *testing.T, name, commit string) string {
	t.Helper()
	for _, dir := range []string{"repo", filepath.Join("repo", ".git")} {
		git := filepath.Join(cache(t), name, dir)
		if _, err := try(t, ".", "git", "--git-dir="+git, "cat-file", "-e", commit+"^{commit}"); err == nil {
			return git
		}
	}
	t.Skipf("%s was not fetched", name)
	return ""
}

// export writes a folder of a commit.
func export(t *testing.T, git, commit, to, folder string) {
	t.Helper()
	archive := filepath.Join(t.TempDir(), "files.tar")
	run(t, ".", "git", "--git-dir="+git, "archive", "-o", archive, commit, folder)
	run(t, to, "tar", "xf", archive)
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
