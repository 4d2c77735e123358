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
	for _, f := range m.tree.Files {
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
// its package's tests; nil where it stands alone.
func casesOf(f *code.File, module, shared *surface) *testFile {
	t := &testFile{File: f, module: module, surface: module, functions: map[string]*function{}, byLast: map[string]*function{}}
	switch {
	case shared != nil:
		t.surface = shared
	case f.Test:
		t.surface = newSurface(f.Symbols)
		t.surface.around = module
	}
	t.imports = module.bindImports(f)
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

// delegate takes for the body of a test that of the function of its file to which
// it leaves everything.
func (c *testCase) delegate() {
	own := slices.DeleteFunc(slices.Clone(c.steps), isNoise)
	if len(own) != 1 || len(c.inner) > 0 || isAssertion(own[0]) {
		return
	}
	_, rest, ok := strings.Cut(own[0].Text, "(")
	if !ok {
		return
	}
	names := append([]string{nameAt(own[0].Text)}, splitArgs(strings.TrimSuffix(rest, ")"))...)
	slices.Reverse(names) // in run(t, testGet) it is testGet
	for _, name := range names {
		if fn := c.file.functions[name]; fn != nil && c.file.Test && len(fn.steps) > 1 && !c.holds(fn.sym.StartLine) {
			c.by, c.calls, c.steps = fn, fn.calls, fn.steps
			return
		}
	}
}

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
		if t.File.Test && s.Line < len(hidden) && !hidden[s.Line] {
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

// maxHelpers bounds how far a test's helpers are followed.
const maxHelpers = 4

// touched lists what of the module a test uses, what its own body uses first.
func (t *testFile) touched(c *testCase) []touch {
	s := t.scope(strings.TrimSuffix(c.owner(), "."))
	if c.by != nil {
		s = t.inside(c.by)
	}
	for _, step := range c.above() {
		s.assign(step.Text)
	}
	for _, step := range c.steps {
		s.assign(step.Text)
	}
	w := &walk{file: t, seen: map[string]bool{}, at: map[*declared]bool{}}
	w.calls(s, c.calls, 0)
	w.handed(s, c.steps)
	slices.SortStableFunc(w.out, func(a, b touch) int { return boolOrder(b.direct) - boolOrder(a.direct) })
	return w.out
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// scope is what names mean in a function of the file whose owner has a name.
func (t *testFile) scope(owner string) *scope {
	return &scope{surface: t.surface, imports: t.imports, dotted: t.dotted, vars: map[string]meaning{}, self: t.surface.typeNamed(owner)}
}

// walk follows the calls of a test.
type walk struct {
	file *testFile
	seen map[string]bool // functions of the file
	at   map[*declared]bool
	out  []touch
}

func (w *walk) calls(s *scope, calls []code.Call, depth int) {
	for _, c := range calls {
		d := s.resolve(w.file, c)
		switch {
		case d == nil:
		case w.file.module.exports(d):
			if !w.at[d] {
				w.at[d] = true
				w.out = append(w.out, touch{d, depth == 0, c})
			}
		case depth < maxHelpers && !w.seen[d.name]:
			w.seen[d.name] = true
			if fn := w.file.functions[d.name]; fn != nil && w.file.Test {
				w.calls(w.file.inside(fn), fn.calls, depth+1)
			}
		}
	}
}

// handed adds the functions that a test gives to others to call.
func (w *walk) handed(s *scope, steps []code.Step) {
	for _, step := range steps {
		_, args, ok := strings.Cut(step.Text, "(")
		if !ok {
			continue
		}
		for _, arg := range splitArgs(strings.TrimSuffix(args, ")")) {
			if strings.TrimFunc(arg, func(c rune) bool { return isNameRune(c) || c == '.' || c == ':' }) != "" || nameAt(arg) == "" {
				continue
			}
			if m := s.eval(arg); m.is == isFunction && isCallable(m.d) && w.file.module.exports(m.d) && !w.at[m.d] {
				w.at[m.d] = true
				w.out = append(w.out, touch{m.d, true, code.Call{Name: lastName(m.d.name), Line: step.Line}})
			}
		}
	}
}

// inside is the scope of a function: its parameters and what it sets.
func (t *testFile) inside(fn *function) *scope {
	owner, _, _ := cutLast(fn.name, ".")
	s := t.scope(owner)
	for _, p := range fn.sym.Params {
		if p.Type != "" {
			s.vars[p.Name] = s.typed(p.Type)
		}
	}
	for _, step := range fn.steps {
		s.assign(step.Text)
	}
	return s
}

func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(sep):], true
}

// exports tells a declaration that others can use.
func (s *surface) exports(d *declared) bool { return slices.Contains(s.byLast[lastName(d.name)], d) }

// resolve finds what a call calls; nil where the text does not show it.
func (s *scope) resolve(t *testFile, c code.Call) *declared {
	if c.Receiver == "" {
		return s.bare(t, c)
	}
	m := s.eval(c.Receiver)
	if strings.HasPrefix(c.Receiver, "…") {
		m = meaning{}
	}
	if m.is == isUnknown {
		return s.guess(c)
	}
	if m = s.memberOf(m, c.Name); m.is == isFunction || m.is == isType {
		return m.d
	}
	return nil
}

// bare finds what a name means that is called without a receiver.
func (s *scope) bare(t *testFile, c code.Call) *declared {
	if m, local := s.vars[c.Name]; local {
		if m.is != isType && m.is != isFunction {
			return nil
		}
		return m.d // by another name
	}
	if m, ok := s.imports[c.Name]; ok && m.is != isForeign {
		return m.d
	}
	if s.self != nil {
		if d := s.member(s.self, c.Name); d != nil {
			return d
		}
	}
	d := s.topLevel(c.Name)
	if d == nil && c.New {
		d = s.typeNamed(c.Name)
	}
	if d == nil || s.module(d) && !t.sees() {
		return nil
	}
	return d
}

// module tells a declaration of the module from those of the test's file.
func (s *scope) module(d *declared) bool {
	return s.around != nil && s.top[d.name] != d
}

// sees tells whether bare names of the module are known in a file that does not
// name them in an import.
func (t *testFile) sees() bool {
	switch {
	case t.Language == "go" && strings.HasSuffix(t.Package, "_test"):
		return slices.ContainsFunc(t.Imports, func(i code.Import) bool { return i.Namespace == "." })
	case importsNames(t.Language):
		return len(t.Imports) == 0 || slices.ContainsFunc(t.Imports, func(i code.Import) bool { return slices.Contains(i.Named, "*") })
	}
	return true
}

// guess takes a method on something unknown for the only one of the module that
// is called so, where the name is of several words: those are hardly anyone else's.
func (s *scope) guess(c code.Call) *declared {
	name := strings.Trim(c.Name, "_")
	if words := inWords(name); !strings.Contains(words, " ") {
		return nil
	}
	module := s.surface
	for module.around != nil {
		module = module.around
	}
	list := module.byLast[c.Name]
	if len(list) != 1 || !strings.Contains(list[0].name, ".") || !isCallable(list[0]) {
		return nil
	}
	return list[0]
}
