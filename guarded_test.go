package reversespec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// guard is a set of calls that only one package may make, because they read untrusted data.
type guard struct {
	calls  []string          // calls reserved for the guarded package: "os.Open"
	use    string            // what other packages must call instead
	except map[string]string // exempt files, with the reason
}

func guards() []guard {
	return []guard{
		{ // opening a FIFO would block the program forever
			calls: []string{"os.ReadFile", "os.Open", "os.OpenFile", "os.DirFS"},
			use:   "internal/x/openfile, or internal/project",
			except: map[string]string{
				"internal/x/openfile/openfile.go":           "it is the place",
				"internal/testsupport/golden/golden.go":     "for tests alone",
				"internal/testsupport/tck/feature.go":       "for tests alone",
				"internal/testsupport/pgserver/pgserver.go": "for tests alone",
				"cmd/reverse-spec/replace.go":               "a file that the caller names, which may be a pipe of the shell",
				"internal/agents/unpack.go":                 "a file that it makes",
				"internal/view/export.go":                   "a file that it makes",
				"scripts/site/main.go":                      "files of this repository",
				"scripts/licences/main.go":                  "files of modules that are compiled",
				"scripts/grammars/main.go":                  "files of a module that is compiled",
			},
		},
		{ // a parser's error may quote the text, and unlimited nesting may crash the process
			calls: []string{
				"hujson.Parse", "hujson.Standardize", "yaml.Unmarshal", "yaml.NewDecoder",
				"toml.Unmarshal", "toml.Decode", "toml.NewDecoder", "xml.Unmarshal", "xml.NewDecoder",
			},
			use: "internal/decode",
			except: map[string]string{
				"internal/decode/decode.go": "it is the place",
				"internal/decode/json.go":   "it is the place",
				"internal/decode/toml.go":   "it is the place",
				"internal/redact/rules.go":  "rules that are built in",
			},
		},
	}
}

// TestUntrustedDataIsReadByGuardedPackagesOnly checks that files are opened and formats parsed only by the
// guarded packages.
func TestUntrustedDataIsReadByGuardedPackagesOnly(t *testing.T) {
	all := guards()
	used := make([]map[string]bool, len(all))
	for i := range used {
		used[i] = map[string]bool{}
	}
	for _, file := range goFiles(t) {
		if strings.HasPrefix(file, "test/") {
			continue // not part of the product
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, filepath.FromSlash(file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call := selector(n)
			for i, g := range all {
				if !slices.Contains(g.calls, call) {
					continue
				}
				if used[i][file] = true; g.except[file] == "" {
					t.Errorf("%s: %s: use %s", set.Position(n.Pos()), call, g.use)
				}
			}
			return true
		})
	}
	for i, g := range all {
		for file := range g.except {
			if !used[i][file] {
				t.Errorf("%s calls none of %v: take it off the list", file, g.calls)
			}
		}
	}
}

// selector returns a selector expression such as "os.Open", and "" for other nodes.
func selector(n ast.Node) string {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + sel.Sel.Name
}
