package cases

import (
	"cmp"
	"slices"
	"sort"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// testFile is an analysed file with tests.
type testFile struct {
	*code.File
	visits    bool // its tests are of something else
	exports   *exports
	functions map[string]*function // by qualified name
	byLast    map[string]*function // by the last part of the qualified name
	cases     []*Case
	shared    []code.Step // set-up outside the tests
}

// function is a function of a test file.
type function struct {
	sym   *code.Symbol
	steps []code.Step
}

// casesOf returns a file's tests.
func casesOf(f *code.File, e *exports) *testFile {
	t := &testFile{File: f, exports: e, functions: map[string]*function{}, byLast: map[string]*function{}}
	var steps []code.Step
	if f.Bodies != nil {
		steps = slices.SortedStableFunc(slices.Values(f.Bodies.Steps), func(a, b code.Step) int { return cmp.Compare(a.Line, b.Line) })
	}
	t.nest(f.Tests)
	t.addFunctions(f.Symbols, "")
	for _, fn := range t.functions {
		fn.steps = stepsIn(steps, fn.sym.StartLine, fn.sym.EndLine)
	}
	for _, c := range t.cases {
		c.steps = stepsIn(steps, c.Line, c.EndLine)
		for _, inner := range c.inner {
			c.steps = slices.DeleteFunc(c.steps, func(x code.Step) bool { return inner.holds(x.Line) })
		}
	}
	t.share(steps)
	for _, c := range t.cases {
		c.delegate()
		c.touches = c.touched()
		if InDocs(c.Test) {
			c.touches = e.named(c)
		}
	}
	return t
}

func (c *Case) holds(line int) bool { return c.Line <= line && line <= c.EndLine }

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
		if isFunction(s) && t.functions[name] == nil {
			t.functions[name] = &function{sym: s}
			t.byLast[LastName(name)] = t.functions[name]
		}
		t.addFunctions(s.Members, name)
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

// reaches reports whether a test of the file reaches the module.
func (t *testFile) reaches() bool {
	return slices.ContainsFunc(t.cases, func(c *Case) bool {
		_, ok := c.Reaches()
		return ok
	})
}
