package reach

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"sort"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// testFile is a file with tests or helpers of tests.
type testFile struct {
	*code.File
	tests []resolve.Span // by first line, enclosing ones first
	hooks []hook
	setUp map[string][]*resolve.Node // by the qualified name of the class; "" for those of all tests
	types []*resolve.Node
}

// hook is a closure that runs before the tests of a group.
type hook struct {
	resolve.Span
	around resolve.Span // the function that calls it; zero for the file
}

// hooks are the functions to which test frameworks are given what runs before each test of a group, or all.
var hooks = setOf("beforeEach", "beforeAll", "before", "setup", "suiteSetup", "beforeTest", "beforeSpec", "setUp", "setUpAll", "test.beforeEach", "prepend_before")

func setOf(list ...string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

func newTestFile(links *resolve.Links, f *code.File) *testFile {
	t := &testFile{File: f, setUp: map[string][]*resolve.Node{}, tests: Spans(f)}
	for _, n := range links.Linked(f.Path) {
		switch {
		case n.Path() == "":
		case n.IsType():
			t.types = append(t.types, n)
		case n.IsSetUp():
			t.setUp[n.Owner()] = append(t.setUp[n.Owner()], n)
		}
	}
	all := links.Functions(f.Path)
	for i := range all {
		if h := &all[i]; h.Passed && hooks[h.To] {
			t.hooks = append(t.hooks, hook{h.Span, around(all, h.Span)})
		}
	}
	return t
}

// Spans returns the lines of the tests of a file, by first line. A test whose end is not known ends before the next.
func Spans(f *code.File) []resolve.Span {
	var out []resolve.Span
	for _, t := range f.Tests {
		out = append(out, resolve.Span{First: t.Line, Last: t.EndLine})
	}
	slices.SortStableFunc(out, func(a, b resolve.Span) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last)) })
	for i := range out {
		if out[i].Last == 0 {
			out[i].Last = f.LOC
			if i+1 < len(out) {
				out[i].Last = max(out[i].First, out[i+1].First-1)
			}
		}
	}
	return out
}

// around returns the innermost function that contains a span, other than its own; zero for none.
func around(all []resolve.Function, s resolve.Span) resolve.Span {
	var out resolve.Span
	for _, f := range all {
		if f.First > s.First {
			break
		}
		if f.Span != s && f.Last >= s.Last && (out == resolve.Span{} || f.First >= out.First && f.Last <= out.Last) {
			out = f.Span
		}
	}
	return out
}

// testAt returns the innermost test that contains a line.
func (t *testFile) testAt(line int) (s resolve.Span, ok bool) {
	for i := sort.Search(len(t.tests), func(i int) bool { return t.tests[i].First > line }) - 1; i >= 0; i-- {
		if t.tests[i].Holds(line) {
			return t.tests[i], true
		}
	}
	return resolve.Span{}, false
}

// declares reports whether lines contain a test.
func (t *testFile) declares(s resolve.Span) bool {
	i := sort.Search(len(t.tests), func(i int) bool { return t.tests[i].First >= s.First })
	return i < len(t.tests) && t.tests[i].Last <= s.Last
}

// setUp adds what runs before the test.
func (w *walk) setUp() {
	f := w.files[w.test.File]
	if f == nil {
		return
	}
	own := w.links.Around(f.Path, w.test.First, w.test.Last)
	w.class = classAround(own)
	for _, fixture := range w.fixturesOf(own) {
		w.helper(fixture, 1)
	}
	for _, h := range f.hooks {
		if (h.around == resolve.Span{}) || h.around.Holds(w.test.First) {
			w.add(f.Path, h.Span, 1)
		}
	}
	for _, class := range f.types {
		if class.StartLine <= w.test.First && w.test.Last <= class.EndLine {
			w.classSetUp(class, map[*resolve.Node]bool{})
		}
	}
	w.sharedSetUp(f)
	w.declared(f, own)
}

// classAround returns the innermost class that a test is in, or is; nil for none.
func classAround(n *resolve.Node) *resolve.Node {
	for n != nil && !n.IsType() {
		n = n.Parent()
	}
	return n
}

// declared adds the calls of the functions that declare the test: these get their arguments there.
func (w *walk) declared(f *testFile, own *resolve.Node) {
	for n := own; n != nil; n = n.Parent() {
		if !n.IsType() && n.StartLine < w.test.First && w.test.Last < n.EndLine && f.declares(resolve.Span{First: n.StartLine, Last: n.EndLine}) {
			for _, c := range w.callersOf(n) {
				w.add(c.file, c.Span, 1)
			}
		}
	}
}

