package lang

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var python = &Language{
	Name: "python", Extensions: []string{".py", ".pyi", ".pyw"},
	Grammar: syntax.Python, Shape: newPythonShape(),
	Imports: []string{"import_statement", "import_from_statement", "future_import_statement"},
	Doc:     pythonDoc, Repair: repairPython,
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

// pythonEntries notes the statement that runs when the file is the program.
func (r *Reader) pythonEntries() {
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
