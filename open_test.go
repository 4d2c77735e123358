package reversespec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// mayOpen are the files that open others by themselves, and why that is right.
// Everything else that reads a file does so by internal/openfile, or by workspace:
// those never wait for a FIFO, and read no device.
func mayOpen() map[string]string {
	return map[string]string{
		"internal/openfile/openfile.go":  "it is the place",
		"internal/golden/golden.go":      "for tests alone",
		"cypher/internal/tck/feature.go": "for tests alone",
		"cmd/reverse-spec/replace.go":    "a file that the caller names, which may be a pipe of the shell",
		"setup/unpack.go":                "a file that it makes",
	}
}

// TestFilesAreOpenedInOnePlace: a configuration file that is a FIFO would keep the
// program waiting for ever.
func TestFilesAreOpenedInOnePlace(t *testing.T) {
	may, used := mayOpen(), map[string]bool{}
	for _, file := range goFiles(t) {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, filepath.FromSlash(file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); !ok || pkg.Name != "os" || !slices.Contains([]string{"ReadFile", "Open", "OpenFile", "DirFS"}, sel.Sel.Name) {
				return true
			}
			if used[file] = true; may[file] == "" {
				t.Errorf("%s: os.%s: use internal/openfile, or the project's workspace", set.Position(n.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
	for file := range may {
		if !used[file] {
			t.Errorf("%s opens nothing: take it off the list", file)
		}
	}
}
