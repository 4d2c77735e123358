package spec

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/lock"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// behavior is a contract test under construction: the tests of the module that one command of a tool runs.
type behavior struct {
	tool *runner.Tool // of its first test
	head label        // of the title; identifies the contract test
	runs []run
	all  map[string][]string // by file: the filters of all its tests
	// named says that its command selects tests by name, because others of their files fail.
	named bool
}

// run is one test filter of a tool, and what it covers.
type run struct {
	tool   *runner.Tool
	filter string
	name   string // of the first test that the filter selects
	file   string
	place  string // of that test: file:line
	// ids of covered requirements and scenarios
	requirements, scenarios []string
}

// behaviorTest returns the contract test for some runs of a behavior.
func (m *material) behaviorTest(b *behavior, runs []run) ContractTest {
	t := ContractTest{Title: b.title(m.lang, runs), Type: behaviorType}
	var scenarios []string
	for _, c := range runs {
		t.Covers = appendNew(t.Covers, c.requirements)
		scenarios = appendNew(scenarios, c.scenarios)
		t.Needs = appendNew(t.Needs, c.tool.Needs)
		t.Runs = c.record(t.Runs)
	}
	slices.Sort(t.Covers)
	slices.Sort(scenarios)
	t.Covers = append(t.Covers, scenarios...)
	t.Script = runner.Script(b.selections(runs), b.named)
	return t
}

// record adds a run to what a lock records of a contract test.
func (c *run) record(list []RecordedTests) []RecordedTests {
	i := slices.IndexFunc(list, func(t RecordedTests) bool { return t.File == c.file })
	if i < 0 {
		i = len(list)
		t := RecordedTests{File: c.file, Tool: c.tool.Name, Reports: c.tool.Reports}
		if c.tool.Home != "." {
			t.Home = c.tool.Home
		}
		list = append(list, t)
	}
	list[i].Tests = append(list[i].Tests, lock.Test{Name: c.name, Covers: slices.Concat(c.requirements, c.scenarios)})
	return list
}

// selections returns what the command for some runs selects, by file.
func (b *behavior) selections(runs []run) []runner.Selection {
	var out []runner.Selection
	at := map[string]int{}
	for _, c := range runs {
		i, known := at[c.file]
		if !known {
			i = len(out)
			at[c.file] = i
			out = append(out, runner.Selection{Tool: c.tool, All: b.all[c.file]})
		}
		out[i].Filters = append(out[i].Filters, c.filter)
	}
	return out
}

