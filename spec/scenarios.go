package spec

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/code"
)

// scenariosPerRequirement is how many tests show one requirement in a spec; the
// others are counted under test coverage.
const scenariosPerRequirement = 2

// scenarios takes from the tests by name those that call what a requirement
// speaks of.
func (m *material) scenarios(ids *numbering, reqs []Requirement) []Scenario {
	subjects := newSubjects(reqs)
	seen := map[string]bool{}
	var out []Scenario
	for _, f := range m.tests() {
		for _, c := range casesOf(f) {
			covers, calls := subjects.covered(f, c)
			if len(covers) == 0 || seen[c.Name] {
				continue
			}
			seen[c.Name] = true
			out = append(out, m.scenario(ids, f, c, covers, calls))
		}
	}
	return out
}

// testCase is a test with the calls it makes.
type testCase struct {
	code.Test
	calls []code.Call
	steps []code.Step
}

// casesOf gives each test the calls between its line and the next test's.
func casesOf(f *code.File) []testCase {
	tests := slices.SortedStableFunc(slices.Values(f.Tests), func(a, b code.Test) int { return cmp.Compare(a.Line, b.Line) })
	calls := slices.SortedStableFunc(slices.Values(f.Calls), func(a, b code.Call) int { return cmp.Compare(a.Line, b.Line) })
	var out []testCase
	at := 0
	for i, t := range tests {
		end := 0
		if i+1 < len(tests) {
			end = tests[i+1].Line
		}
		c := testCase{Test: t, steps: stepsOf(f, t.Line, end)}
		for at < len(calls) && calls[at].Line < t.Line {
			at++
		}
		for at < len(calls) && (i+1 == len(tests) || calls[at].Line < tests[i+1].Line) {
			c.calls = append(c.calls, calls[at])
			at++
		}
		out = append(out, c)
	}
	return out
}

// subjects is what requirements speak of, and how often that was shown.
type subjects struct {
	byName map[string][]Requirement // by the last part of the symbol's name
	guards []guarded
	shown  map[string]int // requirement id -> scenarios
}

func newSubjects(reqs []Requirement) *subjects {
	s := &subjects{byName: map[string][]Requirement{}, shown: map[string]int{}}
	for _, r := range reqs {
		if r.key() != r.Symbol {
			s.guard(r)
			continue
		}
		name := lastName(r.Symbol)
		s.byName[name] = append(s.byName[name], r)
	}
	return s
}

// covered returns the requirements that a test's calls touch and that want
// another scenario, and those calls. A name that several symbols share says
// nothing.
func (s *subjects) covered(f *code.File, t testCase) (ids, names []string) {
	for _, c := range t.calls {
		list := s.byName[c.Name]
		if len(list) != 1 || s.shown[list[0].ID] >= scenariosPerRequirement || !means(f, c, list[0].Symbol) {
			continue
		}
		if id := list[0].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
			names = append(names, c.Name)
		}
	}
	ids = append(ids, s.refused(t)...)
	for _, id := range ids {
		s.shown[id]++
	}
	return ids, names
}

// testObjects are what test frameworks give a test to call methods on.
var testObjects = []string{"t", "b", "f", "tb", "assert", "expect", "require", "self"}

// means tells whether a call may be one of the symbol: a method wants a
// receiver that is no object of the test framework; anything else is called by
// its bare name or through its package.
func means(f *code.File, c code.Call, symbol string) bool {
	name, _, _ := strings.Cut(symbol, "@")
	name, _, _ = strings.Cut(name, "(")
	if strings.Contains(name, ".") {
		return c.Receiver != "" && !slices.Contains(testObjects, c.Receiver)
	}
	return c.Receiver == "" || c.Receiver == strings.TrimSuffix(f.Package, "_test")
}

func (m *material) scenario(ids *numbering, f *code.File, c testCase, covers, calls []string) Scenario {
	at := Evidence{"test", f.Path + ":" + itoa(c.Line)}
	var called []string
	for _, name := range calls {
		called = append(called, code1(name))
	}
	a := actsOf(c.steps, calls)
	own := strings.TrimSpace(c.Name[strings.LastIndex(c.Name, "> ")+1:]) // without the groups around it
	s := Scenario{
		ID: ids.of(c.Name), Title: titleText(c.Name),
		Given:  m.quoteSteps(a.given),
		When:   pick(m.lang, "it calls ", "调用 ") + strings.Join(called, ", "),
		Then:   inWords(own),
		Covers: covers, Evidence: []Evidence{at},
	}
	if s.Given == "" {
		s.Given = pick(m.lang, "the set-up of the test ", "测试的前置条件 ") + code1(c.Name)
	}
	if len(called) == 0 {
		s.When = pick(m.lang, "the test runs", "执行测试")
	}
	if len(a.when) > 0 {
		s.When += pick(m.lang, ": ", "：") + m.quoteSteps(a.when)
	}
	switch {
	case len(a.then) > 0 && s.Then == own: // the title says it
		s.Then = m.quoteSteps(a.then)
	case len(a.then) > 0:
		s.Then += pick(m.lang, ": ", "：") + m.quoteSteps(a.then)
	}
	return s
}

// inWords reads a test's name as words: TestLoginRejectsEmpty is "login rejects
// empty"; titles in words stay as they are.
func inWords(name string) string {
	if strings.Contains(name, " ") {
		return strings.Join(strings.Fields(name), " ")
	}
	for _, prefix := range []string{"Test", "test_", "Example", "Fuzz", "test"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			name = rest
			break
		}
	}
	var b strings.Builder
	last := rune(0)
	for i, c := range name {
		switch {
		case c == '_' || c == '.':
			b.WriteByte(' ')
		case unicode.IsUpper(c) && unicode.IsLower(last):
			b.WriteByte(' ')
			if at := i + utf8.RuneLen(c); at < len(name) && name[at] >= 'A' && name[at] <= 'Z' {
				b.WriteRune(c) // of an acronym
			} else {
				b.WriteRune(unicode.ToLower(c))
			}
		default:
			b.WriteRune(c)
		}
		last = c
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
