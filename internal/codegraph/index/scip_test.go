package index_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// document is what a compiler would say of a file.
type document struct {
	path, text  string
	occurrences []byte
}

// says notes a role of the n-th occurrence of a word, from 0, for a symbol; columns
// are in UTF-16.
func (d *document) says(word string, n int, symbol string, role scip.Role) *document {
	at := 0
	for range n + 1 {
		next := strings.Index(d.text[at:], word)
		if next < 0 {
			panic(fmt.Sprintf("%s does not have %s %d times", d.path, word, n+1))
		}
		at += next + len(word)
	}
	d.place(at-len(word), word, symbol, role)
	return d
}

func (d *document) place(at int, word, symbol string, role scip.Role) {
	line := strings.Count(d.text[:at], "\n")
	column := len(utf16.Encode([]rune(d.text[strings.LastIndexByte(d.text[:at], '\n')+1 : at])))
	var place []byte
	for _, n := range []int{line, column, column + len(utf16.Encode([]rune(word)))} {
		place = binary.AppendUvarint(place, uint64(n))
	}
	one := slices.Concat(field(1, place), field(2, []byte(symbol)), number(3, uint64(role)))
	d.occurrences = append(d.occurrences, field(2, one)...)
}

// field is a field of a protobuf message that holds bytes, number one that holds a
// number.
func field(n int, data []byte) []byte {
	b := binary.AppendUvarint(nil, uint64(n)<<3|2)
	return append(binary.AppendUvarint(b, uint64(len(data))), data...)
}

func number(n int, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(n)<<3), value)
}

// encoded is an index of documents whose paths are relative to a root.
func encoded(root string, docs ...*document) []byte {
	out := field(1, field(3, []byte("file://"+root)))
	for _, d := range docs {
		out = append(out, field(2, slices.Concat(field(1, []byte(d.path)), d.occurrences, number(6, uint64(scip.UTF16))))...)
	}
	return out
}

