// Package cfamily reads C and C++ by one reader.
package cfamily

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// C and C++ are read by one reader: the grammar of C++ extends that of C.
var (
	C = &core.Language{
		Name: "c", Extensions: []string{".c", ".h"},
		Grammar: syntax.C, Shape: cShape, Imports: []string{"preproc_include"},
		Read: readC, Call: cCall, Tests: cTests, TestPath: isCTest, Entry: cEntry,
		Repair: repair.Rewriter(false), Dialect: dialectOfHeader, Facts: cFacts,
		Bodies: cBodies, Steps: cSteps,
	}
	CPP = &core.Language{
		Name: "cpp",
		Extensions: []string{
			".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl",
			".cppm", ".ixx", ".ccm", ".cxxm", ".c++m", ".mpp", ".cu", ".cuh",
		},
		Grammar: syntax.CPP, Shape: cShape, Imports: []string{"preproc_include"},
		Read: readC, Call: cCall, Tests: cTests, TestPath: isCTest, Entry: cEntry,
		Repair: repair.Rewriter(true), Facts: cFacts,
		Bodies: cBodies, Steps: cSteps,
	}
)

// cReader reads the declarations of C and C++.
type cReader struct {
	*core.Reader
	cpp     bool
	header  bool            // what it declares is there for the files that include it
	module  bool            // a C++20 module: only what it exports is seen outside
	async   bool            // the text has a coroutine's keyword
	spaces  map[string]bool // the namespaces opened in the file
	blocks  []cSpace        // the namespaces of a text with errors
	exports []core.Span     // what it exports
	friends []*cDecl        // functions of the namespace that are defined inside a class
}

func readC(r *core.Reader) {
	reread(r)
	r.CloseBrackets()
	c := &cReader{
		Reader: r, cpp: r.File.Language == "cpp", header: isHeader(r.File.Path),
		async: strings.Contains(string(r.Source), "co_"), spaces: map[string]bool{},
	}
	module := c.modules()
	c.findSpaces()
	list := append(module, c.declarations(r.Root(), &cScope{})...)
	r.File.Symbols = c.join(c.preprocessed(append(list, c.friends...)))
	r.File.Doc = c.fileDoc()
}

// reread parses a text again, repaired, whose tree has no errors but is wrong:
// struct API s { … } reads like a function without parameters.
func reread(r *core.Reader) {
	if r.Root().HasError() || !misreadC(r.Root()) {
		return
	}
	text := r.Lang.Repair(r.Tree)
	if text == nil {
		return
	}
	if tree, err := r.Lang.Grammar.Parse(text); err == nil && !tree.Root().HasError() {
		r.SetTree(r.Source, tree)
	}
}

// misreadC tells a tree in which a macro before the name of a class makes something
// else of it.
func misreadC(root syntax.Node) bool {
	for n := range root.Within() {
		switch n.Kind() {
		case "function_definition":
			if d := n.Field("declarator"); d.Is("identifier") {
				return true
			}
		case "declaration", "field_declaration":
			t := n.Field("type")
			value := cmp.Or(n.Field("declarator").Field("value"), n.Field("default_value"))
			if t.Is("class_specifier", "struct_specifier") && !t.Field("body").Ok() && value.Is("initializer_list") && !value.First().Ok() {
				return true
			}
		}
	}
	return false
}

// isHeader tells a file that is made to be included.
func isHeader(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return strings.HasPrefix(ext, ".h") || slices.Contains([]string{".ipp", ".tpp", ".txx", ".tcc", ".inl", ".cuh"}, ext)
}

// cEntries are the functions that a program, a library or a fuzzer starts with.
var cEntries = []string{"main", "wmain", "_tmain", "WinMain", "wWinMain", "DllMain", "LLVMFuzzerTestOneInput"}

// cEntry tells the functions that the system calls first.
func cEntry(_ *code.File, owner string, s *code.Symbol) bool {
	return owner == "" && s.Kind == code.Function && !s.Part && slices.Contains(cEntries, s.Name)
}

// initcall notes the function that a module of the kernel starts with:
// module_init(f), late_initcall(f).
func (c *cReader) initcall(n syntax.Node) {
	call := n.Child("call_expression")
	name := call.Field("function").Text()
	if name == "module_init" || strings.HasSuffix(name, "_initcall") {
		if f := call.Field("arguments").First(); f.Is("identifier") {
			c.File.Entries = append(c.File.Entries, code.Entry{Name: f.Text(), Line: n.Line()})
		}
	}
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
