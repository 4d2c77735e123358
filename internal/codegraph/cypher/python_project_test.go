package cypher_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// pythonPackages are the parts of Python's standard library that are indexed, beside
// its modules without a package; of those -short takes none.
var pythonPackages = []string{
	"asyncio", "collections", "concurrent", "email", "html", "http", "importlib", "json", "logging", "unittest", "urllib", "xml",
}

// pythonProject is a project, its code graph, and its declarations according to Python's own parser.
type pythonProject struct {
	graph cypher.Graph
	files []pythonFile
}

// pythonFile is a file as reported by testdata/python/declared.py.
type pythonFile struct {
	Path     string
	Declared []declared
}

// declared is a class, function or method.
type declared struct {
	Qualified  string `json:"qualified_name"` // in the file
	Name       string
	Label      string
	Line       int64
	Owner      string // the class around, by its name in the file; "" for none
	OwnerLine  int    `json:"owner_line"` // of what is around
	Decorators []string

	Path string `json:"-"`
	Full string `json:"-"` // its qualified name in the project
}

// is reports whether a declaration has one of the labels; always true if none is given.
func (d *declared) is(labels ...string) bool {
	return len(labels) == 0 || slices.Contains(labels, d.Label)
}

// pythonModule returns the qualified name of the module in a file.
func pythonModule(path string) string {
	return "lib." + strings.ReplaceAll(strings.TrimSuffix(path, ".py"), "/", ".")
}

// declarations returns those of all files that have one of some labels.
func (p *pythonProject) declarations(labels ...string) (all []declared) {
	for _, f := range p.files {
		for _, d := range f.Declared {
			if d.is(labels...) {
				all = append(all, d)
			}
		}
	}
	return all
}

// openPython copies a part of the machine's standard library into a project called lib,
// with a README.md, and indexes it.
func openPython(t *testing.T) *pythonProject {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here: its standard library is the project, and its parser tells what is in there")
	}
	dir := filepath.Join(t.TempDir(), "lib")
	copyLibrary(t, dir, strings.TrimSpace(output(t, python, "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])")))
	p := &pythonProject{}
	if err := json.Unmarshal([]byte(output(t, python, filepath.Join("testdata", "python", "declared.py"), dir)), &p.files); err != nil {
		t.Fatal(err)
	}
	for _, f := range p.files {
		for i := range f.Declared {
			d := &f.Declared[i]
			d.Path, d.Full = f.Path, pythonModule(f.Path)+"."+d.Qualified
		}
	}
	p.graph = indexOf(t, dir)
	return p
}

// output runs a program for what it prints.
func output(t *testing.T, program string, args ...string) string {
	out, err := exec.CommandContext(t.Context(), program, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", program, strings.Join(args, " "), err)
	}
	return string(out)
}

// copyLibrary copies the sources of some packages and modules.
func copyLibrary(t *testing.T, to, from string) {
	copyFile := func(name string) {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	if !testing.Short() {
		names = under(t, from, "*.py")
	}
	for _, name := range pythonPackages {
		names = append(names, under(t, from, filepath.Join(name, "*.py"))...)
		names = append(names, under(t, from, filepath.Join(name, "*", "*.py"))...)
	}
	for _, name := range names {
		if path.Base(path.Dir(name)) != "test" {
			copyFile(name)
		}
	}
	if err := os.WriteFile(filepath.Join(to, "README.md"), []byte("# A part of Python\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// under returns the files below a folder that a pattern fits.
func under(t *testing.T, dir, pattern string) []string {
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for i := range found {
		if found[i], err = filepath.Rel(dir, found[i]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// indexOf indexes a project.
func indexOf(t *testing.T, dir string) cypher.Graph {
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	g, err := explore.Open(t.Context(), p, s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(g.Close(), s.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return cypher.Code(g.Reader(), dir)
}

// list makes a list of texts.
func list(texts ...string) value.List {
	l := make(value.List, len(texts))
	for i, text := range texts {
		l[i] = text
	}
	return l
}
