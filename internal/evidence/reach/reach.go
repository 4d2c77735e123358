// Package reach finds the code that a test runs: what its own body uses, what is used by the fixtures and set-up functions
// that run before it, by the statements that set or name a variable of which it makes use, and by the helpers that these
// call. [Finder.Of] answers for one test, [Finder.Toward] for what code outside the tests leads to a module.
package reach

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Reached is a symbol outside the tests that a test uses.
type Reached struct {
	*resolve.Node
	// Distance is 0 for a use in the test's own body, and one more for each helper, fixture or variable that leads to it.
	Distance int
	Called   bool // it is called, not only named
	// What is written at the first of the nearest uses: its name, and whether that follows a receiver.
	As       string
	Selected bool
}

// Test is a test of a file. Inner are the lines of tests in it, which are not its own.
type Test struct {
	File string
	resolve.Span
	Inner []resolve.Span
}

// Finder finds what tests reach. It is not safe for concurrent use.
type Finder struct {
	links   *resolve.Links
	files   map[string]*testFile
	callers map[*resolve.Node][]call // of functions that declare tests; nil until needed
	kept    map[*resolve.Variable][]setting
}

// call is a place in a test file.
type call struct {
	file string
	resolve.Span
}

// New returns a finder for the tests in files, which are linked in links.
func New(links *resolve.Links, files []*code.File) *Finder {
	f := &Finder{links: links, files: map[string]*testFile{}, kept: map[*resolve.Variable][]setting{}}
	for _, file := range files {
		if file.Test || len(file.Tests) > 0 {
			f.files[file.Path] = newTestFile(links, file)
		}
	}
	return f
}

// maxDistance limits how many helpers, fixtures and variables in a row are followed.
const maxDistance = 6

// region is lines of a test file that a test runs.
type region struct {
	call
	distance int
}

// walk follows what one test runs.
type walk struct {
	*Finder
	test    Test
	class   *resolve.Node             // that declares the test; nil for none
	open    [maxDistance + 1][]region // by distance
	helpers map[*resolve.Node]bool
	set     map[*resolve.Variable]bool
	at      map[*resolve.Node]int // index in out
	out     []Reached
}

// Of returns what a test reaches outside the tests, nearest first and in source order, and which lines of its file it runs.
func (f *Finder) Of(t Test) (reached []Reached, ran []resolve.Span) {
	w := &walk{Finder: f, test: t, helpers: map[*resolve.Node]bool{}, set: map[*resolve.Variable]bool{}, at: map[*resolve.Node]int{}}
	w.add(t.File, t.Span, 0)
	w.setUp()
	for distance := range w.open { // what is followed is farther away
		for i := 0; i < len(w.open[distance]); i++ {
			r := w.open[distance][i]
			w.uses(r)
			w.variables(r)
			if r.file == t.File {
				ran = append(ran, r.Span)
			}
		}
	}
	return w.out, ran
}

func (w *walk) add(file string, lines resolve.Span, distance int) {
	if distance <= maxDistance {
		w.open[distance] = append(w.open[distance], region{call{file, lines}, distance})
	}
}

// helper adds a function, class or variable of a test file.
func (w *walk) helper(n *resolve.Node, distance int) {
	if n == nil || w.helpers[n] || n.Path() == "" {
		return
	}
	w.helpers[n] = true
	if n.IsType() { // its fields and constructors; methods are reached when they are called
		for _, u := range w.links.Uses(n) {
			w.use(u, distance)
		}
		return
	}
	w.add(n.File, resolve.Span{First: n.StartLine, Last: n.EndLine}, distance)
	for _, fixture := range w.links.Fixtures(n, w.class) {
		w.helper(fixture, distance+1)
	}
}

// uses follows what the lines of a region use.
func (w *walk) uses(r region) {
	for _, u := range w.links.Within(r.file, r.First, r.Last) {
		if !w.foreign(r, u.Line) {
			w.use(u, r.distance)
		}
	}
}

// foreign reports whether a line of a region is in another test: one inside the test, or one that a helper declares.
func (w *walk) foreign(r region, line int) bool {
	if r.distance == 0 {
		return slices.ContainsFunc(w.test.Inner, func(s resolve.Span) bool { return s.Holds(line) })
	}
	f := w.files[r.file]
	if f == nil {
		return false
	}
	other, in := f.testAt(line)
	return in && other != r.Span && (r.file != w.test.File || !other.Holds(w.test.First))
}

// use follows a use, or notes it.
func (w *walk) use(u resolve.Use, distance int) {
	called := u.Type == codegraph.Calls || u.Rule == resolve.Held || u.Type == codegraph.References && w.links.Bound(u)
	if !called && u.Type != codegraph.References || u.Rule == resolve.Implementation {
		return
	}
	if u.To.Test {
		if called || !u.To.IsType() {
			w.helper(u.To, distance+1)
		}
		return
	}
	if i, known := w.at[u.To]; known {
		w.out[i].Called = w.out[i].Called || called
		return
	}
	w.at[u.To] = len(w.out)
	w.out = append(w.out, Reached{Node: u.To, Distance: distance, Called: called, As: u.Name, Selected: u.Selected})
}

// variables follows the expressions that set or name the variables of a region.
func (w *walk) variables(r region) {
	for _, v := range w.links.Variables(r.file, r.First, r.Last) {
		if w.set[v] {
			continue
		}
		w.set[v] = true
		for _, s := range w.settings(r.file, v) {
			if w.applies(r.file, &s) {
				w.add(r.file, s.Span, r.distance+1)
			}
		}
	}
}
