package spec

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// testFile is a file with tests, ready to be asked what they do.
type testFile struct {
	*code.File
	elsewhere bool // outside the target
	module    *surface
	surface   *surface // the file's own declarations, before the module's
	imports   map[string]meaning
	dotted    []string
	functions map[string]*function // by qualified name
	byLast    map[string]*function // by the last part of it
	cases     []*testCase
	shared    []code.Step // set-up that stands outside the tests
}

// testCase is a test with what stands in its own body, that of tests inside it left
// out.
type testCase struct {
	code.Test
	file    *testFile
	around  *testCase
	inner   []*testCase
	calls   []code.Call
	steps   []code.Step
	touches []touch
	by      *function // that the test leaves everything to
}

// function is a function of a test file.
type function struct {
	name  string // qualified
	sym   *code.Symbol
	calls []code.Call
	steps []code.Step
}

// touch is a use of something the module exports.
type touch struct {
	*declared
	direct bool // in the test's own body
	call   code.Call
}

// setUps are the names of functions that test frameworks run before each test.
var setUps = setOf("setUp", "setup", "setup_method", "setUpClass", "setup_class", "setUpWithError", "before", "beforeEach", "SetUp", "Setup", "TestInitialize", "init", "initialize")

// packageOf is the folder and package of a file in which tests see each other's
// declarations; "" for languages in which a file stands alone.
func packageOf(f *code.File) string {
	if f.Language != "go" {
		return ""
	}
	return path.Dir(f.Path) + " " + f.Package
}

// testPackages are the declarations that the tests of each package share.
func (m *material) testPackages(module *surface) map[string]*surface {
	lists := map[string][][]code.Symbol{}
	for _, f := range slices.Concat(m.tree.Files, m.tree.Tests) {
		if key := packageOf(f); key != "" && f.Test && f.Constraint == "" {
			lists[key] = append(lists[key], f.Symbols)
		}
	}
	out := map[string]*surface{}
	for key, list := range lists {
		out[key] = newSurface(list...)
		out[key].around = module
	}
	return out
}

// casesOf returns a file's tests with what they do. shared are the declarations of
// its package's tests; nil where it stands alone. Of a file elsewhere it is known which
// imports lead to the module.
func casesOf(f *code.File, module, shared *surface, elsewhere bool) *testFile {
	t := &testFile{File: f, elsewhere: elsewhere, module: module, surface: module, functions: map[string]*function{}, byLast: map[string]*function{}}
	switch {
	case shared != nil:
		t.surface = shared
	case f.Test:
		t.surface = newSurface(f.Symbols)
		t.surface.around = module
	}
	t.imports = module.bindImports(f, elsewhere)
	for name := range t.imports {
		if strings.Contains(name, ".") {
			t.dotted = append(t.dotted, name)
		}
	}
	slices.SortFunc(t.dotted, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	calls := slices.SortedStableFunc(slices.Values(f.Calls), func(a, b code.Call) int { return cmp.Compare(a.Line, b.Line) })
	var steps []code.Step
	if f.Bodies != nil {
		steps = slices.SortedStableFunc(slices.Values(f.Bodies.Steps), func(a, b code.Step) int { return cmp.Compare(a.Line, b.Line) })
	}
	t.nest(f.Tests)
	t.addFunctions(f.Symbols, "")
	for _, fn := range t.functions {
		fn.calls, fn.steps = callsIn(calls, fn.sym.StartLine, fn.sym.EndLine), stepsIn(steps, fn.sym.StartLine, fn.sym.EndLine)
	}
	for _, c := range t.cases {
		c.calls, c.steps = callsIn(calls, c.Line, c.EndLine), stepsIn(steps, c.Line, c.EndLine)
		for _, inner := range c.inner {
			c.calls = slices.DeleteFunc(c.calls, func(x code.Call) bool { return inner.holds(x.Line) })
			c.steps = slices.DeleteFunc(c.steps, func(x code.Step) bool { return inner.holds(x.Line) })
		}
	}
	t.share(steps)
	for _, c := range t.cases {
		if c.isDoc() {
			c.calls = callsOf(c.steps)
		}
		c.delegate()
		c.touches = t.touched(c)
	}
	return t
}

func (c *testCase) holds(line int) bool { return c.Line <= line && line <= c.EndLine }

// callsIn are the calls between two lines, of calls sorted by line.
func callsIn(calls []code.Call, first, last int) []code.Call {
	from := sort.Search(len(calls), func(i int) bool { return calls[i].Line >= first })
	to := sort.Search(len(calls), func(i int) bool { return calls[i].Line > last })
	return slices.Clone(calls[from:max(from, to)])
}

// stepsIn are the steps between two lines, of steps sorted by line.
func stepsIn(steps []code.Step, first, last int) []code.Step {
	from := sort.Search(len(steps), func(i int) bool { return steps[i].Line >= first })
	to := sort.Search(len(steps), func(i int) bool { return steps[i].Line > last })
	return slices.Clone(steps[from:max(from, to)])
}

// nest finds which test stands in which.
func (t *testFile) nest(tests []code.Test) {
	tests = slices.SortedStableFunc(slices.Values(tests), func(a, b code.Test) int { return cmp.Compare(a.Line, b.Line) })
	var open []*testCase
	for i, test := range tests {
		if test.EndLine == 0 && i+1 < len(tests) {
			test.EndLine = max(test.Line, tests[i+1].Line-1)
		} else if test.EndLine == 0 {
			test.EndLine = t.LOC
		}
		c := &testCase{Test: test, file: t}
		for len(open) > 0 && (open[len(open)-1].EndLine < c.Line || open[len(open)-1].Line == c.Line) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			c.around = open[len(open)-1]
			c.around.inner = append(c.around.inner, c)
		}
		open = append(open, c)
		t.cases = append(t.cases, c)
	}
}

