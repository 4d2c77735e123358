package source

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// A test may name nothing of what it tests and get it from another test file: from a fixture, a base class, a function that sets
// an application up. Such a file is a helper of the test.

// maxHelpers is the number of helpers in a row that are followed.
const maxHelpers = 3

// fixtureFile is the file whose fixtures pytest gives to the tests in its folder and below, without an import.
const fixtureFile = "conftest.py"

// borrowers returns the tests, by index, that have a file as helper: those that import it, and those that request one of its
// fixtures.
func (t *Tests) borrowers(helper string) []int {
	list := t.imported[helper]
	if path.Base(helper) != fixtureFile {
		return list
	}
	fixtures := fixturesOf(t.site.tests[t.at[helper]].Symbols)
	if len(fixtures) == 0 {
		return list
	}
	list = slices.Clone(list)
	for i := range t.site.tests {
		if test := &t.site.tests[i]; within(test.Path, path.Dir(helper)) && test.Path != helper && requests(test.Symbols, fixtures) {
			list = append(list, i)
		}
	}
	return list
}

// fixturesOf returns the names of the fixtures of pytest among the functions of a file.
func fixturesOf(list []code.Symbol) map[string]bool {
	out := map[string]bool{}
	for i := range list {
		for _, d := range list[i].Decorators {
			if name, _, _ := strings.Cut(d, "("); strings.HasSuffix(name, "fixture") {
				out[list[i].Name] = true
			}
		}
	}
	return out
}

// requests reports whether one of the functions requests a fixture: by the name of a parameter, or by a decorator.
func requests(list []code.Symbol, fixtures map[string]bool) bool {
	for i := range list {
		s := &list[i]
		if slices.ContainsFunc(s.Params, func(p code.Param) bool { return fixtures[p.Name] }) || requests(s.Members, fixtures) {
			return true
		}
		for _, d := range s.Decorators {
			if strings.Contains(d, "usefixtures") && mentions([]byte(d), fixtures) {
				return true
			}
		}
	}
	return false
}

// lent is what test files get of a target through helpers: the other parts of the project that they and these import, by path.
// The helpers that lead to the target themselves are in it, too.
type lent map[string]map[string]bool

// lent finds the test files that lead to a target, themselves or through helpers.
func (t *Tests) lent(of *subject) lent {
	out := lent{}
	var open []int
	see := func(i int, through map[string]bool) {
		test := &t.site.tests[i]
		if out[test.Path] != nil || of.files[test.Path] {
			return
		}
		leads, _, others := t.lead(test.unresolved(), of)
		if leads == 0 && through == nil {
			return
		}
		for other := range through {
			others[other] = true
		}
		out[test.Path] = others
		open = append(open, i)
	}
	entrances := slices.Concat(of.reexporters(), slices.Collect(maps.Keys(of.sources)))
	slices.Sort(entrances)
	for _, file := range entrances {
		for _, i := range t.imported[file] {
			see(i, nil)
		}
	}
	for range maxHelpers {
		level := open
		open = nil
		for _, helper := range level {
			file := t.site.tests[helper].Path
			for _, i := range t.borrowers(file) {
				see(i, out[file])
			}
		}
	}
	return out
}

// helping adds the test files to the chosen ones that get what they test from chosen helpers: texts that request a fixture, or
// that import the helper by its name.
func (s *search) helping(ctx context.Context, tests []spot, of map[string]kin) error {
	from := s.chosen
	for range maxHelpers {
		words, err := s.lentBy(ctx, from)
		if err != nil || len(words) == 0 {
			return err
		}
		known := len(s.chosen)
		s.pick(tests, of, func(test *spot, text []byte) bool {
			return slices.ContainsFunc(words, func(w lending) bool {
				return w.family == test.family && within(test.Path, w.folder) && (w.fixtures || imports(test.Language, text, w.words)) && mentions(text, w.words)
			})
		})
		from = s.chosen[known:]
	}
	return nil
}

// lending is a helper as texts refer to it.
type lending struct {
	family, folder string
	words          map[string]bool
	fixtures       bool // words are fixtures, which need no import
}

// lentBy returns how texts may refer to the helpers among some files.
func (s *search) lentBy(ctx context.Context, list []project.Entry) ([]lending, error) {
	var out []lending
	for _, e := range list {
		base, dir := path.Base(e.Path), path.Dir(e.Path)
		family := s.family(e.Path)
		if base == fixtureFile {
			if err := s.parse(ctx, []project.Entry{e}, forTests); err != nil {
				return nil, err
			}
			out = append(out, lending{family, dir, fixturesOf(s.files[s.at[e.Path]].Symbols), true})
			continue
		}
		stem := plainName(e.Path)
		if plainStem(base) != strings.TrimSuffix(base, path.Ext(base)) && family != jvm+" " {
			continue // it is called like a test, and so not made to be imported
		}
		if slices.Contains(indexFiles[strings.TrimSpace(family)], base) {
			stem = path.Base(dir)
		}
		out = append(out, lending{family, ".", map[string]bool{stem: true}, false})
	}
	return out, nil
}

// family returns the family of languages of a file.
func (s *search) family(file string) string { return familyOf(s.files[s.at[file]].Language) + " " }

// helpers returns the test files of a list.
func helpers(list []*code.File) []*code.File {
	return slices.DeleteFunc(slices.Clone(list), func(f *code.File) bool { return !f.Test })
}
