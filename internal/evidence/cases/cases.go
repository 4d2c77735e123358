// Package cases tells what tests do: what of a module each of them uses, and which of its
// statements set up, act and check. It reads parsed files and the texts of statements in
// them; where these do not show what an expression is, nothing is said of it.
package cases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Module is what the tests may be of.
type Module struct {
	Name string // as its path ends in imports
	// What its files declare, merged: for others and for itself.
	Exports, Internals []code.Symbol
	Files              []*code.File // tests among them
	Tests              []*code.File // tests elsewhere in the project
}

// Read returns the tests that stand in a module's files, and behind them those of the
// files elsewhere in which a test uses something the module exports; these files are
// elsewhere. What is another's, or for another platform, is left out.
func Read(m Module) (list []*Case, elsewhere []*code.File) {
	module := m.surface()
	packages := m.packages(module)
	for _, f := range m.Files {
		if len(f.Tests) > 0 && !f.Vendored && f.Constraint == "" {
			list = append(list, casesOf(f, module, packages[packageOf(f)], false).cases...)
		}
	}
	for _, f := range m.Tests {
		if t := casesOf(f, module, packages[packageOf(f)], true); f.Constraint == "" && t.touches() {
			elsewhere = append(elsewhere, f)
			list = append(list, t.cases...)
		}
	}
	return list, elsewhere
}

// packages are the declarations that the tests of each package share.
func (m Module) packages(module *surface) map[string]*surface {
	lists := map[string][][]code.Symbol{}
	for _, f := range slices.Concat(m.Files, m.Tests) {
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

// Case is a test with what stands in its own body, that of tests inside it left
// out.
type Case struct {
	code.Test
	file    *testFile
	around  *Case
	inner   []*Case
	calls   []code.Call
	steps   []code.Step
	touches []touch
	by      *function // that the test leaves everything to
}

// Place is where the test stands: file:line.
func (c *Case) Place() string { return fmt.Sprintf("%s:%d", c.file.Path, c.Line) }

// Uses are the qualified names of what the module exports and the test uses, each once;
// what its own body uses comes first.
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

// owner is the qualified name of what a test's function stands in, with a dot.
func (c *Case) owner() string {
	parts := strings.Split(c.Name, " > ")
	if len(parts) == 1 {
		return ""
	}
	return strings.Join(parts[:len(parts)-1], ".") + "."
}

// subjects are the uses that a test is about: of those in its own body what its name
// says, else the functions, else all.
func (c *Case) subjects() []touch {
	var direct, said, functions []touch
	for _, t := range c.touches {
		if !t.direct {
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

// Telling tells whether the words of the test's name say more than the name itself, and
// than the names of what it uses.
func (c *Case) Telling() bool {
	own := ownName(c.Name)
	said := inWords(own)
	return said != own && !slices.ContainsFunc(c.touches, func(t touch) bool {
		return squeeze(said) == squeeze(t.name) || squeeze(said) == squeeze(LastName(t.name))
	})
}
