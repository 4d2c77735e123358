package cases

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// testFile is an analysed file with tests.
type testFile struct {
	*code.File
	elsewhere bool // outside the target
	module    *surface
	surface   *surface // the file's own declarations, then the module's
	imports   map[string]meaning
	dotted    []string
	functions map[string]*function // by qualified name
	byLast    map[string]*function // by the last part of the qualified name
	cases     []*Case
	shared    []code.Step // set-up outside the tests
}

// function is a function of a test file.
type function struct {
	name  string // qualified
	sym   *code.Symbol
	calls []code.Call
	steps []code.Step
}

// touch is a use of an export of the module.
type touch struct {
	*declared
	direct bool // in the test's own body
	call   code.Call
}

// packageOf returns the folder and package of a file whose tests share declarations; "" for
// languages in which each file is separate.
func packageOf(f *code.File) string {
	if f.Language != "go" {
		return ""
	}
	return path.Dir(f.Path) + " " + f.Package
}

// casesOf returns a file's tests. shared has the declarations of its package's tests, nil if
// the file is separate. elsewhere says that the file is outside the module, so that its
// imports must lead there.
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
		if InDocs(c.Test) {
			c.calls = callsOf(c.steps)
		}
		c.delegate()
		c.touches = t.touched(c)
	}
	return t
}

func (c *Case) holds(line int) bool { return c.Line <= line && line <= c.EndLine }

// callsIn returns the calls between two lines; calls is sorted by line.
func callsIn(calls []code.Call, first, last int) []code.Call {
	from := sort.Search(len(calls), func(i int) bool { return calls[i].Line >= first })
	to := sort.Search(len(calls), func(i int) bool { return calls[i].Line > last })
	return slices.Clone(calls[from:max(from, to)])
}

// stepsIn returns the steps between two lines; steps is sorted by line.
func stepsIn(steps []code.Step, first, last int) []code.Step {
	from := sort.Search(len(steps), func(i int) bool { return steps[i].Line >= first })
	to := sort.Search(len(steps), func(i int) bool { return steps[i].Line > last })
	return slices.Clone(steps[from:max(from, to)])
}

// nest determines which tests are nested in others.
func (t *testFile) nest(tests []code.Test) {
	tests = slices.SortedStableFunc(slices.Values(tests), func(a, b code.Test) int { return cmp.Compare(a.Line, b.Line) })
	var open []*Case
	for i, test := range tests {
		if test.EndLine == 0 && i+1 < len(tests) {
			test.EndLine = max(test.Line, tests[i+1].Line-1)
		} else if test.EndLine == 0 {
			test.EndLine = t.LOC
		}
		c := &Case{Test: test, file: t}
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
			t.byLast[LastName(name)] = t.functions[name]
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

// share finds the steps outside tests and functions.
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

// apart reports whether a line is in a class that does not contain the line from.
func (t *testFile) apart(line, from int) bool {
	return slices.ContainsFunc(t.Symbols, func(s code.Symbol) bool {
		return isTypeKind(s.Kind) && s.StartLine <= line && line <= s.EndLine && (from < s.StartLine || s.EndLine < from)
	})
}

// touches reports whether a test of the file uses an export of the module.
func (t *testFile) touches() bool {
	return slices.ContainsFunc(t.cases, func(c *Case) bool { return len(c.touches) > 0 })
}
