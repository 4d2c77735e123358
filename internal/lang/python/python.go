// Package python reads Python.
package python

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/python/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// pythonEntries notes the statement that runs when the file is the program.
func pythonEntries(r *core.Reader) {
	for n := range r.Root().Inner() {
		if condition := n.Field("condition"); n.Is("if_statement") && namesMain(condition) {
			r.File.Entries = append(r.File.Entries, code.Entry{Line: n.Line()})
		}
	}
}

// namesMain tells the condition __name__ == "__main__", either way round.
func namesMain(condition syntax.Node) bool {
	text := condition.Text()
	return condition.Is("comparison_operator") && strings.Contains(text, "__name__") && strings.Contains(text, "__main__")
}

// Python is the row of Python 3; Python 2 is read as far as it is rewritten.
var Python = &core.Language{
	Name: "python", Extensions: []string{".py", ".pyi", ".pyw"},
	Grammar: syntax.Python, Shape: newPythonShape(),
	Imports: []string{"import_statement", "import_from_statement", "future_import_statement"},
	Doc:     pythonDoc, Repair: repair.Rewrite,
	Read: readPython, Call: pythonCall, Tests: pythonTests, TestPath: isPythonTest, Facts: pythonFacts,
	Bodies: pythonBodies, Steps: pythonSteps,
}

// isPythonTest follows pytest's and unittest's default patterns, and takes for
// tests what stands in a folder of tests.
func isPythonTest(file string) bool {
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