// bench is a project with its store, and a folder for SCIP indexes.
type bench struct {
	t        *testing.T
	dir, aux string
	store    store.Store
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, dir: dir, aux: t.TempDir()}
	for name, text := range files {
		b.write(name, text)
	}
	if b.store, err = sqlite.Open(sqlite.Options{Home: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	file := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// index writes an index that is an hour newer than the sources, and returns its path.
func (b *bench) index(name string, data []byte) string {
	b.t.Helper()
	file := filepath.Join(b.aux, name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.date(file, time.Hour)
	return file
}

// date gives a file a time relative to now.
func (b *bench) date(file string, from time.Duration) {
	b.t.Helper()
	when := time.Now().Add(from).Truncate(time.Second)
	if err := os.Chtimes(file, when, when); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) run(opts index.Options) *index.Summary {
	b.t.Helper()
	sum, err := b.try(opts)
	if err != nil {
		b.t.Fatal(err)
	}
	return sum
}

func (b *bench) try(opts index.Options) (*index.Summary, error) {
	b.t.Helper()
	p, err := project.Open(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	defer p.Close()
	opts.Version = "test"
	return index.Run(b.t.Context(), p, b.store, opts)
}

// calls are the stored calls, as "from -> to rule".
func (b *bench) calls() []string {
	b.t.Helper()
	g, err := b.store.Open(b.t.Context(), b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	defer g.Close()
	names := map[any]string{}
	var out []string
	err = g.All(b.t.Context(), nil, func(n store.Node) error {
		names[n.ID] = strings.TrimPrefix(n.QualifiedName, filepath.Base(b.dir)+".")
		return nil
	}, func(e store.Edge) error {
		if e.Type == "CALLS" {
			out = append(out, fmt.Sprintf("%s -> %s %s %v", names[e.From], names[e.To], e.Rule, e.Confidence))
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

const (
	pkg   = "scip-python python shop 1 "
	other = "scip-python python other 1 "
)

// shop is a project about which a compiler knows more than the parser: calls on a parameter without a type, and a
// call of another package.
func shop() (files map[string]string, docs []*document) {
	files = map[string]string{
		"store.py": "class Disk:\n    def save(self, x): pass\n\nclass Cloud:\n    def save(self, x): pass\n    def sync(self): pass\n",
		"main.py":  "from store import Cloud  # 店\ndef go(s, t: Cloud, cb):\n    '店𝄞'; s.save(1); t.sync(); cb(2)\n    print(s)\n",
	}
	store := &document{path: "store.py", text: files["store.py"]}
	store.says("Disk", 0, pkg+"store/Disk#", scip.Definition).says("save", 0, pkg+"store/Disk#save().", scip.Definition)
	store.says("Cloud", 0, pkg+"store/Cloud#", scip.Definition).says("save", 1, pkg+"store/Cloud#save().", scip.Definition)
	store.says("sync", 0, pkg+"store/Cloud#sync().", scip.Definition)
	main := &document{path: "main.py", text: files["main.py"]}
	main.says("go", 0, pkg+"main/go().", scip.Definition).says("cb", 0, pkg+"main/go().(cb)", scip.Definition)
	main.says("save", 0, pkg+"store/Disk#save().", 0).says("sync", 0, other+"x/Far#sync().", 0).says("cb", 1, pkg+"main/go().(cb)", 0)
	return files, []*document{store, main}
}

func TestScipTakesPrecedence(t *testing.T) {
	files, docs := shop()
	b := newBench(t, files)
	b.run(index.Options{})
	if diff := cmp.Diff([]string{"main.go -> store.Cloud.sync declared 0.99"}, b.calls()); diff != "" {
		t.Errorf("without an index: %s", diff)
	}
	file := b.index("index.scip", encoded(b.dir, docs...))
	sum := b.run(index.Options{Scip: []string{file}})
	if diff := cmp.Diff([]string{"main.go -> store.Disk.save scip 1"}, b.calls()); diff != "" {
		t.Errorf("with it: %s", diff)
	}
	if diff := cmp.Diff(&index.ScipUse{Files: []string{file}, Documents: 2}, sum.Scip); diff != "" || sum.Mode != index.Full {
		t.Errorf("%s: %s", sum.Mode, diff)
	}
	if sum.Unresolved["external"] != 1 || sum.Unresolved["dynamic"] != 1 {
		t.Errorf("unresolved: %v", sum.Unresolved)
	}
}

// A file changed after the index was written is resolved without it, and so are its users; when the old file is
// restored the index applies again.
func TestAnIndexCountsForFilesOlderThanIt(t *testing.T) {
	files, docs := shop()
	b := newBench(t, files)
	file := b.index("index.scip", encoded(b.dir, docs...))
	told := []string{"main.go -> store.Disk.save scip 1"}
	b.run(index.Options{Scip: []string{file}})
	b.write("store.py", "\n"+files["store.py"])
	b.date(filepath.Join(b.dir, "store.py"), 2*time.Hour)
	sum := b.run(index.Options{})
	if diff := cmp.Diff([]string(nil), b.calls()); diff != "" || sum.Mode != index.Incremental || sum.Scip.Documents != 1 || sum.Scip.Written != 1 {
		t.Errorf("after a change: %s %+v: %s", sum.Mode, sum.Scip, diff)
	}
	b.write("store.py", files["store.py"])
	if sum := b.run(index.Options{}); sum.Mode != index.Incremental || sum.Scip.Written != 0 {
		t.Errorf("taken back: %s %+v", sum.Mode, sum.Scip)
	}
	if diff := cmp.Diff(told, b.calls()); diff != "" {
		t.Errorf("taken back: %s", diff)
	}
	b.date(filepath.Join(b.dir, "main.py"), 2*time.Hour)
	b.run(index.Options{})
	if diff := cmp.Diff([]string{"main.go -> store.Cloud.sync declared 0.99"}, b.calls()); diff != "" {
		t.Errorf("touched: %s", diff)
	}
}

func TestScipIndexesAreRemembered(t *testing.T) {
	files, docs := shop()
	b := newBench(t, files)
	data := encoded(b.dir, docs...)
	file := b.index("index.scip", data)
	b.run(index.Options{Scip: []string{file}})
	for _, opts := range []index.Options{{}, {Force: true}, {Scip: []string{file}}} {
		if sum := b.run(opts); sum.Scip == nil || len(sum.Warnings) > 0 || !opts.Force && sum.Mode != index.Unchanged {
			t.Errorf("%+v: %s %+v %v", opts, sum.Mode, sum.Scip, sum.Warnings)
		}
	}
	b.date(file, 3*time.Hour) // the same content counts from when it was first seen
	if sum := b.run(index.Options{}); sum.Mode != index.Unchanged {
		t.Errorf("touched: %s (%s)", sum.Mode, sum.Why)
	}
	if err := os.WriteFile(file, data[:len(data)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	if sum := b.run(index.Options{}); sum.Mode != index.Full || sum.Scip != nil || len(sum.Warnings) != 1 || !strings.Contains(sum.Warnings[0], file) {
		t.Errorf("changed: %s %+v %q", sum.Mode, sum.Scip, sum.Warnings)
	}
	if sum := b.run(index.Options{}); sum.Mode != index.Unchanged || len(sum.Warnings) > 0 {
		t.Errorf("after that: %s %q", sum.Mode, sum.Warnings)
	}
	if _, err := b.try(index.Options{Scip: []string{file}}); err == nil || !strings.Contains(err.Error(), "the SCIP index is damaged") {
		t.Errorf("damaged: %v", err)
	}
	file = b.index("index.scip", data)
	b.run(index.Options{Scip: []string{file}})
	if sum := b.run(index.Options{Scip: []string{}}); sum.Mode != index.Full || sum.Scip != nil {
		t.Errorf("forgotten: %s %+v", sum.Mode, sum.Scip)
	}
	if _, err := b.try(index.Options{Scip: []string{b.aux}}); err == nil {
		t.Error("a folder is no index")
	}
}

// Paths in an index are only compared with the project's own.
func TestPathsOfAnIndexAreOnlyCompared(t *testing.T) {
	files, docs := shop()
	b := newBench(t, map[string]string{"app/store.py": files["store.py"], "app/main.py": files["main.py"]})
	secret := filepath.Join(b.aux, "store.py")
	if err := os.WriteFile(secret, []byte(files["store.py"]), 0o600); err != nil {
		t.Fatal(err)
	}
	outside := &document{path: "../../" + filepath.Base(b.aux) + "/store.py", text: docs[0].text, occurrences: docs[0].occurrences}
	rooted := &document{path: secret, text: docs[0].text, occurrences: docs[0].occurrences}
	file := b.index("outside.scip", encoded(b.dir+"/app", outside, rooted, docs[1]))
	if sum := b.run(index.Options{Scip: []string{file}}); sum.Scip.Documents != 1 {
		t.Errorf("%+v", sum.Scip)
	}
	file = b.index("app.scip", encoded(b.dir+"/app", docs...))
	b.run(index.Options{Scip: []string{file}})
	if diff := cmp.Diff([]string{"app.main.go -> app.store.Disk.save scip 1"}, b.calls()); diff != "" {
		t.Error(diff)
	}
}

// TestIncrementalIsAFullBuildWithAnIndex is TestIncrementalIsAFullBuild with a made-up
// compiler that knows functions by their bare names, and files whose times move back
// and forth across that of its index.
func TestIncrementalIsAFullBuildWithAnIndex(t *testing.T) {
	for name, dir := range projects(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range sequences() {
				t.Run(fmt.Sprint(seed), func(t *testing.T) { sequence(t, dir, uint64(seed), true) })
			}
		})
	}
}

var (
	declares = regexp.MustCompile(`(?m)^\s*(?:func(?: \([^)]*\))?|def) (\w+)\(`)
	uses     = regexp.MustCompile(`\b(\w+)\(`)
)

// madeUp returns the index of a compiler that resolves every call to the last declared function of that name, and
// undeclared names to an external package.
func madeUp(t *testing.T, dir string, files []string) []byte {
	t.Helper()
	var docs []*document
	declared := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, file)
		d := &document{path: filepath.ToSlash(rel), text: string(text)}
		docs = append(docs, d)
		for _, m := range declares.FindAllStringSubmatchIndex(d.text, -1) {
			name := d.text[m[2]:m[3]]
			declared[name] = fmt.Sprintf("%s`%s`/%s(+%d).", pkg, d.path, name, m[2])
			d.place(m[2], name, declared[name], scip.Definition)
		}
	}
	for _, d := range docs {
		for _, m := range uses.FindAllStringSubmatchIndex(d.text, -1) {
			name := d.text[m[2]:m[3]]
			symbol := declared[name]
			if symbol == "" {
				symbol = other + name + "()."
			}
			d.place(m[2], name, symbol, scip.ReadAccess)
		}
	}
	return encoded(dir, docs...)
}
