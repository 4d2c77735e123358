// Package python reads Python 3 with tree-sitter's grammar: declarations, imports,
// calls, facts and the tests of pytest, unittest and doctest. Its entry is [Python],
// the row for the table of languages. Source that the grammar rejects is rewritten by
// package repair first.
package python

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/python/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// entries records the statement that runs when the file is the main program.
func entries(r *core.Reader) {
	for n := range r.Root().NamedSeq() {
		if condition := n.Field("condition"); n.Is("if_statement") && namesMain(condition) {
			r.File.Entries = append(r.File.Entries, code.Entry{Line: n.Line()})
		}
	}
}

// namesMain reports whether condition compares __name__ with "__main__".
func namesMain(condition syntax.Node) bool {
	text := condition.Text()
	return condition.Is("comparison_operator") && strings.Contains(text, "__name__") && strings.Contains(text, "__main__")
}

// Python is the language row of Python 3. Python 2 is read as far as the grammar and
// package repair allow.
var Python = &core.Language{
	Name: "python", Extensions: []string{".py", ".pyi", ".pyw"},
	Grammar: syntax.Python, Shape: newShape(),
	Imports: []string{"import_statement", "import_from_statement", "future_import_statement"},
	Doc:     statementDoc, Repair: repair.Rewrite,
	Read: readModule, Call: call, Tests: findTests, TestPath: isTestPath, Facts: factRules,
	Bodies: bodies, Steps: steps, Types: typeRules,
}

// isTestPath reports whether file matches the default patterns of pytest and unittest
// or is in a folder of tests.
func isTestPath(file string) bool {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if stem == "conftest" || stem == "tests" || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "test" || dir == "tests" {
			return true
		}
	}
	return false
}
