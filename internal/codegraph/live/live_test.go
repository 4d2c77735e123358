package live_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// bench is a project with a live index.
type bench struct {
	t       *testing.T
	dir     string
	project *project.Project
	store   store.Store
	live    *live.Indexes
	log     []string
	// unwatched is set if there are to be no events.
	unwatched bool
}

// newBench starts a live index of the project in a folder.
func newBench(t *testing.T, dir string, opts live.Options) *bench {
	t.Helper()
	isolateGit(t)
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	must(t, err)
	p, err := project.Open(dir)
	must(t, err)
	b := &bench{t: t, dir: p.Root(), project: p, store: s, live: live.New(s, opts)}
	t.Cleanup(func() {
		b.live.Close()
		must(t, s.Close())
		must(t, p.Close())
	})
	return b
}

// isolateGit lets git and the listing read no configuration of this machine.
func isolateGit(t *testing.T) {
	t.Helper()
	if os.Getenv("HOME_OF_TEST") != "" {
		return
	}
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM": "1", "HOME_OF_TEST": home,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
	} {
		t.Setenv(name, value)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open asks for the graph.
func (b *bench) open() *explore.Graph {
	b.t.Helper()
	g, err := b.live.Open(b.t.Context(), b.project, explore.Options{})
	if err != nil {
		b.t.Fatalf("after %q: %v", b.log, err)
	}
	if g.Index.Stale {
		b.t.Fatalf("after %q: stale: %s", b.log, g.Index.Why)
	}
	return g
}

// watched waits until the project is watched and everything is indexed.
func (b *bench) watched() live.Status {
	b.t.Helper()
	must(b.t, b.open().Close())
	if b.unwatched {
		return b.live.Status()[0]
	}
	for range 2000 {
		if s := b.live.Status(); len(s) == 1 && s[0].Events && !s[0].All && s[0].Pending == 0 && !s[0].Swept.IsZero() {
			return s[0]
		} else if len(s) == 1 && s[0].Why != "" {
			b.t.Skipf("no events here: %s", s[0].Why)
		}
		time.Sleep(5 * time.Millisecond)
	}
	b.t.Fatalf("it is not watched: %+v", b.live.Status())
	return live.Status{}
}

// check compares the answers with those of a new index.
func (b *bench) check() {
	b.t.Helper()
	g := b.open()
	defer func() { must(b.t, g.Close()) }()
	got := dump(b.t.Context(), b.t, g.Stored())
	counts, err := g.Reader().Counts(b.t.Context())
	must(b.t, err)
	s, err := sqlite.Open(sqlite.Options{Home: b.t.TempDir()})
	must(b.t, err)
	defer func() { must(b.t, s.Close()) }()
	_, err = index.Run(b.t.Context(), b.project, s, index.Options{})
	must(b.t, err)
	fresh, err := explore.Open(b.t.Context(), b.project, s, explore.Options{})
	must(b.t, err)
	defer func() { must(b.t, fresh.Close()) }()
	want, err := fresh.Reader().Counts(b.t.Context())
	must(b.t, err)
	if diff := cmp.Diff(dump(b.t.Context(), b.t, fresh.Stored()), got); diff != "" {
		b.t.Fatalf("after\n%s\n%+v\nthe live graph is not that of the files (-files +live):\n%s", strings.Join(b.log, "\n"), b.live.Status(), diff)
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		b.t.Fatalf("after\n%s\nthe graph that answers is not the stored one:\n%s", strings.Join(b.log, "\n"), diff)
	}
}

// dump is a stored graph without its ids, sorted.
func dump(ctx context.Context, t *testing.T, g store.Graph) []string {
	t.Helper()
	names := map[any]string{}
	var out []string
	must(t, g.All(ctx, nil, func(n store.Node) error {
		names[n.ID] = string(n.Label) + " " + n.QualifiedName
		n.ID, n.File = 0, 0
		out = append(out, fmt.Sprintf("%+v", n))
		return nil
	}, func(e store.Edge) error {
		from, to := names[e.From], names[e.To]
		e.From, e.To, e.File = 0, 0, 0
		out = append(out, fmt.Sprintf("%s -> %s %+v", from, to, e))
		return nil
	}))
	slices.Sort(out)
	return out
}

// did notes what was done.
func (b *bench) did(format string, args ...any) { b.log = append(b.log, fmt.Sprintf(format, args...)) }

func (b *bench) write(name, text string) {
	b.t.Helper()
	b.did("write %s", name)
	must(b.t, os.MkdirAll(filepath.Dir(filepath.Join(b.dir, name)), 0o755))
	must(b.t, os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o644))
}

