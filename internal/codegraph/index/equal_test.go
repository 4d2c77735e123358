package index_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// sequences is how many random sequences of edits are tried on each project; the
// environment can ask for more.
func sequences() int {
	n, err := strconv.Atoi(os.Getenv("REVERSE_SPEC_SEQUENCES"))
	if err != nil {
		n = 8
	}
	if testing.Short() {
		n = 2
	}
	return n
}

// TestIncrementalIsAFullBuild edits real projects at random (text put in and taken
// out, files deleted, renamed, moved, taken back), indexes after each edit, and
// compares what is stored then with what a full build stores.
func TestIncrementalIsAFullBuild(t *testing.T) {
	for name, dir := range projects(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range sequences() {
				t.Run(strconv.Itoa(seed), func(t *testing.T) { sequence(t, dir, uint64(seed), false) })
			}
		})
	}
}

// projects are folders of real code on any machine that can build this program, and
// more where the environment names them (a list of folders).
func projects(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, module := range []string{"github.com/spf13/cobra", "github.com/spf13/pflag"} {
		dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(module)] = strings.TrimSpace(string(dir))
	}
	for _, dir := range filepath.SplitList(os.Getenv("REVERSE_SPEC_PROJECTS")) {
		out[filepath.Base(dir)] = dir
	}
	for _, dir := range []string{"/usr/lib/python3.11/email", "/usr/lib/python3.12/email", "/usr/lib/python3/email"} {
		if _, err := os.Stat(dir); err == nil {
			out["python"] = dir
		}
	}
	return out
}

