package lang

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var python = &Language{
	Name: "python", Extensions: []string{".py", ".pyi", ".pyw"},
	grammar: syntax.Python, shape: newPythonShape(),
	imports: []string{"import_statement", "import_from_statement", "future_import_statement"},
	doc:     pythonDoc, repair: repairPython,
	read: readPython, call: pythonCall, tests: pythonTests, isTest: isPythonTest, facts: pythonFacts,
	bodies: pythonBodies, steps: pythonSteps,
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