func (t *testFile) addFunctions(list []code.Symbol, owner string) {
	for i := range list {
		s := &list[i]
		name := s.Name
		if owner != "" {
			name = owner + "." + name
		}
		if isCallable(&declared{sym: s}) && t.functions[name] == nil {
			t.functions[name] = &function{name: name, sym: s}
			t.byLast[lastName(name)] = t.functions[name]
		}
		t.addFunctions(s.Members, name)
	}
}

func isCallable(d *declared) bool {
	switch d.sym.Kind {
	case code.Function, code.Method, code.Constructor, code.Macro:
		return true
	default:
		return false
	}
}

// share finds the steps outside of tests and functions.
func (t *testFile) share(steps []code.Step) {
	hidden := make([]bool, t.LOC+2)
	hide := func(first, last int) {
		for i := max(first, 0); i <= last && i < len(hidden); i++ {
			hidden[i] = true
		}
	}
	for _, c := range t.cases {
		hide(c.Line, c.EndLine)
	}
	for _, fn := range t.functions {
		hide(fn.sym.StartLine, fn.sym.EndLine)
	}
	for _, s := range steps {
		if t.Test && s.Line < len(hidden) && !hidden[s.Line] {
			t.shared = append(t.shared, s)
		}
	}
}

// above returns the set-up that holds for a test: what the file shares, and what
// stands before it in the tests around.
func (c *testCase) above() []code.Step {
	if c.around == nil {
		before := slices.DeleteFunc(slices.Clone(c.file.shared), func(s code.Step) bool { return s.Line > c.Line || c.file.apart(s.Line, c.Line) })
		return append(before, c.setUp()...)
	}
	return append(c.around.above(), slices.DeleteFunc(slices.Clone(c.around.steps), func(s code.Step) bool { return s.Line > c.Line })...)
}

// apart tells a line in a class that another line is not in.
func (t *testFile) apart(line, from int) bool {
	return slices.ContainsFunc(t.Symbols, func(s code.Symbol) bool {
		return isTypeKind(s.Kind) && s.StartLine <= line && line <= s.EndLine && (from < s.StartLine || s.EndLine < from)
	})
}

// setUp is what the class of a test does before each, and those it extends do.
func (c *testCase) setUp() []code.Step {
	owner := strings.TrimSuffix(c.owner(), ".")
	var out []code.Step
	for range maxBases {
		class := c.file.surface.types[owner]
		if class == nil || class.members == nil {
			break
		}
		for name := range class.members {
			if fn := c.file.functions[owner+"."+name]; setUps[name] && fn != nil {
				out = append(slices.Clone(fn.steps), out...)
			}
		}
		if len(class.sym.Bases) == 0 {
			break
		}
		owner = class.sym.Bases[0]
	}
	slices.SortStableFunc(out, func(a, b code.Step) int { return a.Line - b.Line })
	return out
}

// owner is the qualified name of what a test's function stands in, with a dot.
func (c *testCase) owner() string {
	parts := strings.Split(c.Name, " > ")
	if len(parts) == 1 {
		return ""
	}
	return strings.Join(parts[:len(parts)-1], ".") + "."
}

// touches tells whether a test of the file uses something that the module exports.
func (t *testFile) touches() bool {
	return slices.ContainsFunc(t.cases, func(c *testCase) bool { return len(c.touches) > 0 })
}
