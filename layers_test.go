package reversespec_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/reverse-spec/reverse-spec"

// TestLayers holds the import graph to the block in ARCHITECTURE.md. Tests may
// import what they like; the package at the root is for everyone and imports
// nothing of ours.
func TestLayers(t *testing.T) {
	allowed := readLayers(t, "ARCHITECTURE.md")
	allowed["."] = nil
	seen := map[string]bool{}
	for _, file := range goFiles(t) {
		pkg := path.Dir(file)
		seen[pkg] = true
		may, ok := allowed[pkg]
		if !ok {
			t.Errorf("%s: package %s has no line in ARCHITECTURE.md", file, pkg)
			continue
		}
		for _, dep := range imports(t, file) {
			if !slices.Contains(may, dep) && !slices.Contains(may, "*") {
				t.Errorf("%s: %s may not import %s", file, pkg, dep)
			}
		}
	}
	for pkg, deps := range allowed {
		if !seen[pkg] {
			t.Errorf("ARCHITECTURE.md names %s, which holds no Go file", pkg)
		}
		for _, dep := range deps {
			if _, ok := allowed[dep]; !ok && dep != "*" {
				t.Errorf("ARCHITECTURE.md lets %s import %s, which has no line", pkg, dep)
			}
		}
	}
}

// goFiles returns the module's Go files, tests left out, with "/". Folders that
// the go command passes over, and modules within the module, are left out too.
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

// imports returns what a file imports of this module, as folders.
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

// readLayers returns the ```layers block of a Markdown file as package -> imports.
func readLayers(t *testing.T, file string) map[string][]string {
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
	layers := map[string][]string{}
	for line := range strings.Lines(block) {
		if pkg, deps, ok := strings.Cut(line, "->"); ok {
			layers[strings.TrimSpace(pkg)] = strings.Fields(deps)
		}
	}
	return layers
}