func (w *walk) fixturesOf(test *resolve.Node) []*resolve.Node {
	if test == nil {
		return nil
	}
	return w.links.Fixtures(test, w.class)
}

// classSetUp adds the set-up functions and fields of a class and its bases.
func (w *walk) classSetUp(class *resolve.Node, seen map[*resolve.Node]bool) {
	if seen[class] {
		return
	}
	seen[class] = true
	if f := w.files[class.File]; f != nil {
		for _, n := range f.setUp[class.Path()] {
			w.helper(n, 1)
		}
	}
	for _, u := range w.links.Uses(class) {
		if u.Type == codegraph.Inherits && u.To.Test {
			w.classSetUp(u.To, seen)
		}
	}
}

// sharedSetUp adds what runs before all tests of the file: its own, that of its package in Go, and fixtures of pytest.
func (w *walk) sharedSetUp(f *testFile) {
	files := []string{f.Path}
	switch f.Language {
	case "python":
		files = append(files, resolve.Conftests(f.Path)...)
	case "go":
		for _, file := range slices.Sorted(maps.Keys(w.files)) {
			if other := w.files[file]; other != f && path.Dir(other.Path) == path.Dir(f.Path) && other.Language == "go" {
				files = append(files, other.Path)
			}
		}
	}
	for _, file := range files {
		if other := w.files[file]; other != nil {
			for _, n := range other.setUp[""] {
				if other == f || n.Name == "TestMain" || n.IsFixture() {
					w.helper(n, 2)
				}
			}
		}
	}
}

// callersOf returns the calls of a function that declares tests.
func (f *Finder) callersOf(n *resolve.Node) []call {
	if f.callers == nil {
		f.callers = map[*resolve.Node][]call{}
		for _, file := range f.files {
			for _, u := range f.links.Within(file.Path, 1, file.LOC) {
				if u.Type != codegraph.Calls || !u.To.Test || u.To.IsType() {
					continue
				}
				if to := f.files[u.To.File]; to != nil && to.declares(resolve.Span{First: u.To.StartLine, Last: u.To.EndLine}) {
					f.callers[u.To] = append(f.callers[u.To], call{file.Path, f.links.Span(u)})
				}
			}
		}
		for _, list := range f.callers {
			slices.SortFunc(list, func(a, b call) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.First, b.First)) })
		}
	}
	return f.callers[n]
}

// setting is a mention of a variable outside the tests.
type setting struct {
	resolve.Mention
	in    resolve.Span // the test that contains it ...
	inner bool         // ... if there is one
}

// settings returns the mentions of a variable that may be set-up: those not in expressions that declare tests.
func (f *Finder) settings(file string, v *resolve.Variable) []setting {
	if known, ok := f.kept[v]; ok {
		return known
	}
	var out []setting
	t := f.files[file]
	seen := map[resolve.Span]bool{}
	for _, m := range v.Mentions {
		if t == nil || seen[m.Span] || t.declares(m.Span) {
			continue
		}
		s := setting{Mention: m}
		if s.in, s.inner = t.testAt(m.Line); s.inner && !t.holdsTests(s.in) {
			continue // of one test alone
		}
		if slices.ContainsFunc(m.Within, func(fn resolve.Function) bool { return !fn.Passed && !t.declares(fn.Span) }) {
			continue // it runs when the function is called
		}
		seen[m.Span] = true
		out = append(out, s)
	}
	f.kept[v] = out
	return out
}

// holdsTests reports whether a test contains others.
func (t *testFile) holdsTests(s resolve.Span) bool {
	i := sort.Search(len(t.tests), func(i int) bool { return t.tests[i].First > s.First })
	return i < len(t.tests) && t.tests[i].Last <= s.Last
}

// applies reports whether a setting runs before the test: the groups around it are those of the test.
func (w *walk) applies(file string, s *setting) bool {
	if file != w.test.File {
		return !s.inner && !slices.ContainsFunc(s.Within, func(fn resolve.Function) bool { return w.files[file].declares(fn.Span) })
	}
	if s.inner && !s.in.Holds(w.test.First) {
		return false
	}
	return !slices.ContainsFunc(s.Within, func(fn resolve.Function) bool {
		return !fn.Holds(w.test.First) && w.files[file].declares(fn.Span)
	})
}
