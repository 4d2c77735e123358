package spec

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// behavior is a contract test under construction: the tests of the module that one tool runs.
type behavior struct {
	tool string
	head label // of the title; identifies the contract test
	runs []run
}

// run is one test filter of a tool, and what it covers.
type run struct {
	tool   *runner.Tool
	filter string
	name   string // of the first test that the filter selects
	place  string // of that test: file:line
	// ids of covered requirements and scenarios
	requirements, scenarios []string
}

// behaviorTest returns the contract test for some runs of a behavior.
func (m *material) behaviorTest(b *behavior, runs []run) ContractTest {
	t := ContractTest{Title: behaviorTitle(m.lang, b.head, runs), Type: behaviorType}
	var scenarios, scripts []string
	var tools []*runner.Tool
	filters := map[*runner.Tool][]string{}
	for _, c := range runs {
		if filters[c.tool] == nil {
			tools = append(tools, c.tool)
		}
		filters[c.tool] = append(filters[c.tool], c.filter)
		t.Covers = appendNew(t.Covers, c.requirements)
		scenarios = appendNew(scenarios, c.scenarios)
	}
	slices.Sort(t.Covers)
	slices.Sort(scenarios)
	t.Covers = append(t.Covers, scenarios...)
	for _, tool := range tools {
		t.Needs = appendNew(t.Needs, tool.Needs)
		scripts = append(scripts, tool.Script(filters[tool]))
	}
	t.Script = strings.Join(scripts, "\n")
	return t
}

// behaviorDraft returns the contract test for all runs of a behavior.
func (m *material) behaviorDraft(b *behavior) draft {
	asKnown := ContractTest{Title: behaviorTitle(m.idLang, b.head, b.runs), Type: behaviorType}
	return draft{m.behaviorTest(b, b.runs), asKnown.key(), b}
}

// appendNew appends the elements of more that are not in list.
func appendNew(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// located is a test with its file.
type located struct {
	file *code.File
	code.Test
}

// toolKey selects a test tool.
type toolKey struct{ file, kind string }

// behaviors groups the tests behind requirements and scenarios, and the examples that document the interface, by the tool
// that runs them.
type behaviors struct {
	*material
	at     map[string]located // by file:line
	tools  map[toolKey]*runner.Tool
	groups []*behavior // one per tool
}

// behaviors returns the contract tests that run existing tests. Tests that no tool can run are
// added to m.unproven.
func (m *material) behaviors(reqs []Requirement, scenarios []Scenario) []behavior {
	b := behaviors{material: m, at: map[string]located{}, tools: map[toolKey]*runner.Tool{}}
	for _, f := range slices.Concat(m.tree.Files, m.elsewhere) {
		for _, t := range f.Tests {
			b.at[f.Path+":"+strconv.Itoa(t.Line)] = located{f, t}
		}
	}
	for _, s := range scenarios {
		for _, e := range s.Evidence {
			if t, ok := b.at[e.Place]; ok {
				b.add(t, s.Covers, s.ID)
			}
		}
	}
	for i := range reqs {
		for _, place := range reqs[i].Tests {
			if t, ok := b.at[place]; ok {
				b.add(t, []string{reqs[i].ID})
			}
		}
	}
	b.examples(reqs)
	var out []behavior
	for _, g := range b.groups {
		out = append(out, *g)
	}
	return out
}

// examples adds the examples that document a symbol of a requirement: tests named after it and
// text in its documentation.
func (b *behaviors) examples(reqs []Requirement) {
	bySymbol := map[string]string{}
	for _, r := range reqs {
		if r.key() == r.Symbol {
			bySymbol[r.Symbol] = r.ID
		}
	}
	folders := map[string]bool{}
	for _, f := range b.tree.Files {
		folders[path.Dir(f.Path)] = true
	}
	for _, f := range slices.Concat(b.tree.Files, b.elsewhere) {
		for _, t := range f.Tests {
			if !cases.InDocs(t) && !folders[path.Dir(f.Path)] {
				continue // it documents another package
			}
			if id := bySymbol[cases.Documented(t)]; id != "" {
				b.add(located{f, t}, []string{id})
			}
		}
	}
}

// add adds a test with the requirements and scenarios that it covers.
func (b *behaviors) add(t located, requirements []string, scenarios ...string) {
	key := toolKey{t.file.Path, t.Runner}
	tool, known := b.tools[key]
	if !known {
		var err error
		tool, err = runner.Find(b.project.ReadFile, t.file, t.Runner)
		if err != nil {
			b.unproven = append(b.unproven, unproven{"", t.file.Path, message.Render(message.Lang(b.lang), err)})
		}
		b.tools[key] = tool
	}
	if tool == nil {
		return
	}
	c := run{tool, tool.Filter(t.Test), t.Name, t.file.Path + ":" + strconv.Itoa(t.Line), requirements, scenarios}
	if c.filter == "" {
		b.unproven = append(b.unproven, unproven{c.name, c.place, message.New("%s does not run it, or only with others", tool.Name).In(message.Lang(b.lang))})
		return
	}
	g := b.group(tool)
	if i := slices.IndexFunc(g.runs, func(o run) bool { return o.tool == c.tool && o.filter == c.filter }); i >= 0 {
		g.runs[i].requirements = appendNew(g.runs[i].requirements, requirements)
		g.runs[i].scenarios = appendNew(g.runs[i].scenarios, scenarios)
		return
	}
	g.runs = append(g.runs, c)
}

// group returns the group of a tool.
func (b *behaviors) group(tool *runner.Tool) *behavior {
	for _, g := range b.groups {
		if g.tool == tool.Name {
			return g
		}
	}
	g := &behavior{tool: tool.Name, head: label{"tests run by " + tool.Name, "由 " + tool.Name + " 运行的测试"}}
	b.groups = append(b.groups, g)
	return g
}

// namedInTitle is how many tests the title of a contract test lists.
const namedInTitle = 3

// behaviorTitle returns a title that lists the first tests.
func behaviorTitle(lang string, head label, runs []run) string {
	var names []string
	for _, c := range runs[:min(len(runs), namedInTitle)] {
		names = append(names, cases.Words(c.name))
	}
	title := head.in(lang) + wording.In(lang, ": ", "：") + strings.Join(names, wording.In(lang, "; ", "；"))
	if left := len(runs) - namedInTitle; left > 0 {
		title += wording.In(lang, "; and ", "；另有 ") + strconv.Itoa(left) + wording.In(lang, " more", " 项")
	}
	return markdown.Title(title)
}
