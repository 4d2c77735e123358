package spec

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Lines of a page: a share of the module's lines and of those of its tests, within bounds, and no more than the code that it is
// about. Tests of something else that reach the module have no share: they would count for each module of the project.
const (
	shareOfLines = 4 // one line for so many
	leastLines   = 100
	leastBehind  = 60 // of a module behind the routes of a service
	mostLines    = 300
	// fixedLines are those of the contract tests, the traceability and the risks, which are not measured.
	fixedLines = 40
)

// limits are what a page shows; 0 for no limit.
type limits struct {
	requirements, scenarios int
	rows                    int  // of a table
	declarations            int  // lines of the interface
	bare                    bool // the interface without JSON Schema and diagrams
	terse                   bool // and with short documentation
	steps                   int  // lines of the steps of functions, of a page
}

// levels are the limits of a page, from the most that one shows to the least.
var levels = []limits{
	{15, 7, 24, 0, false, false, 0},
	{15, 7, 24, 140, false, false, 0},
	{12, 5, 16, 100, false, false, 0},
	{10, 4, 12, 80, true, false, 0},
	{8, 4, 12, 60, true, false, 0},
	{6, 3, 10, 40, true, false, 0},
	{7, 2, 8, 20, true, true, 0},
}

// behindLevels come after these for a module behind the routes of a service.
var behindLevels = []limits{
	{5, 2, 6, 14, true, true, 0},
	{5, 1, 6, 14, true, true, 0},
	{3, 1, 5, 8, true, true, 0},
}

// budget returns the number of lines that the page may have; visitors says that tests of something else have a share.
func (m *material) budget(visitors bool) int {
	source, tests := 0, 0
	read := map[string]bool{}
	least := leastLines
	if m.behind() {
		least = leastBehind
	}
	for _, f := range slices.Concat(m.tree.Files, m.elsewhere) {
		read[f.Path] = true
		switch {
		case !f.Test:
			source += f.LOC
		case m.behind() && m.askingFiles[f.Path]: // they are tests of the routes
		case visitors || !m.tree.Visitors[f.Path]:
			tests += f.LOC
		}
	}
	for i := range m.claims { // a route reaches code of other modules
		for _, at := range m.claims[i].At {
			if !read[at.File] && at.File != "" && m.claims[i].Kind != evidence.Request {
				read[at.File] = true
				text, _ := m.project.ReadFile(at.File) // one that cannot be read has no lines
				source += bytes.Count(text, []byte("\n"))
			}
		}
	}
	return min(max(min((source+tests)/shareOfLines, source), least), mostLines)
}

// fill writes the sections of a spec that claims and tests decide, with as much of them as the budget allows. Numbers
// returns the numbering of requirements and of scenarios; it is the same each time.
func (m *material) fill(s *Spec, all bool, numbers func() (reqs, cases *numbering)) {
	list := levels
	if m.behind() {
		list = slices.Concat(levels, behindLevels)
	}
	if all {
		list = []limits{{}}
	}
	shortest, least := 0, 0
	for i, l := range list {
		m.limits = l
		m.sections(s, numbers)
		lines := m.lines(s)
		if i == 0 || lines < least {
			shortest, least = i, lines
		}
		if all || lines+fixedLines <= m.budget(false) {
			break
		}
	}
	if m.limits != list[shortest] { // none was within the budget, and stricter limits saved nothing
		m.limits = list[shortest]
		m.sections(s, numbers)
	}
	m.declareMore(s, numbers)
	m.stateMore(s, numbers)
}

// fewDeclarations is the number of lines of the interface that a page shows whatever its budget.
const fewDeclarations = 20

// declareMore shows declarations that the limits left out, if they are few or the budget allows: what users call comes before
// what repeats it.
func (m *material) declareMore(s *Spec, numbers func() (reqs, cases *numbering)) {
	if m.left.declarations == 0 {
		return
	}
	before := m.limits
	for _, terse := range []bool{before.terse, true} {
		m.limits.declarations, m.limits.terse = before.declarations+fewDeclarations, terse
		m.sections(s, numbers)
		if m.left.declarations == 0 && (m.inBudget(s) || terse && !m.behind()) {
			return
		}
	}
	m.limits = before
	m.sections(s, numbers)
}

// inBudget reports whether a page is within its budget.
func (m *material) inBudget(s *Spec) bool { return m.lines(s)+fixedLines <= m.budget(false) }

// moreRequirements are the numbers of requirements that are tried beyond the limit, where a page has lines left.
var moreRequirements = []int{6, 3, 1}