func (b *bench) rename(from, to string) {
	b.t.Helper()
	b.did("rename %s to %s", from, to)
	must(b.t, os.MkdirAll(filepath.Dir(filepath.Join(b.dir, to)), 0o755))
	must(b.t, os.Rename(filepath.Join(b.dir, from), filepath.Join(b.dir, to)))
}

func (b *bench) remove(name string) {
	b.t.Helper()
	b.did("remove %s", name)
	must(b.t, os.RemoveAll(filepath.Join(b.dir, name)))
}

func (b *bench) git(args ...string) {
	b.t.Helper()
	b.did("git %s", strings.Join(args, " "))
	out, err := exec.CommandContext(b.t.Context(), "git", append([]string{"-C", b.dir}, args...)...).CombinedOutput()
	if err != nil {
		b.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// goFile is a source with a function that calls another.
func goFile(pkg, name, calls string) string {
	if calls != "" {
		calls += "()"
	}
	return fmt.Sprintf("package %s\n\nfunc %s() { %s }\n", pkg, name, calls)
}

// TestEveryChangeIsSeen makes changes of all kinds, each followed by a question at once.
func TestEveryChangeIsSeen(t *testing.T) { changes(t, live.Options{Still: 20 * time.Millisecond}) }

// TestEveryChangeIsSeenWithoutEvents does so where each question compares the files.
func TestEveryChangeIsSeenWithoutEvents(t *testing.T) { changes(t, live.Options{NoEvents: true}) }

func changes(t *testing.T, opts live.Options) {
	t.Helper()
	isolateGit(t)
	dir := t.TempDir()
	b := newBench(t, dir, opts)
	b.unwatched = opts.NoEvents
	b.write("a.go", goFile("p", "A", "B"))
	b.write("b.go", goFile("p", "B", ""))
	b.write("sub/deep/c.go", goFile("deep", "C", ""))
	b.write("go.mod", "module example.com/one\n")
	b.git("init", "-q", "-b", "main")
	b.git("add", "-A")
	b.git("commit", "-qm", "one")
	b.watched()
	steps := []struct {
		name string
		do   func()
	}{
		{"an edit", func() { b.write("a.go", goFile("p", "A", "")) }},
		{"an edit of the same size", func() { b.write("a.go", goFile("p", "X", "")) }},
		{"a new file", func() { b.write("d.go", goFile("p", "D", "B")) }},
		{"a file replaced by a rename", func() { b.write("d.go.tmp", goFile("p", "E", "B")); b.rename("d.go.tmp", "d.go") }},
		{"a renamed file", func() { b.rename("d.go", "e.go") }},
		{"a removed file", func() { b.remove("e.go") }},
		{"a removed file again", func() { b.write("e.go", goFile("p", "E", "")) }},
		{"folders with files", func() { b.write("x/y/z/f.go", goFile("z", "F", "")); b.write("x/y/g.go", goFile("y", "G", "")) }},
		{"an edit in a new folder", func() { b.write("x/y/z/f.go", goFile("z", "F2", "")) }},
		{"a renamed folder", func() { b.rename("x/y", "x/w") }},
		{"an edit in a renamed folder", func() { b.write("x/w/z/f.go", goFile("z", "F3", "")) }},
		{"a folder under the old name", func() { b.write("x/y/z/f.go", goFile("z", "F4", "")) }},
		{"an edit in both", func() {
			b.write("x/y/z/f.go", goFile("z", "F5", ""))
			b.write("x/w/z/f.go", goFile("z", "F6", ""))
		}},
		{"a folder moved out and in", func() {
			out := filepath.Join(t.TempDir(), "out")
			must(t, os.Rename(filepath.Join(dir, "x"), out))
			must(t, os.WriteFile(filepath.Join(out, "w", "z", "f.go"), []byte(goFile("z", "F7", "")), 0o644))
			must(t, os.Rename(out, filepath.Join(dir, "x")))
			b.did("moved x out and in")
		}},
		{"an edit there", func() { b.write("x/w/z/f.go", goFile("z", "F8", "")) }},
		{"a removed folder", func() { b.remove("x") }},
		{"a folder for a file", func() { b.remove("e.go"); b.write("e.go/f.go", goFile("f", "F", "")) }},
		{"a file for a folder", func() { b.remove("e.go"); b.write("e.go", goFile("p", "E", "")) }},
		{"a manifest", func() { b.write("go.mod", "module example.com/two\n") }},
		{"an import of it", func() {
			b.write("i.go", "package p\n\nimport \"example.com/two/sub/deep\"\n\nfunc I() { deep.C() }\n")
		}},
		{"an ignore file", func() { b.write(".gitignore", "i.go\nbuild/\n") }},
		{"an ignored folder", func() { b.write("build/i.go", goFile("build", "I", "")) }},
		{"an edit of an ignored file", func() { b.write("i.go", goFile("p", "I2", "")) }},
		{"an ignored file that is tracked", func() { b.git("add", "-f", "build/i.go") }},
		{"an edit of it", func() { b.write("build/i.go", goFile("build", "I3", "")) }},
		{"a file beside it", func() { b.write("build/j.go", goFile("build", "J", "")) }},
		{"an ignore file that is gone", func() { b.remove(".gitignore") }},
		{"an edit of what was ignored", func() { b.write("build/j.go", goFile("build", "J2", "")) }},
		{"an ignore file further down", func() { b.write("sub/.gitignore", "deep\n") }},
		{"it changes", func() { b.write("sub/.gitignore", "# nothing\n") }},
		{"an edit there", func() { b.write("sub/deep/c.go", goFile("deep", "C2", "")) }},
		{"git's own exclude file", func() { b.write(".git/info/exclude", "/d2.go\n") }},
		{"a file that it names", func() { b.write("d2.go", goFile("p", "D2", "")) }},
		{"the exclude file again", func() { b.write(".git/info/exclude", "\n") }},
		{"the user's ignore file", func() {
			file := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "git", "ignore")
			must(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must(t, os.WriteFile(file, []byte("d2.go\n"), 0o644))
			b.did("the user ignores d2.go")
		}},
		{"the user's configuration", func() {
			must(t, os.WriteFile(filepath.Join(os.Getenv("HOME"), ".gitconfig"), []byte("[core]\n\texcludesFile = /dev/null\n"), 0o644))
			b.did("the user ignores nothing")
		}},
		{"our own ignore file", func() { b.write(project.IgnoreFile, "d2.go\n") }},
		{"a new file that it names", func() { b.write(project.IgnoreFile, "d2.go\nd3.go\n"); b.write("d3.go", goFile("p", "D3", "")) }},
		{"our own ignore file is gone", func() { b.remove(project.IgnoreFile) }},
		{"third-party code", func() { b.write(".gitattributes", "d3.go linguist-vendored\n") }},
		{"it is not", func() { b.write(".gitattributes", "\n") }},
		{"a data file", func() { b.write("data/some.bin", "\x00\x01") }},
		{"the data changes", func() { b.write("data/some.bin", "\x00\x01\x02") }},
		{"a link", func() { must(t, os.Symlink("a.go", filepath.Join(dir, "l.go"))); b.did("link l.go") }},
		{"a file for a link", func() { b.remove("l.go"); b.write("l.go", goFile("p", "L", "")) }},
		{"a link for a folder", func() {
			b.rename("sub", "sub2")
			must(t, os.Symlink("sub2", filepath.Join(dir, "sub")))
			b.did("link sub")
		}},
		{"a commit", func() { b.git("add", "-A"); b.git("commit", "-qm", "two") }},
		{"another branch", func() { b.git("checkout", "-q", "HEAD~1") }},
		{"and back", func() { b.git("checkout", "-q", "main") }},
		{"a stash", func() { b.write("a.go", goFile("p", "Stashed", "")); b.git("stash", "-q") }},
		{"taken back", func() { b.git("stash", "pop", "-q") }},
		{"a reset", func() { b.git("reset", "-q", "--hard") }},
		{"a rebase", func() {
			b.git("checkout", "-q", "-b", "side", "HEAD~1")
			b.write("side.go", goFile("p", "Side", "A"))
			b.git("add", "-A")
			b.git("commit", "-qm", "side")
			b.git("rebase", "-q", "main")
		}},
		{"another repository in a folder", func() {
			b.write("nested/n.go", goFile("nested", "N", ""))
			b.git("init", "-q", "nested")
		}},
		{"an edit in it", func() { b.write("nested/n.go", goFile("nested", "N2", "")) }},
		{"it is none any more", func() { b.remove("nested/.git") }},
		{"no repository", func() { b.remove(".git") }},
		{"an edit without one", func() { b.write("a.go", goFile("p", "A9", "B")) }},
		{"a new file without one", func() { b.write("q.go", goFile("p", "Q", "B")) }},
		{"node_modules without one", func() { b.write("node_modules/m.js", "function m() {}\n") }},
		{"a repository", func() { b.git("init", "-q"); b.git("add", "a.go") }},
		{"a file that cannot be read", func() {
			must(t, os.Chmod(filepath.Join(dir, "a.go"), 0))
			b.did("chmod 0 a.go")
		}},
		{"it can", func() {
			must(t, os.Chmod(filepath.Join(dir, "a.go"), 0o644))
			b.did("chmod 644 a.go")
		}},
	}
	for _, s := range steps {
		s.do()
		b.check()
		b.settleSometimes()
	}
	b.watched()
}

// settleSometimes waits for the watch in half of all cases: a change must be seen with and without one.
func (b *bench) settleSometimes() {
	if len(b.log)%2 == 0 {
		b.watched()
	}
}

// TestRandomEdits edits a real project at random, with questions in between and at the same time.
func TestRandomEdits(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/spf13/cobra").Output()
	must(t, err)
	isolateGit(t)
	rounds := 30
	if n, err := strconv.Atoi(os.Getenv("REVERSE_SPEC_SEQUENCES")); err == nil {
		rounds *= n
	}
	dir := t.TempDir()
	b := newBench(t, dir, live.Options{Still: 10 * time.Millisecond})
	copyTree(t, strings.TrimSpace(string(out)), dir)
	b.git("init", "-q", "-b", "main")
	b.git("add", "-A")
	b.git("commit", "-qm", "one")
	b.git("branch", "other")
	b.watched()
	r := rand.New(rand.NewPCG(27, 1))
	for range rounds {
		for range 1 + r.IntN(4) {
			b.edit(r)
		}
		time.Sleep(time.Duration(r.IntN(40)) * time.Millisecond) // the background may be at work, or not
		b.check()
		if r.IntN(3) == 0 {
			b.watched()
		}
	}
}

// edit makes one edit at random.
func (b *bench) edit(r *rand.Rand) {
	b.t.Helper()
	var files, folders []string
	must(b.t, filepath.WalkDir(b.dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(b.dir, name)
		switch {
		case err != nil || d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() && rel != ".":
			folders = append(folders, rel)
		case filepath.Ext(name) == ".go":
			files = append(files, rel)
		}
		return nil
	}))
	file := files[r.IntN(len(files))]
	folder := "."
	if len(folders) > 0 {
		folder = folders[r.IntN(len(folders))]
	}
	text, err := os.ReadFile(filepath.Join(b.dir, file))
	must(b.t, err)
	rows := strings.SplitAfter(string(text), "\n")
	at := r.IntN(len(rows))
	n := len(b.log)
	switch r.IntN(10) {
	case 0:
		b.write(file, strings.Join(slices.Delete(rows, at, min(at+1+r.IntN(20), len(rows))), ""))
	case 1, 2:
		b.write(file, string(text)+fmt.Sprintf("\nfunc added%d() { Execute() }\n", n))
	case 3:
		b.write(filepath.Join(folder, fmt.Sprintf("new%d.go", n)), goFile("cobra", fmt.Sprintf("New%d", n), "added"))
	case 4:
		if len(files) > 5 {
			b.remove(file)
		}
	case 5:
		b.rename(file, filepath.Join(folder, fmt.Sprintf("moved%d.go", n)))
	case 6:
		if folder != "." {
			b.rename(folder, fmt.Sprintf("folder%d", n))
		}
	case 7:
		b.write(fmt.Sprintf("some%d/more/file.go", n), goFile("more", fmt.Sprintf("More%d", n), ""))
	case 8:
		b.git("add", "-A")
		b.git("commit", "-q", "--allow-empty", "-m", "more")
		b.git("checkout", "-q", []string{"main", "other"}[r.IntN(2)])
	case 9:
		b.git("reset", "-q", "--hard", "HEAD")
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.CopyFS(to, os.DirFS(from)))
	must(t, filepath.WalkDir(to, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if d.IsDir() {
			mode = 0o755
		}
		return os.Chmod(name, mode)
	}))
}