// sequence makes a few edits to a copy of a project, where asked with an index of a
// made-up compiler.
func sequence(t *testing.T, from string, seed uint64, told bool) {
	dir := t.TempDir()
	copyTree(t, from, dir)
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	opts := index.Options{Version: "test"}
	run := func(force bool) *index.Summary {
		t.Helper()
		p, err := project.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		opts.Force = force
		sum, err := index.Run(t.Context(), p, s, opts)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	e := &editor{t: t, dir: dir, from: from, rand: rand.New(rand.NewPCG(seed, 1))}
	if told {
		e.index = filepath.Join(t.TempDir(), "index.scip")
		if err := os.WriteFile(e.index, madeUp(t, dir, e.sources()), 0o600); err != nil {
			t.Fatal(err)
		}
		opts.Scip = []string{e.index}
	}
	run(false)
	withGraph(t, s, dir, func(g store.Graph) {
		if _, err := os.Stat(g.Derived()); err != nil { // the run made it
			t.Fatal(err)
		}
		snapshotIsOfAll(t, g)
	})
	opts.Scip = nil
	for range 6 {
		done := e.edit() + e.redate()
		if sum := run(false); sum.Mode == index.Full {
			t.Fatalf("after %s: the whole graph was built: %s", done, sum.Why)
		}
		withGraph(t, s, dir, func(g store.Graph) {
			snap, err := snapshot.Load(t.Context(), g) // made from that of the step before
			if err == nil {
				err = snap.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	withGraph(t, s, dir, func(g store.Graph) { snapshotIsOfAll(t, g) })
	got := dump(t, s, dir)
	run(true)
	if diff := cmp.Diff(dump(t, s, dir), got); diff != "" {
		t.Errorf("after\n%s\nthe stored graph is not that of a full build (-full +incremental):\n%s", strings.Join(e.log, "\n"), diff)
	}
}

// withGraph opens the graph of a project.
func withGraph(t *testing.T, s store.Store, dir string, f func(g store.Graph)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	f(g)
}

// snapshotIsOfAll compares the snapshot of a graph, which is made from that of the state before, with one that is made of the whole graph.
func snapshotIsOfAll(t *testing.T, g store.Graph) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	state, err := g.State(ctx)
	must(err)
	path := filepath.Join(t.TempDir(), "whole.snap")
	must(snapshot.Write(ctx, path, g))
	answers := func(snap *snapshot.Snapshot, err error) (out []string) {
		t.Helper()
		must(err)
		defer snap.Close()
		ids, err1 := snap.Labelled(ctx)
		nodes, err2 := snap.Nodes(ctx, ids)
		edges, err3 := snap.Expand(ctx, ids, codegraph.Both)
		counts, err4 := snap.Counts(ctx)
		must(errors.Join(err1, err2, err3, err4))
		line := func(what ...any) { out = append(out, fmt.Sprintf("%+v", what)) }
		line(counts)
		start := 0
		for i, n := range nodes {
			line(n, edges.Edges[start:edges.Ends[i]])
			start = edges.Ends[i]
			named, err1 := snap.Named(ctx, n.Name)
			ends, err2 := snap.Suffixed(ctx, n.Name)
			begins, err3 := snap.Prefixed(ctx, n.QualifiedName)
			at, err4 := snap.At(ctx, n.Path, false)
			found, err5 := snap.Search(ctx, []snapshot.Term{{Text: words.Stem(strings.ToLower(n.Name)), Weight: 1}}, 20)
			must(errors.Join(err1, err2, err3, err4, err5))
			line(named, ends, begins, at, found)
		}
		return out
	}
	want := answers(snapshot.Open(path, state.Serial, state.Identity))
	if got := answers(snapshot.Load(ctx, g)); !slices.Equal(got, want) {
		diff := cmp.Diff(want, got)
		t.Errorf("the snapshot is not that of the whole graph (-whole +extended):\n%s", diff)
	}
}

// write writes a file of a project.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.Name() == "__pycache__" || d.Name() == ".git" || d.Name() == "node_modules":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dump is a stored graph without its ids: the nodes and edges, sorted.
func dump(t *testing.T, s store.Store, dir string) (out []string) {
	t.Helper()
	withGraph(t, s, dir, func(g store.Graph) { out = lines(t.Context(), t, g) })
	return out
}

func lines(ctx context.Context, t *testing.T, g store.Graph) []string {
	t.Helper()
	names := map[any]string{}
	var out []string
	err := g.All(ctx, nil, func(n store.Node) error {
		names[n.ID] = string(n.Label) + " " + n.QualifiedName
		n.ID, n.File = 0, 0
		out = append(out, fmt.Sprintf("%+v", n))
		return nil
	}, func(e store.Edge) error {
		from, to := names[e.From], names[e.To]
		e.From, e.To, e.File = 0, 0, 0
		out = append(out, fmt.Sprintf("%s -> %s %+v", from, to, e))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := g.Files(ctx)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[store.FileID]string{}
	for _, f := range files {
		paths[f.ID] = f.Path
		out = append(out, fmt.Sprintf("file %s %s %d %v", f.Path, f.Hash, f.ParseErrors, slices.Sorted(maps.Keys(f.Unresolved))))
	}
	err = g.Words(ctx, nil, func(id store.FileID, words []byte) error {
		out = append(out, fmt.Sprintf("words %s %x", paths[id], sha256.Sum256(words)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// editor changes a project at random.
type editor struct {
	t    *testing.T
	dir  string
	from string
	rand *rand.Rand
	log  []string
	// index is a SCIP index; "" for none.
	index string
}

// redate lets a file seem older than the index, or newer, and says which.
func (e *editor) redate() string {
	e.t.Helper()
	if e.index == "" || e.rand.IntN(2) == 0 {
		return ""
	}
	files := e.sources()
	file, from := files[e.rand.IntN(len(files))], time.Duration(e.rand.IntN(5)-2)*time.Hour
	text := fmt.Sprintf(" dated %s by %s", file, from)
	when := time.Now().Add(from)
	return e.done(text, os.Chtimes(file, when, when))
}

// sources are the project's files, sorted.
func (e *editor) sources() []string {
	e.t.Helper()
	var out []string
	err := filepath.WalkDir(e.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && slices.Contains([]string{".go", ".py", ".ts", ".tsx", ".js", ".java", ".c", ".h", ".rs", ".rb", ".kt", ".cs", ".php", ".swift", ".scala", ".cc", ".cpp"}, filepath.Ext(path)) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return out
}

// edit makes one edit and says which.
func (e *editor) edit() string {
	e.t.Helper()
	files := e.sources()
	file := files[e.rand.IntN(len(files))]
	other := files[e.rand.IntN(len(files))]
	data, err := os.ReadFile(file)
	if err != nil {
		e.t.Fatal(err)
	}
	rows := strings.SplitAfter(string(data), "\n")
	at := e.rand.IntN(len(rows))
	text := ""
	switch e.rand.IntN(9) {
	case 0:
		text = "removed a line of"
		rows = slices.Delete(rows, at, min(at+1, len(rows)))
	case 1:
		text = "removed some lines of"
		rows = slices.Delete(rows, at, min(at+1+e.rand.IntN(30), len(rows)))
	case 2:
		text = "moved lines down in"
		rows = slices.Insert(rows, at, "\n", "\n")
	case 3:
		text = "doubled some lines of"
		rows = slices.Insert(rows, at, slices.Clone(rows[at:min(at+25, len(rows))])...)
	case 4:
		word := e.word(string(data))
		text = "renamed " + word + " in"
		rows = []string{strings.ReplaceAll(string(data), word, word+"X")}
	case 5:
		if len(files) > 3 {
			return e.done("deleted "+file, os.Remove(file))
		}
	case 6:
		to := strings.TrimSuffix(file, filepath.Ext(file)) + "_renamed" + filepath.Ext(file)
		return e.done("renamed "+file, os.Rename(file, to))
	case 7:
		to := filepath.Join(filepath.Dir(other), "moved_"+filepath.Base(file))
		return e.done("moved "+file+" to "+to, os.Rename(file, to))
	case 8:
		rel, _ := filepath.Rel(e.dir, file)
		if old, err := os.ReadFile(filepath.Join(e.from, rel)); err == nil {
			text, rows = "took back", []string{string(old)}
		}
	}
	return e.done(text+" "+file, os.WriteFile(file, []byte(strings.Join(rows, "")), 0o644))
}

func (e *editor) done(text string, err error) string {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
	e.log = append(e.log, strings.ReplaceAll(text, e.dir, ""))
	return text
}

// word is one of the longer words of a text.
func (e *editor) word(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_'
	})
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 4 })
	if len(words) == 0 {
		return "xxxx"
	}
	return words[e.rand.IntN(len(words))]
}
