package reversespec_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/reverse-spec/reverse-spec"

// most is how many packages of ours one may import besides those in folders of its
// own, such as the languages in their table; the program joins them all.
const most = 12

// TestLayers checks the import graph against the block in ARCHITECTURE.md: a package may
// import packages on the lines below its own. Tests may import anything; the root package is
// for everyone and imports nothing of ours.
func TestLayers(t *testing.T) {
	layer := readLayers(t, "ARCHITECTURE.md")
	layer["."] = len(layer)
	used := map[string]map[string]bool{}
	for _, file := range goFiles(t) {
		pkg := path.Dir(file)
		if used[pkg] == nil {
			used[pkg] = map[string]bool{}
		}
		mine, ok := layer[pkg]
		if !ok {
			t.Errorf("%s: package %s has no place in ARCHITECTURE.md", file, pkg)
			continue
		}
		for _, dep := range imports(t, file) {
			if !strings.HasPrefix(dep, pkg+"/") && dep != "internal/x/lazyregexp" { // it stands for regexp
				used[pkg][dep] = true
			}
			if below, ok := layer[dep]; ok && below <= mine {
				t.Errorf("%s: %s imports %s, which does not stand below it in ARCHITECTURE.md", file, pkg, dep)
			}
		}
	}
	for pkg := range layer {
		switch n := len(used[pkg]); {
		case used[pkg] == nil:
			t.Errorf("ARCHITECTURE.md names %s, which holds no Go file", pkg)
		case n > most && !strings.HasPrefix(pkg, "cmd/"):
			t.Errorf("%s imports %d packages of ours, more than %d: it knows too much", pkg, n, most)
		}
	}
}

// goFiles returns the module's Go files without tests, with slashes. Folders that the go
// command ignores and nested modules are skipped.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (name == "testdata" || strings.ContainsAny(name[:1], "._") || exists(filepath.Join(file, "go.mod"))):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			files = append(files, filepath.ToSlash(file))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// imports returns the packages of this module that a file imports, as folders.
func imports(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var deps []string
	for _, spec := range f.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if dep, ours := strings.CutPrefix(imp, module+"/"); ours {
			deps = append(deps, dep)
		}
	}
	return deps
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// readLayers returns the ```layers block of a Markdown file as package -> line.
func readLayers(t *testing.T, file string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```layers\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatalf("%s: no layers block", file)
	}
	layer := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(block), "\n") {
		for pkg := range strings.FieldsSeq(line) {
			if _, twice := layer[pkg]; twice {
				t.Errorf("%s names %s twice", file, pkg)
			}
			layer[pkg] = i
		}
	}
	return layer
}
