package shared_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// git runs git in a folder. Commits are made at the given minute.
func git(t *testing.T, dir string, minute int, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"}, args...)...)
	at := time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC).Format(time.RFC3339)
	c.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes a Go file and commits it.
func commit(t *testing.T, dir, file, text string, minute int) string {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755), os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	git(t, dir, minute, "add", ".")
	git(t, dir, minute, "commit", "-qm", file)
	return git(t, dir, minute, "rev-parse", "HEAD")
}

// repository makes a repository with a remote and one commit.
func repository(t *testing.T, remote string) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, 0, "init", "-q")
	if remote != "" {
		git(t, dir, 0, "remote", "add", "origin", remote)
	}
	commit(t, dir, "go.mod", "module shop\n", 0)
	return dir
}

func openAt(t *testing.T, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	check(t, err)
	t.Cleanup(func() { check(t, p.Close()) })
	return p
}

func openStore(t *testing.T, address string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(address, postgres.Options{Cache: t.TempDir()})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

func none(string) string { return "" }

func push(t *testing.T, s store.Shared, dir string, opts shared.PushOptions) (*shared.Pushed, error) {
	t.Helper()
	opts.Getenv = none
	opts.Index.Wait = time.Minute
	return shared.Push(t.Context(), openAt(t, dir), s, opts)
}

// functions returns the names of the functions in the shared graph of a project.
func functions(ctx context.Context, s store.Shared, name string) (names string, err error) {
	p, err := s.Find(ctx, name)
	if err != nil {
		return "", err
	}
	g, err := explore.OpenShared(ctx, s, p)
	if err != nil {
		return "", err
	}
	err = g.Stored().All(ctx, nil, func(n store.Node) error {
		if n.Label == "Function" {
			names += n.Name + " "
		}
		return nil
	}, nil)
	return strings.TrimSpace(names), errors.Join(err, g.Close())
}

func wantFunctions(t *testing.T, s store.Shared, name, want string) {
	t.Helper()
	got, err := functions(t.Context(), s, name)
	check(t, err)
	if got != want {
		t.Errorf("functions %q, want %q", got, want)
	}
}

func TestKeys(t *testing.T) {
	for remote, want := range map[string]string{
		"https://github.com/org/shop":                "https://github.com/org/shop",
		"https://user:token@GitHub.com/org/shop.git": "https://github.com/org/shop",
		"http://github.com:80/org/shop/":             "https://github.com/org/shop",
		"git@github.com:org/shop.git":                "https://github.com/org/shop",
		"github.com:org/shop":                        "https://github.com/org/shop",
		"ssh://git@github.com:22/org/shop.git":       "https://github.com/org/shop",
		"git://git.example.org/shop.git":             "https://git.example.org/shop",
		"https://git.example.org:8443/a/b/shop.git":  "https://git.example.org:8443/a/b/shop",
		"git@host:~me/shop":                          "https://host/~me/shop",
		"/srv/git/shop.git":                          "file:///srv/git/shop.git",
		"file:///srv/git/shop.git/":                  "file:///srv/git/shop.git",
		"../shop":                                    "file://../shop",
	} {
		dir := repository(t, remote)
		o, err := shared.OriginOf(t.Context(), openAt(t, dir), "", none)
		check(t, err)
		if o.Key != want || o.Branch != "main" || len(o.Commit) != 40 || o.Committed.Year() != 2026 {
			t.Errorf("%s: %+v, want %s", remote, o, want)
		}
	}
}

func TestNamesOfProjects(t *testing.T) {
	dir := repository(t, "https://github.com/org/mono")
	commit(t, dir, "services/shop/main.go", "package main\n", 1)
	o, err := shared.OriginOf(t.Context(), openAt(t, filepath.Join(dir, "services", "shop")), "", none)
	check(t, err)
	if o.Key != "https://github.com/org/mono#services/shop" || o.Name != "shop" {
		t.Errorf("a folder: %+v", o)
	}
	if o, err = shared.OriginOf(t.Context(), openAt(t, dir), "team/shop", none); err != nil || o.Key != "project://team/shop" || o.Name != "shop" {
		t.Errorf("a given name: %+v, %v", o, err)
	}
	git(t, dir, 2, "checkout", "-q", "--detach")
	ci := map[string]string{"GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "trunk"}
	if o, err = shared.OriginOf(t.Context(), openAt(t, dir), "", func(n string) string { return ci[n] }); err != nil || o.Branch != "trunk" {
		t.Errorf("in CI: %+v, %v", o, err)
	}
	if _, err = shared.OriginOf(t.Context(), openAt(t, repository(t, "")), "", none); err == nil || !strings.Contains(err.Error(), "--name") {
		t.Errorf("without a remote: %v", err)
	}
	if _, err = shared.OriginOf(t.Context(), openAt(t, t.TempDir()), "", none); err == nil {
		t.Error("without a repository")
	}
}

// The same repository in two folders, as on two machines, is one project.
func TestPushes(t *testing.T) {
	s := openStore(t, pgserver.Start(t).Database())
	one := repository(t, "git@github.com:org/shop.git")
	first := commit(t, one, "a.go", "package shop\n\nfunc A() { B() }\n\nfunc B() {}\n", 1)
	done, err := push(t, s, one, shared.PushOptions{})
	check(t, err)
	if done.Mode != index.Full || done.Commit != first || done.Key != "https://github.com/org/shop" {
		t.Errorf("%+v", done)
	}
	wantFunctions(t, s, "shop", "A B")

	two := filepath.Join(t.TempDir(), "other-name")
	git(t, one, 1, "clone", "-q", one, two)
	git(t, two, 1, "remote", "set-url", "origin", "https://x:token@github.com/org/shop")
	second := commit(t, two, "a.go", "package shop\n\nfunc A() {}\n\nfunc C() {}\n", 2)
	done, err = push(t, s, two, shared.PushOptions{})
	check(t, err)
	if done.Mode != index.Incremental || done.Parsed != 1 {
		t.Errorf("%+v", done.Summary)
	}
	wantFunctions(t, s, "https://github.com/org/shop", "A C")

	// The first folder is behind: git does not know the other commit there, the times do.
	done, err = push(t, s, one, shared.PushOptions{})
	check(t, err)
	if done.Newer != second || done.Summary != nil {
		t.Errorf("an older commit: %+v", done)
	}
	wantFunctions(t, s, "shop", "A C")
	git(t, one, 2, "fetch", "-q", two, "main")
	if done, err = push(t, s, one, shared.PushOptions{}); err != nil || done.Newer != second {
		t.Errorf("an older commit, known to git: %+v, %v", done, err)
	}
	_, err = push(t, s, one, shared.PushOptions{Replace: true})
	check(t, err)
	wantFunctions(t, s, "shop", "A B")

	// A commit that changes nothing of the graph is recorded.
	third := commit(t, two, "notes.txt", "x", 3)
	_, err = push(t, s, two, shared.PushOptions{})
	check(t, err)
	fourth := commit(t, two, "notes.txt", "y", 4)
	done, err = push(t, s, two, shared.PushOptions{})
	check(t, err)
	p, err := s.Find(t.Context(), "shop")
	check(t, err)
	if done.Mode != index.Unchanged || p.Origin.Commit != fourth || p.Origin.Commit == third || p.Origin.Branch != "main" || p.Pushed.IsZero() {
		t.Errorf("%+v, %+v", done.Summary, p)
	}
	projects, err := s.Projects(t.Context())
	check(t, err)
	if len(projects) != 1 || projects[0].Name != "shop" || projects[0].Root != "https://github.com/org/shop" {
		t.Errorf("%+v", projects)
	}
}

func TestRefusedPushes(t *testing.T) {
	s := openStore(t, pgserver.Start(t).Database())
	dir := repository(t, "https://github.com/org/shop")
	commit(t, dir, "a.go", "package shop\n\nfunc A() {}\n", 1)
	_, err := push(t, s, dir, shared.PushOptions{})
	check(t, err)

	check(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package shop\n\nfunc Unfinished() {}\n"), 0o600), os.WriteFile(filepath.Join(dir, "b.go"), []byte("package shop\n"), 0o600))
	_, err = push(t, s, dir, shared.PushOptions{})
	changed := (*shared.UncommittedError)(nil)
	if !errors.As(err, &changed) || cmp.Diff([]string{"a.go", "b.go"}, changed.Files) != "" {
		t.Errorf("error %v", err)
	}
	git(t, dir, 2, "checkout", "-q", "-b", "feature")
	commit(t, dir, "a.go", "package shop\n\nfunc Feature() {}\n", 2)
	_, err = push(t, s, dir, shared.PushOptions{})
	if other := (*shared.BranchError)(nil); !errors.As(err, &other) || other.Stored != "main" || other.Pushed != "feature" {
		t.Errorf("error %v", err)
	}
	wantFunctions(t, s, "shop", "A")
	_, err = push(t, s, dir, shared.PushOptions{Name: "feature"})
	check(t, err)
	wantFunctions(t, s, "feature", "Feature")
	_, err = push(t, s, dir, shared.PushOptions{Replace: true})
	check(t, err)
	wantFunctions(t, s, "shop", "Feature")
	if _, err := s.Find(t.Context(), "nothing"); !errors.Is(err, store.ErrNone) {
		t.Errorf("error %v", err)
	}
}

// CI jobs of several commits push at the same time, in any order: the newest commit is what is there at the end, and
// readers see one of the commits at any time.
func TestPushesAtTheSameTime(t *testing.T) {
	address := pgserver.Start(t).Database()
	origin := repository(t, "https://github.com/org/shop")
	var clones []string
	last := ""
	for i := range 5 {
		name := string(rune('A' + i))
		last = "Only" + name
		commit(t, origin, "a.go", "package shop\n\nfunc "+last+"() {}\n", i+1)
		clone := filepath.Join(t.TempDir(), "clone")
		git(t, origin, 0, "clone", "-q", "--depth", "1", "file://"+origin, clone)
		git(t, clone, 0, "remote", "set-url", "origin", "https://github.com/org/shop")
		clones = append(clones, clone)
	}
	s := openStore(t, address)
	_, err := push(t, s, clones[2], shared.PushOptions{})
	check(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var readers, writers sync.WaitGroup
	readers.Go(func() {
		for ctx.Err() == nil {
			names, err := functions(ctx, s, "shop")
			if ctx.Err() == nil && (err != nil || !strings.HasPrefix(names, "Only") || strings.Contains(names, " ")) {
				t.Errorf("%q, %v", names, err)
				return
			}
		}
	})
	for _, clone := range []string{clones[4], clones[0], clones[3], clones[1], clones[4]} {
		own := openStore(t, address) // of another process
		writers.Go(func() {
			if _, err := push(t, own, clone, shared.PushOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	stop()
	readers.Wait()
	wantFunctions(t, s, "shop", last)
}

// What is written and the commit that it is of are written together: a push that is interrupted after that leaves no graph
// under the name of another commit.
func TestCommitsAreWrittenWithTheirGraphs(t *testing.T) {
	s, root := openStore(t, pgserver.Start(t).Database()), t.TempDir()
	of := func(commit string) (store.Store, func() error) {
		to := s.For(store.Origin{Key: "project://shop", Name: "shop", Branch: "main", Commit: commit}, nil)
		release, err := to.Lock(t.Context(), root)
		check(t, err)
		return to, release
	}
	want := func(commit string) {
		t.Helper()
		p, err := s.Find(t.Context(), "shop")
		check(t, err)
		if p.Origin.Commit != commit || p.Origin.Branch != "main" {
			t.Errorf("%+v, want %s", p.Origin, commit)
		}
	}
	to, release := of("one")
	b, err := to.Build(t.Context(), root)
	check(t, err, b.Commit(t.Context(), store.State{}))
	want("one")
	check(t, release())

	to, release = of("two")
	g, err := to.Open(t.Context(), root)
	check(t, err, g.Update(t.Context(), store.Update{}), g.Close())
	want("two")
	b, err = to.Build(t.Context(), root)
	check(t, err, b.Discard(), release())
	want("two")
	if err := s.Record(t.Context(), store.Origin{Key: "project://shop", Commit: "three"}); !errors.Is(err, store.ErrNotLocked) {
		t.Errorf("error %v", err)
	}
}
