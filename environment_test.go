package reversespec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ours matches the environment variables that this program reads.
var ours = regexp.MustCompile(`^"(REVERSE_SPEC|CKB|GRAPH|FEDERATION|ANTHROPIC|OPENAI|OLLAMA|TARGET|CLAUDE_PROJECT|PLUGIN)_[A-Z_]+"$`)

// TestVariablesAreDocumented checks that docs/security.md documents each variable.
func TestVariablesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	docs := string(text)
	seen := 0
	for _, file := range goFiles(t) {
		if strings.HasPrefix(file, "internal/testsupport/") {
			continue // for tests alone
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, filepath.FromSlash(file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || !ours.MatchString(lit.Value) {
				return true
			}
			seen++
			if !strings.Contains(docs, "`"+strings.Trim(lit.Value, `"`)+"`") {
				t.Errorf("%s: %s is not in docs/security.md", set.Position(lit.Pos()), lit.Value)
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("%d variables found; the test looks in the wrong place", seen)
	}
}