// TestOtherPlacesOfARepository has a project that is a folder of a work tree which is not the repository's first one: what
// says what is tracked and ignored lies elsewhere.
func TestOtherPlacesOfARepository(t *testing.T) {
	isolateGit(t)
	top := t.TempDir()
	first := &bench{t: t, dir: filepath.Join(top, "first")}
	first.write("sub/a.go", goFile("sub", "A", ""))
	first.write("other.go", goFile("p", "O", ""))
	first.git("init", "-q", "-b", "main")
	first.git("add", "-A")
	first.git("commit", "-qm", "one")
	first.write("sub/b.go", goFile("sub", "B", "A"))
	first.git("add", "-A")
	first.git("commit", "-qm", "two")
	first.git("worktree", "add", "-q", "--detach", "../second", "HEAD~1")
	b := newBench(t, filepath.Join(top, "second", "sub"), live.Options{Still: 20 * time.Millisecond})
	b.watched()
	for _, do := range []func(){
		func() { b.git("checkout", "-q", "main~0") },
		func() { b.write("c.go", goFile("sub", "C", "A")) },
		func() { b.write("d.go", goFile("sub", "D", "A")) },
		func() { first.write("../second/.gitignore", "c.go\n") },
		func() { first.write(".git/info/exclude", "d.go\n") },
		func() { b.git("add", "-f", "d.go") },
		func() { b.write("d.go", goFile("sub", "D2", "A")) },
		func() { b.git("rm", "-q", "-f", "--cached", "d.go") },
		func() { first.write(".git/info/exclude", "\n") },
		func() { first.write("../second/.gitignore", "\n") },
		func() { first.git("config", "core.excludesFile", filepath.Join(top, "mine")) },
		func() { first.write("../mine", "c.go\n") },
		func() { b.git("reset", "-q", "--hard", "HEAD~1") },
		func() { first.write("../second/.gitignore", "sub\n"); b.unwatched = true }, // all rules are its own now
		func() { b.write("c.go", goFile("sub", "C3", "A")) },
		func() { b.write("e.go", goFile("sub", "E", "A")) },
		func() { b.write("a.go", goFile("sub", "A2", "C3")) },
	} {
		do()
		b.check()
		b.settleSometimes()
	}
}
