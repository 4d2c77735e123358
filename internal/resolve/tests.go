package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// setUps are the names of functions that test frameworks run before each test of a class or file.
var setUps = setOf("setUp", "setup", "setup_method", "setUpClass", "setup_class", "setup_module", "setup_function", "setUpModule", "setUpWithError", "asyncSetUp",
	"setUpTestData", "before", "beforeEach", "SetUp", "Setup", "SetupTest", "SetupSuite", "TestInitialize", "init", "initialize", "TestMain", "setUpBeforeClass")

// setUpMarks are the annotations of such functions, testMarks those of tests.
var (
	setUpMarks = setOf("BeforeEach", "BeforeAll", "Before", "BeforeClass", "BeforeMethod", "BeforeTest", "SetUp", "OneTimeSetUp", "TestInitialize", "ClassInitialize")
	testMarks  = setOf("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "Fact", "Theory", "TestCase", "TestMethod", "DataTestMethod", "test", "rstest", "test_case", "wasm_bindgen_test")
	testNames  = []string{"Test", "Example", "Fuzz", "Benchmark", "test_", "test"}
)

func setOf(list ...string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

// IsSetUp reports whether a function of a test file runs before tests without being called by them.
func (s *Symbol) IsSetUp() bool {
	return setUps[s.Name] || slices.ContainsFunc(s.Decorators, func(d string) bool {
		name, args := mark(d)
		if strings.HasSuffix(name, "fixture") {
			return strings.Contains(args, "autouse=True")
		}
		return setUpMarks[name]
	})
}

// isTest reports whether a function of a test file is a test.
func (s *Symbol) isTest() bool {
	return (s.Label == codegraph.LabelFunction || s.Label == codegraph.LabelMethod) && !s.IsSetUp() && IsTest(s.Name, s.Decorators)
}

// IsTest reports whether a function with a name and decorators, of a test file, is a test.
func IsTest(name string, decorators []string) bool {
	return slices.ContainsFunc(testNames, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) ||
		slices.ContainsFunc(decorators, func(d string) bool {
			name, _ := mark(d)
			return testMarks[name]
		})
}

// mark returns the last name of a decorator or annotation, and its arguments.
func mark(decorator string) (name, args string) {
	name, args, _ = strings.Cut(strings.TrimLeft(decorator, "@[#"), "(")
	name = strings.TrimSuffix(name, "]")
	return name[strings.LastIndexAny(name, ".:")+1:], args
}

// tests adds an edge from each test of a test file to each symbol of another file that the test reaches: by its own body, the
// set-up of its class or file, and the functions of the file that these use. Tests that are closures are those of the file. A test in a
// file of code has an edge to what it reaches outside the module that the test is in.
func (l *Linker) tests() {
	u := l.unit
	tests := u.testsOf()
	if len(tests) == 0 {
		return
	}
	out := map[int][]int{} // by symbol, indexes of edges
	for i := range l.edges.list {
		e := &l.edges.list[i]
		if e.Of == "" && e.To > 0 && e.Rule != Implementation && (e.Type == codegraph.Calls || e.Type == codegraph.References) {
			out[e.From] = append(out[e.From], i)
		}
	}
	setUp := map[int][]int{} // by class; 0 for the file
	for i := range u.symbols {
		if s := &u.symbols[i]; i > 0 && u.file.Test && s.Label != codegraph.LabelVariable && s.IsSetUp() {
			setUp[s.Parent] = append(setUp[s.Parent], i)
		}
	}
	for _, i := range tests {
		l.reach(i, out, append(slices.Clone(setUp[0]), setUp[u.symbols[i].Parent]...))
	}
}

// testsOf returns the tests of a file: the symbols of a test file that are tests, and the file itself, whose closures may be some; the
// functions of a file of code that are marked as tests.
func (u *unit) testsOf() []int {
	var out []int
	for i := range u.symbols {
		if s := &u.symbols[i]; u.file.Test && (i == 0 || s.isTest()) || !u.file.Test && i > 0 && IsTest("", s.Decorators) {
			out = append(out, i)
		}
	}
	return out
}

// testModules returns the prefixes of the qualified names of what is in a module with tests, of a file of code: "tests.".
func testModules(symbols []Symbol) []string {
	var out []string
	for i := range symbols {
		if module := moduleOf(&symbols[i]); module != "" && IsTest("", symbols[i].Decorators) && !slices.Contains(out, module) {
			out = append(out, module)
		}
	}
	return out
}

// moduleOf returns the prefix that a symbol's qualified name shares with those beside it; "" at the top of a file.
func moduleOf(s *Symbol) string { return s.Qualified[:strings.LastIndexByte(s.Qualified, '.')+1] }

// beside reports whether a symbol of the file of a test is one of the test's: any in a test file, in a file of code one in the module that
// the test is in.
func (l *Linker) beside(test, to int) bool {
	s := l.unit.symbols
	module := moduleOf(&s[test])
	return l.unit.file.Test || module != "" && strings.HasPrefix(s[to].Qualified, module)
}

// OfTests returns what says of a symbol of a file whether it is for tests alone: all of a test file, of a file of code what is in a
// module with tests, and tests.
func OfTests(f *code.File, symbols []Symbol) func(s *Symbol) bool {
	modules := testModules(symbols)
	return func(s *Symbol) bool {
		return f.Test || s.InTest(f) || IsTest("", s.Decorators) || slices.ContainsFunc(modules, func(m string) bool { return strings.HasPrefix(s.Qualified, m) })
	}
}

// InTest reports whether a function is a test, or in one, of a file that is not for tests alone.
func (s *Symbol) InTest(f *code.File) bool {
	if f.Test || s.Label != codegraph.LabelFunction && s.Label != codegraph.LabelMethod {
		return false
	}
	return slices.ContainsFunc(f.Tests, func(t code.Test) bool {
		return !strings.HasSuffix(t.Runner, "doctest") && s.StartLine <= max(t.Line, t.EndLine) && t.Line <= s.EndLine
	})
}

// reach adds the edges of one test.
func (l *Linker) reach(test int, out map[int][]int, setUp []int) {
	u := l.unit
	seen := map[int]bool{test: true}
	open := []int{test}
	if test != 0 || len(out[0]) > 0 {
		for _, s := range setUp {
			if !seen[s] {
				seen[s] = true
				open = append(open, s)
			}
		}
	}
	for i := 0; i < len(open); i++ {
		for _, k := range out[open[i]] {
			e := l.edges.list[k]
			if e.Path == u.file.Path && l.beside(test, e.To) {
				if !seen[e.To] && !u.symbols[e.To].isTest() {
					seen[e.To] = true
					open = append(open, e.To)
				}
				continue
			}
			if to := l.project.units[e.Path]; to == nil || to.file.Test {
				continue
			}
			l.putTest(test, &e)
		}
	}
}

// putTest adds the edge from a test to the target of another edge, or counts it if it exists.
func (l *Linker) putTest(test int, e *Edge) {
	edge := Edge{From: test, Type: codegraph.Tests, Path: e.Path, To: e.To, Line: e.Line, Count: e.Count, Rule: e.Rule, Weight: e.Weight}
	known := l.edges.of(&edge)
	if known == nil {
		l.edges.add(&edge)
		return
	}
	known.Count += e.Count
	known.Line = min(known.Line, e.Line)
	if e.Weight > known.Weight || e.Weight == known.Weight && e.Rule < known.Rule {
		known.Weight, known.Rule = e.Weight, e.Rule
	}
}
