package lang

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// C and C++ are read by one reader: the grammar of C++ extends that of C.
var (
	c = &Language{
		Name: "c", Extensions: []string{".c", ".h"},
		grammar: syntax.C, shape: cShape, imports: []string{"preproc_include"},
		read: readC, call: cCall, tests: cTests, isTest: isCTest,
		dialect: dialectOfHeader,
	}
	cpp = &Language{
		Name: "cpp",
		Extensions: []string{
			".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl",
			".cppm", ".ixx", ".ccm", ".cxxm", ".c++m", ".mpp", ".cu", ".cuh",
		},
		grammar: syntax.CPP, shape: cShape, imports: []string{"preproc_include"},
		read: readC, call: cCall, tests: cTests, isTest: isCTest,
	}
)

// cReader reads the declarations of C and C++.
type cReader struct {
	*reader
	header bool // what it declares is there for files that include it
}

func readC(r *reader) {
	r.close()
	c := &cReader{reader: r, header: isHeader(r.file.Path)}
	r.file.Symbols = c.declarations(r.Root(), cScope{})
}

// isHeader tells a file that is made to be included.
func isHeader(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return strings.HasPrefix(ext, ".h") || slices.Contains([]string{".ipp", ".tpp", ".txx", ".tcc", ".inl", ".cuh"}, ext)
}

// isCTest follows the folders and file names of the usual test runners.
func isCTest(file string) bool {
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	for _, end := range []string{"_test", "_tests", "_unittest", "_unittests", "-test", "_kunit", ".test"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	if strings.HasPrefix(stem, "test_") || strings.HasPrefix(stem, "test-") || stem == "test" || stem == "tests" {
		return true
	}
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		if slices.Contains([]string{"test", "tests", "unittest", "unittests", "testing", "gtest"}, folder) {
			return true
		}
	}
	return false
}

var _ code.Symbol
