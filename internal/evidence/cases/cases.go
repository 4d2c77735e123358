// Package cases analyses tests: which symbols of a module each test uses, by the links of
// package resolve, and which of its statements are set-up, action and assertion. [Read] returns
// the [Case] values of a [Module], [Choose] matches them with claims of a spec.
package cases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/reach"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Module is the module under test.
type Module struct {
	Exports []code.Symbol // merged declarations of its files
	Files   []*code.File  // including tests
	Tests   []*code.File  // tests elsewhere in the project
	Helpers []*code.File  // files with fixtures and set-up of the tests
	// Visitors are those of Tests that are tests of something else.
	Visitors map[string]bool
	Links    *resolve.Links // of Files and Tests
	// Sending are the places of the tests that send requests to routes of the module, as file:line.
	Sending map[string]bool
}

// Read returns the tests in a module's files, followed by those in files elsewhere of which a test reaches the module;
// elsewhere has these files. Vendored files and files for other platforms are skipped.
func Read(m Module) (list []*Case, elsewhere []*code.File) {
	e := m.exports()
	var files []*testFile
	for _, f := range m.Files {
		if len(f.Tests) > 0 && !f.Vendored && f.Constraint == "" {
			files = append(files, casesOf(f, e))
			list = append(list, files[len(files)-1].cases...)
		}
	}
	own, names := len(files), e.stems()
	for _, f := range m.Tests {
		if f.Constraint == "" {
			t := casesOf(withInherited(f, m.Links), e)
			t.visits = m.Visitors[f.Path] && !names[squeeze(stemOf(f.Path))]
			files = append(files, t)
		}
	}
	e.lead(files)
	for _, t := range files {
		for _, c := range t.cases {
			c.assumed = c.assumed || m.Sending[c.Place()]
		}
	}
	for _, t := range files[own:] {
		if t.reaches() {
			elsewhere = append(elsewhere, t.File)
			list = append(list, t.cases...)
		}
	}
	return list, elsewhere
}

// Case is a test with the contents of its own body, without those of nested tests.
type Case struct {
	code.Test
	file     *testFile
	around   *Case
	inner    []*Case
	steps    []code.Step
	touches  []touch // exports of the module that test code uses
	reached  []reach.Reached
	ran      []resolve.Span           // lines of its file
	entries  map[*resolve.Node]int    // symbols of the module that it reaches, with their distances
	by       *function                // function that the test delegates to
	acts     *Acts                    // see Acts; nil until needed
	story    *Story                   // see Story; nil until needed
	expected []func(text string) bool // see Expects; nil until needed
	table    *Table                   // see Table
	tabled   bool                     // Table was asked for
	assumed  bool                     // it reaches the module by the name of its file, see assume, or by a request
}

// Reaches reports whether the test reaches the module, and how many helpers, fixtures and calls are between; see
// [reach.Reached].
func (c *Case) Reaches() (distance int, ok bool) {
	for _, d := range c.entries {
		if !ok || d < distance {
			distance, ok = d, true
		}
	}
	if !ok && len(c.touches) > 0 {
		return c.touches[0].distance, true
	}
	if c.assumed {
		return farthest, true
	}
	return distance, ok
}

// farthest is the distance of a module that a test is not seen to reach.
const farthest = 99

// Place returns the test's location as file:line.
func (c *Case) Place() string { return fmt.Sprintf("%s:%d", c.file.Path, c.Line) }

// File returns the path of the test's file.
func (c *Case) File() string { return c.file.Path }

// Visits reports whether the test is of something else, and only passes through the module.
func (c *Case) Visits() bool { return c.file.visits }

// Redacted reports whether a secret was removed from the test's text.
func (c *Case) Redacted() bool {
	return slices.ContainsFunc(c.file.Redactions, func(r code.Redaction) bool { return c.holds(r.Line) })
}

// Uses returns the qualified names of the module's exports that the test uses, without
// duplicates; those in its own body come first.
func (c *Case) Uses() []string { return namesOf(c.touches) }

func namesOf(list []touch) []string {
	var out []string
	for _, t := range list {
		if !slices.Contains(out, t.name) {
			out = append(out, t.name)
		}
	}
	return out
}

// owner returns the qualified name of what encloses the test's function, with a trailing dot.
func (c *Case) owner() string {
	parts := strings.Split(c.Name, " > ")
	if len(parts) == 1 {
		return ""
	}
	return strings.Join(parts[:len(parts)-1], ".") + "."
}

// subjects returns the uses that a test is about: of those in its own body the ones that its
// name mentions, or else the functions, or else all.
func (c *Case) subjects() []touch {
	var direct, said, functions []touch
	for _, t := range c.touches {
		if t.distance > 0 {
			continue
		}
		direct = append(direct, t)
		if c.says(t.declared) > 0 {
			said = append(said, t)
		}
		if !isTypeKind(t.sym.Kind) {
			functions = append(functions, t)
		}
	}
	for _, list := range [][]touch{said, functions, direct} {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// States returns how many words of the test's name are not those of the symbols that it uses.
func (c *Case) States() int {
	known := map[string]bool{}
	for _, t := range c.touches {
		for word := range strings.FieldsSeq(strings.ToLower(inWords(strings.ReplaceAll(t.name, ".", "_")))) {
			known[word] = true
		}
	}
	count := 0
	for word := range strings.FieldsSeq(strings.ToLower(Words(c.Name))) {
		if !known[word] {
			count++
		}
	}
	return count
}

// Descriptive reports whether the test's name says more than the name of a function or of the
// symbols that it uses.
func (c *Case) Descriptive() bool {
	own := ownName(c.Name)
	said := inWords(own)
	return said != own && !slices.ContainsFunc(c.touches, func(t touch) bool {
		return squeeze(said) == squeeze(t.name) || squeeze(said) == squeeze(LastName(t.name))
	})
}
