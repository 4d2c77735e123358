// Package cfamily reads C and C++ with tree-sitter. One reader serves both, since the grammar
// of C++ extends that of C. The languages are [C] and [CPP]; package repair rewrites text that
// the grammars cannot parse.
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

// The languages of the family.
var (
	C = &core.Language{
		Name: "c", Extensions: []string{".c", ".h"},
		Grammar: syntax.C, Shape: shape, Imports: []string{"preproc_include"},
		Read: readFile, Call: callSite, Tests: tests, TestPath: isTestFile, Entry: entry,
		Repair: repair.Rewriter(false), Dialect: dialectOfHeader, Facts: factRules,
		Bodies: bodies, Steps: steps,
	}
	CPP = &core.Language{
		Name: "cpp",
		Extensions: []string{
			".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl",
			".cppm", ".ixx", ".ccm", ".cxxm", ".c++m", ".mpp", ".cu", ".cuh",
		},
		Grammar: syntax.CPP, Shape: shape, Imports: []string{"preproc_include"},
		Read: readFile, Call: callSite, Tests: tests, TestPath: isTestFile, Entry: entry,
		Repair: repair.Rewriter(true), Facts: factRules,
		Bodies: bodies, Steps: steps,
	}
)

// reader reads the declarations of C and C++.
type reader struct {
	*core.Reader
	cpp     bool
	header  bool             // declarations are visible to the files that include this one
	module  bool             // a C++20 module: only exports are visible outside
	async   bool             // the text contains a coroutine keyword
	spaces  map[string]bool  // the namespaces opened in the file
	blocks  []namespaceBlock // the namespace blocks of a text with errors
	exports []core.Span      // the ranges of exported declarations
	friends []*declaration   // functions of the namespace defined inside a class as friends
}

func readFile(r *core.Reader) {
	reread(r)
	r.CloseBrackets()
	c := &reader{
		Reader: r, cpp: r.File.Language == "cpp", header: isHeader(r.File.Path),
		async: strings.Contains(string(r.Source), "co_"), spaces: map[string]bool{},
	}
	module := c.modules()
	c.findSpaces()
	list := append(module, c.declarations(r.Root(), &declScope{})...)
	r.File.Symbols = c.join(c.preprocessed(append(list, c.friends...)))
	r.File.Doc = c.fileDoc()
}

// reread parses the repaired text again if the tree has no errors but is wrong: struct API s {
// … } parses as a function without parameters.
func reread(r *core.Reader) {
	if r.Root().HasError() || !misread(r.Root()) {
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

// misread reports whether a macro before the name of a class made the grammar parse it as
// something else.
func misread(root syntax.Node) bool {
	for n := range root.Descendants() {
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

// isHeader reports whether a file is a header.
func isHeader(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return strings.HasPrefix(ext, ".h") || slices.Contains([]string{".ipp", ".tpp", ".txx", ".tcc", ".inl", ".cuh"}, ext)
}

// entries are the functions at which a program, a library or a fuzzer starts.
var entries = []string{"main", "wmain", "_tmain", "WinMain", "wWinMain", "DllMain", "LLVMFuzzerTestOneInput"}

// entry reports whether s is called by the system first.
func entry(_ *code.File, owner string, s *code.Symbol) bool {
	return owner == "" && s.Kind == code.Function && !s.Part && slices.Contains(entries, s.Name)
}

// initcall records the function at which a kernel module starts: module_init(f),
// late_initcall(f).
func (c *reader) initcall(n syntax.Node) {
	call := n.Child("call_expression")
	name := call.Field("function").Text()
	if name == "module_init" || strings.HasSuffix(name, "_initcall") {
		if f := call.Field("arguments").First(); f.Is("identifier") {
			c.File.Entries = append(c.File.Entries, code.Entry{Name: f.Text(), Line: n.Line()})
		}
	}
}

// isTestFile reports whether a path matches the folders and file names of the usual test runners.
func isTestFile(file string) bool {
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