// behaviorDraft returns the contract test for all runs of a behavior.
func (m *material) behaviorDraft(b *behavior) draft {
	asKnown := ContractTest{Title: b.title(m.idLang, b.runs), Type: behaviorType}
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

// shown is a test, by its place, and the ids of the requirements and scenarios that it shows; perhaps none.
type shown struct {
	place                   string // file:line
	requirements, scenarios []string
}

// behaviors returns the contract tests that run what reaches the module: the tests behind requirements and scenarios, the
// examples that document the interface, and the other tests of the module; tests of other things only where there are no
// others. Tests that no tool can run are added to m.unproven.
func (m *material) behaviors(reqs []Requirement, scenarios []Scenario) []behavior {
	var list []shown
	for _, s := range scenarios {
		for _, e := range s.Evidence {
			list = append(list, shown{e.Place, s.Covers, []string{s.ID}})
		}
	}
	own, visiting := m.testsByRelation()
	if len(own) == 0 {
		own = visiting
	}
	for i := range reqs {
		places := slices.DeleteFunc(slices.Clone(m.showing[reqs[i].ID]), func(place string) bool { return !slices.Contains(own, place) })
		if len(places) == 0 {
			places = reqs[i].Tests
		}
		for _, place := range places {
			list = append(list, shown{place, []string{reqs[i].ID}, nil})
		}
	}
	list = append(list, m.requested(reqs)...)
	list = append(list, m.documenting(reqs)...)
	for _, place := range own {
		list = append(list, shown{place: place})
	}
	return m.behaviorsOf(covering(list, reqs))
}

// covering drops what tests only reach from what they cover, as far as that was measured.
func covering(list []shown, reqs []Requirement) []shown {
	unasserted := map[string]bool{}
	for i := range reqs {
		unasserted[reqs[i].ID] = reqs[i].Shown == lock.Reached || reqs[i].Shown == lock.Untested
	}
	for i := range list {
		list[i].requirements = slices.DeleteFunc(slices.Clone(list[i].requirements), func(id string) bool { return unasserted[id] })
	}
	return list
}

// behaviorsOf returns the contract tests that run tests of the files of the module, or of those elsewhere that reach it:
// one for each command. A test may be listed several times. Those that no tool can run are added to m.unproven.
func (m *material) behaviorsOf(list []shown) []behavior {
	b := behaviors{material: m, at: map[string]located{}, tools: map[toolKey]*runner.Tool{}}
	for _, f := range slices.Concat(m.tree.Files, m.elsewhere) {
		for _, t := range f.Tests {
			b.at[f.Path+":"+strconv.Itoa(t.Line)] = located{f, t}
		}
	}
	for _, s := range list {
		if t, ok := b.at[s.place]; ok {
			b.add(t, s)
		}
	}
	var out []behavior
	for _, g := range b.groups {
		slices.SortStableFunc(g.runs, func(x, y run) int { return cmp.Compare(x.file, y.file) })
		out = append(out, *g)
	}
	return out
}

// testsByRelation returns the places of the tests that reach the module: those of the module, and those of other things,
// which happen to use it.
func (m *material) testsByRelation() (own, visiting []string) {
	for _, c := range m.cases {
		if _, ok := c.Reaches(); !ok {
			continue
		}
		if m.tree.Visitors[c.File()] {
			visiting = append(visiting, c.Place())
		} else {
			own = append(own, c.Place())
		}
	}
	return own, visiting
}

// documenting returns the examples that document a symbol of a requirement: tests named after it and
// text in its documentation.
func (m *material) documenting(reqs []Requirement) []shown {
	bySymbol := map[string]string{}
	for _, r := range reqs {
		if r.key() == r.Symbol {
			bySymbol[r.Symbol] = r.ID
		}
	}
	folders := map[string]bool{}
	for _, f := range m.tree.Files {
		folders[path.Dir(f.Path)] = true
	}
	var out []shown
	for _, f := range slices.Concat(m.tree.Files, m.elsewhere) {
		for _, t := range f.Tests {
			if !cases.InDocs(t) && !folders[path.Dir(f.Path)] {
				continue // it documents another package
			}
			if id := bySymbol[cases.Documented(t)]; id != "" {
				out = append(out, shown{f.Path + ":" + strconv.Itoa(t.Line), []string{id}, nil})
			}
		}
	}
	return out
}

// behaviors groups tests by the command that runs them.
type behaviors struct {
	*material
	at     map[string]located // by file:line
	tools  map[toolKey]*runner.Tool
	groups []*behavior
}

// toolKey selects a test tool.
type toolKey struct{ file, kind string }

// tool returns the tool for a test; nil for none.
func (b *behaviors) tool(t located) *runner.Tool {
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
	return tool
}

// add adds a test with what it covers.
func (b *behaviors) add(t located, covers shown) {
	tool := b.tool(t)
	if tool == nil {
		return
	}
	c := run{tool, tool.Filter(t.Test), t.Name, t.file.Path, covers.place, covers.requirements, covers.scenarios}
	if c.filter == "" {
		why := message.New("%s does not run it, or only with others", tool.Name)
		if t.Lacks != "" {
			why = message.New("it uses %s, which its file does not have", t.Lacks)
		}
		b.unproven = append(b.unproven, unproven{c.name, c.place, why.In(message.Lang(b.lang))})
		return
	}
	g := b.group(tool)
	g.know(t.file, tool, t.Runner)
	if i := slices.IndexFunc(g.runs, func(o run) bool { return o.file == c.file && o.filter == c.filter }); i >= 0 {
		g.runs[i].requirements = appendNew(slices.Clone(g.runs[i].requirements), covers.requirements)
		g.runs[i].scenarios = appendNew(slices.Clone(g.runs[i].scenarios), covers.scenarios)
		return
	}
	g.runs = append(g.runs, c)
}

// know records the filters of all tests of a file.
func (b *behavior) know(f *code.File, tool *runner.Tool, kind string) {
	if b.all[f.Path] != nil {
		return
	}
	list := []string{}
	for _, t := range f.Tests {
		if filter := tool.Filter(t); filter != "" && t.Runner == kind {
			list = appendNew(list, []string{filter})
		}
	}
	b.all[f.Path] = list
}

// group returns the group of a tool. The first of a name is called by it, the others by their folder too.
func (b *behaviors) group(tool *runner.Tool) *behavior {
	same := 0
	for _, g := range b.groups {
		if g.tool.Joins(tool) {
			return g
		}
		if g.tool.Name == tool.Name {
			same++
		}
	}
	head := label{"tests run by " + tool.Name, "由 " + tool.Name + " 运行的测试"}
	if same > 0 {
		head.en += fmt.Sprintf(" (%d)", same+1)
		head.zh += fmt.Sprintf("（%d）", same+1)
	}
	g := &behavior{tool: tool, head: head, all: map[string][]string{}}
	b.groups = append(b.groups, g)
	return g
}

// title returns a title that says how many tests of which files are run.
func (b *behavior) title(lang string, runs []run) string {
	list := b.selections(runs)
	all := 0
	for _, s := range list {
		all += len(s.All)
	}
	of := strconv.Itoa(len(runs))
	if all > len(runs) {
		of = fmt.Sprintf(wording.In(lang, "%[1]d of %[2]d", "%[2]d 项中的 %[1]d"), len(runs), all)
	}
	where := path.Base(runs[0].file)
	if len(list) > 1 {
		where = fmt.Sprintf(wording.In(lang, "%d files", "%d 个文件"), len(list))
	}
	text := fmt.Sprintf(wording.In(lang, "%[1]s in %[2]s", "%[2]s 中的 %[1]s 项"), of, where)
	return markdown.Title(b.head.in(lang) + wording.In(lang, ": ", "：") + text)
}
