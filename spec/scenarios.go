package spec

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// scenarios chooses, for each requirement, the tests that show it best, and tells
// what they do. Tests that say the same of a requirement are counted under test
// coverage.
func (m *material) scenarios(ids *numbering, reqs []Requirement) []Scenario {
	module := m.moduleSurface()
	packages := m.testPackages(module)
	var cases []*testCase
	for _, f := range m.tree.Files {
		if len(f.Tests) > 0 && !f.Vendored && f.Constraint == "" {
			cases = append(cases, casesOf(f, module, packages[packageOf(f)], false).cases...)
		}
	}
	for _, f := range m.tree.Tests {
		if t := casesOf(f, module, packages[packageOf(f)], true); f.Constraint == "" && t.touches() {
			m.elsewhere = append(m.elsewhere, f)
			cases = append(cases, t.cases...)
		}
	}
	chosen := m.choose(cases, reqs)
	seen := map[string]bool{}
	var out []Scenario
	for _, c := range cases {
		covers := chosen[c]
		if len(covers) == 0 {
			continue
		}
		title := markdown.Title(c.Name)
		for n := 2; seen[title]; n++ {
			title = markdown.Title(c.Name + " (" + itoa(n) + ")")
		}
		seen[title] = true
		s := m.scenario(c, covers)
		s.ID, s.Title = ids.of(title), title
		out = append(out, s)
	}
	return out
}

// maxExercised bounds the symbols that a scenario names.
const maxExercised = 12

func (m *material) scenario(c *testCase, covers []string) Scenario {
	s := Scenario{Covers: covers, Evidence: []Evidence{{"test", c.file.Path + ":" + itoa(c.Line)}}}
	for _, t := range c.touches {
		if !slices.Contains(s.Symbols, t.name) && len(s.Symbols) < maxExercised {
			s.Symbols = append(s.Symbols, t.name)
		}
	}
	subject := c.subjects()
	a := c.acts(subject)
	s.Given, s.When, s.Then = m.given(c, a), m.when(subject, a), m.then(c, a)
	return s
}

// ownName is a test's name without the groups around it.
func (c *testCase) ownName() string {
	return strings.TrimSpace(c.Name[strings.LastIndex(c.Name, "> ")+1:])
}

// subjects are the uses that a test is about: those that its name says, else those
// of functions, else all; of what it uses only by its helpers when there are no
// others.
func (c *testCase) subjects() []touch {
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

func (m *material) given(c *testCase, a acts) string {
	var parts []string
	if rows := or(m.rowsOf(c), m.providerOf(c)); rows != "" {
		parts = append(parts, rows)
	}
	if text := m.quoteSteps(a.given); text != "" {
		parts = append(parts, text)
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, wording.In(m.lang, "; ", "；"))
	case len(a.when)+len(a.then) > 0:
		return wording.In(m.lang, "nothing set up", "无前置步骤")
	}
	return wording.In(m.lang, "the set-up of the test ", "测试的前置条件 ") + markdown.Code(c.Name)
}

// maxCalled bounds the calls that the event of a scenario names.
const maxCalled = 4

func (m *material) when(subjects []touch, a acts) string {
	var called []string
	for _, t := range subjects {
		if name := markdown.Code(t.name); !slices.Contains(called, name) {
			called = append(called, name)
		}
	}
	if len(called) == 0 {
		text := wording.In(m.lang, "the test runs", "执行测试")
		if quoted := m.quoteSteps(a.when); quoted != "" {
			text += wording.In(m.lang, ": ", "：") + quoted
		}
		return text
	}
	more := ""
	if left := len(called) - maxCalled; left > 0 {
		called, more = called[:maxCalled], " … +"+itoa(left)
	}
	text := wording.In(m.lang, "it calls ", "调用 ") + strings.Join(called, ", ") + more
	if quoted := m.quoteSteps(a.when); quoted != "" {
		text += wording.In(m.lang, ": ", "：") + quoted
	}
	return text
}

func (m *material) then(c *testCase, a acts) string {
	own := c.ownName()
	said := inWords(own)
	quoted := m.quoteSteps(a.then)
	switch {
	case quoted == "":
		return said
	case said == own || c.namesSubject(said): // the title says it
		return quoted
	}
	return said + wording.In(m.lang, ": ", "：") + quoted
}

// namesSubject tells a name that says no more than what is called.
func (c *testCase) namesSubject(said string) bool {
	return slices.ContainsFunc(c.touches, func(t touch) bool {
		return squeeze(said) == squeeze(t.name) || squeeze(said) == squeeze(lastName(t.name))
	})
}

// squeeze leaves the letters and digits of a text, in lower case.
func squeeze(text string) string {
	return strings.Map(func(c rune) rune {
		if !isNameRune(c) || c == '_' || c == '$' {
			return -1
		}
		return c
	}, strings.ToLower(text))
}

// testObjects are what test frameworks give a test to call methods on.
var testObjects = []string{"t", "b", "f", "tb", "assert", "expect", "require", "self"}