// stateMore fills the lines that the limits leave with all declarations, and with further requirements: what users see comes before the
// steps of functions.
func (m *material) stateMore(s *Spec, numbers func() (reqs, cases *numbering)) {
	if m.limits.requirements == 0 || !m.inBudget(s) {
		return
	}
	kept := m.limits
	try := func(l limits) bool {
		m.limits = l
		m.sections(s, numbers)
		if m.inBudget(s) {
			kept = l
		}
		return kept == l
	}
	if m.left.declarations > 0 {
		for _, more := range []int{mostLines, fewDeclarations, fewDeclarations / 2} {
			l := kept
			if l.declarations += more; try(l) {
				break
			}
		}
	}
	if m.limits = kept; m.left.requirements > 0 {
		for _, more := range moreRequirements {
			l := kept
			if l.requirements = min(l.requirements+more, levels[0].requirements); l != kept && try(l) {
				break
			}
		}
	}
	if m.limits = kept; !m.inBudget(s) {
		m.sections(s, numbers)
	}
}

// addSteps adds the steps of functions to the interface of a page that has all else, as many as there are lines for.
func (m *material) addSteps(s *Spec) {
	m.limits.steps = m.budget(true) - m.lines(s)
	s.Interface = above(s.Interface, m.steps(s))
}

// sections writes the sections within the limits.
func (m *material) sections(s *Spec, numbers func() (reqs, cases *numbering)) {
	reqs, cases := numbers()
	m.left = leftOut{}
	m.stated, m.showing, m.saidOf, m.tables = map[string][]*evidence.Claim{}, map[string][]string{}, map[string]bool{}, map[string]situated{}
	s.Glance, s.Options = m.glance(), m.options()
	s.Requirements = m.requirements(reqs)
	m.left.requirements = len(s.Requirements)
	s.Requirements = m.shown(s.Requirements)
	m.left.requirements -= len(s.Requirements)
	for i := range s.Requirements {
		if r := &s.Requirements[i]; len(m.stated[r.ID]) == 0 && len(r.Evidence) > 0 && r.Evidence[0].Kind == "doc" {
			m.saidOf[r.Evidence[0].Place] = true
		}
	}
	if m.restated(s.Requirements) {
		s.Glance = ""
	} else {
		m.referToGlance(s)
	}
	s.Scenarios = m.scenarios(cases, s.Requirements)
	s.Interface = m.apiSection()
}

// shown returns the requirements that the page shows: the first, and those with text that a person keeps.
func (m *material) shown(list []Requirement) []Requirement {
	most := m.limits.requirements
	if most == 0 || len(list) <= most {
		return list
	}
	var out []Requirement
	for i := range list {
		if i < most || m.kept[list[i].ID] {
			out = append(out, list[i])
		}
	}
	return out
}

// lines returns the number of lines of a page without its contract tests.
func (m *material) lines(s *Spec) int { return bytes.Count(s.Render(), []byte("\n")) }

// leftOut counts what a page does not show.
type leftOut struct {
	requirements, scenarios, rows, declarations, steps int
	schemas, diagrams                                  bool
}

// sayLeftOut adds a row to the table under the title that counts what the page does not show.
func (m *material) sayLeftOut(s *Spec) {
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
		zh   string
	}{
		{m.left.requirements, "requirement", "项需求"},
		{m.left.scenarios, "scenario", "个场景"},
		{m.left.rows, "row", "行"},
		{m.left.declarations, "declaration", "个声明"},
	} {
		if p.n > 0 {
			parts = append(parts, wording.In(m.lang, wording.Count(p.n, p.noun), fmt.Sprintf("%d %s", p.n, p.zh)))
		}
	}
	if m.left.steps > 0 {
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "the steps of %s", "%s的步骤"), wording.In(m.lang, wording.Count(m.left.steps, "function"), fmt.Sprintf("%d 个函数", m.left.steps))))
	}
	if m.left.schemas {
		parts = append(parts, wording.In(m.lang, "JSON Schema", "JSON Schema"))
	}
	if m.left.diagrams {
		parts = append(parts, wording.In(m.lang, "diagrams", "图示"))
	}
	if len(parts) == 0 {
		return
	}
	text := strings.Join(parts, wording.In(m.lang, ", ", "、")) + wording.In(m.lang, "; shown by ", "；完整内容见 ") + markdown.Code("reverse-spec show "+shellWord(m.target)+" --all")
	s.Attributes = append(s.Attributes, Attribute{wording.In(m.lang, "Left out", "未列出"), text})
}
