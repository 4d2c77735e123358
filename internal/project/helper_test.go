package project_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// folder makes a folder with these files, free of the user's own git settings.
// A name that ends with "/" is an empty folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	isolate(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, files)
	return dir
}

func isolate(t testing.TB) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
	t.Setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
}

func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(file, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(files[name]), 0o644))
	}
}

// repository makes a folder with these files a git repository; nothing is
// tracked yet.
func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := folder(t, files)
	git(t, dir, "init", "-q", "-b", "main")
	return dir
}

// commit commits all that is not ignored and returns the commit's id.
func commit(t testing.TB, dir, message string) string {
	t.Helper()
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", message)
	return strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
}

// git runs git, and skips the test if git is not installed.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	bin, err := exec.LookPath("git")
	if err != nil {
		t.Skip("skipped: git is not installed")
	}
	args = append([]string{
		"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org",
		"-c", "protocol.file.allow=always", "-c", "commit.gpgsign=false",
	}, args...)
	cmd := exec.Command(bin, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// withoutGit hides the git command from what follows in the test.
func withoutGit(t testing.TB) {
	t.Helper()
	t.Setenv("PATH", t.TempDir())
}

func open(t testing.TB, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, p.Close()) })
	return p
}

func list(t testing.TB, p *project.Project, target string) *project.Listing {
	t.Helper()
	l, err := p.List(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Files {
		l.Files[i].ModTime = time.Time{} // not what is tested
		l.Files[i].Inode, l.Files[i].Changed = 0, 0
	}
	return l
}

// paths returns the listed paths.
func paths(l *project.Listing) []string {
	names := []string{}
	for _, f := range l.Files {
		names = append(names, f.Path)
	}
	return names
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// symlink makes a link, and skips the test if that is not allowed.
func symlink(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("skipped: no symbolic links here: %v", err)
	}
}
