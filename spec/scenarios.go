package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// leastScenarios is the number of scenarios that a page has where the module has so many tests, even if fewer show all that
// the requirements say.
const leastScenarios = 3

// scenarios selects the tests that show the most of the requirements in the fewest words, and describes them. The other
// tests are linked from their requirements.
func (m *material) scenarios(ids *numbering, reqs []Requirement) []Scenario {
	if list := m.requestScenarios(ids, reqs); len(list) > 0 {
		return list
	}
	own := slices.DeleteFunc(slices.Clone(m.cases), m.ofRoutes)
	chosen, _ := cases.Choose(own, m.promises(reqs))
	list := m.candidates(own, chosen)
	if m.limits.scenarios > 0 {
		list = m.fewest(list)
		m.left.scenarios = m.countAll(own, chosen) - len(list)
	}
	seen := map[string]bool{}
	var out []Scenario
	for _, c := range list {
		title := markdown.Title(cmp.Or(cases.Words(c.test.Name), c.test.Name))
		for n := 2; seen[title]; n++ {
			title = markdown.Title(cmp.Or(cases.Words(c.test.Name), c.test.Name) + " (" + strconv.Itoa(n) + ")")
		}
		seen[title] = true
		s := c.Scenario
		s.ID, s.Title = ids.of(title), title
		if c.rows > 0 {
			s.Text = m.narrator(c.test).testRows(c.test.Table())
		}
		out = append(out, s)
	}
	return out
}

// candidate is a test with its words.
type candidate struct {
	Scenario
	test  *cases.Case
	shows []string // ids of the cases of requirements
	cost  int      // how hard it is to read
	rows  int      // that it shows of a table
	// repeats says that nothing is known of the checks but the test's name, which the title has.
	repeats bool
}

// candidates returns those of some tests that can be told, the simplest first.
func (m *material) candidates(tests []*cases.Case, chosen map[*cases.Case][]string) []candidate {
	var out []candidate
	for _, c := range tests {
		if _, reaches := c.Reaches(); len(chosen[c]) == 0 && (!reaches || c.Visits() || m.limits.scenarios > 0 && len(c.Uses()) == 0) {
			continue
		}
		told := m.told(c)
		if told.Then == "" || told.When == "" || m.limits.scenarios > 0 && (told.cost > unreadable || told.repeats) {
			continue
		}
		told.Covers, told.shows = requirementsOf(chosen[c]), chosen[c]
		out = append(out, told)
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	return out
}

// countAll returns how many scenarios the tests make without limits.
func (m *material) countAll(tests []*cases.Case, chosen map[*cases.Case][]string) int {
	limited := m.limits
	defer func() { m.limits = limited }()
	m.limits.scenarios = 0
	return len(m.candidates(tests, chosen))
}

// subject names what a table is about: the first symbol that the test uses.
func (c *candidate) subject() string {
	if len(c.Symbols) == 0 {
		return ""
	}
	return "rows of " + c.Symbols[0]
}

// Costs of what a reader meets in a scenario, in characters.
const (
	costPart     = 30  // each fact, event and check
	costRedacted = 150 // a literal that is not the test's
	costHelper   = 100 // a check that is not told
	worthCase    = 250 // a case of a requirement is worth so many characters
	worthRow     = 100 // and so many a row of a table
	mostCost     = 1200
	unreadable   = 2400 // above which a test is only linked
)

// told returns the scenario of a test, or that of an earlier level of limits.
func (m *material) told(c *cases.Case) candidate {
	if known, ok := m.scenes[c]; ok {
		return known
	}
	n := m.narrator(c)
	used := c.Uses()
	s := Scenario{Symbols: used[:min(len(used), maxExercised)], Evidence: []Evidence{{"test", c.Place()}}, Given: n.given(), When: n.when(), Then: n.then()}
	cost := len(s.Given) + len(s.When) + len(s.Then) + costPart*(len(n.story.Given)+len(n.story.When)+len(n.story.Then))
	rows := 0
	if t := c.Table(); t != nil && (uses(s.Then, t) || uses(s.When, t)) {
		rows = min(len(t.Rows), mostTestRows)
		s.Given, s.When, s.Then = n.withOwnColumns(s.Given, t), n.withOwnColumns(s.When, t), n.withOwnColumns(s.Then, t)
	}
	if c.Redacted() {
		cost += costRedacted
	}
	for _, o := range n.story.Then {
		if o.Helper != "" {
			cost += costHelper
		}
	}
	if len(n.story.When) == 0 || rows == 0 && (len(c.Rows) > 0 || len(c.Providers()) > 0) { // without its rows it says little
		cost += mostCost
	}
	if m.scenes == nil {
		m.scenes = map[*cases.Case]candidate{}
	}
	out := candidate{Scenario: s, test: c, cost: cost, rows: rows, repeats: s.Then == markdown.QuotedRow(cases.Words(c.Name))}
	m.scenes[c] = out
	return out
}

// uses reports whether a part of a scenario names a column of its table: otherwise the rows are only what the test works on.
func uses(part string, t *cases.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c string) bool { return columnPattern(c).MatchString(part) })
}

// bestOf returns the index of the test that shows the most that is not shown, in the fewest words; -1 for none.
func bestOf(list []candidate, shown map[string]bool, taken map[int]bool) int {
	best, most := -1, 0
	for i := range list {
		adds := 0
		for _, id := range list[i].shows {
			if !shown[id] {
				adds++
				if strings.Contains(id, caseMark) { // what the code says, not only documentation or a test
					adds++
				}
			}
		}
		rows := list[i].rows
		if shown[list[i].subject()] {
			rows /= 3
		}
		worth := adds*worthCase + rows*worthRow - list[i].cost/2
		if !taken[i] && (adds > 0 || list[i].rows > 0) && (best < 0 || worth > most) {
			best, most = i, worth
		}
	}
	return best
}

// fewest returns the tests that show the most cases of the requirements in the fewest words, each one that adds any; then
// others that are easy to read, until there are enough.
func (m *material) fewest(list []candidate) []candidate {
	shown, taken := map[string]bool{}, map[int]bool{}
	var order []int
	for best := bestOf(list, shown, taken); best >= 0; best = bestOf(list, shown, taken) {
		taken[best] = true
		order = append(order, best)
		for _, id := range list[best].shows {
			shown[id] = true
		}
		if list[best].rows > 0 {
			shown[list[best].subject()] = true
		}
	}
	for i := range list {
		if len(order) >= leastScenarios {
			break
		}
		if !taken[i] && list[i].cost < mostCost && !slices.ContainsFunc(order, func(o int) bool { return list[o].Then == list[i].Then }) {
			order = append(order, i)
		}
	}
	order = order[:min(len(order), m.limits.scenarios)]
	slices.Sort(order)
	var out []candidate
	for _, i := range order {
		out = append(out, list[i])
	}
	return out
}

// caseMark separates the id of a requirement from the number of one of its cases.
const caseMark = "#"

// requirementsOf returns the ids of the requirements whose cases have some ids.
func requirementsOf(ids []string) []string {
	var out []string
	for _, id := range ids {
		id, _, _ = strings.Cut(id, caseMark)
		out = appendNew(out, []string{id})
	}
	return out
}

// testsShown is the number of tests that a requirement lists.
const testsShown = 4

// promises returns the requirements in the form in which tests are matched with them: one for each claim.
func (m *material) promises(reqs []Requirement) []cases.Claim {
	var out []cases.Claim
	for i := range reqs {
		r := &reqs[i]
		if len(m.stated[r.ID]) == 0 {
			out = append(out, cases.Claim{ID: r.ID, Of: nameOfKey(r.Symbol)})
			continue
		}
		for n, claim := range m.stated[r.ID] {
			if claim.Kind == evidence.Result { // any call has one: no test is told by it
				continue
			}
			c := cases.Claim{ID: r.ID + caseMark + strconv.Itoa(n), Of: nameOfKey(claim.Subject), Inside: true}
			if claim.Outcome != nil {
				c.Error, c.Message, c.Names = claim.Outcome.Error, distinctiveText(claim.Outcome.Message), m.tellingNames(claim.Outcome)
				if len(claim.At) > 0 && c.Names != nil {
					c.Reaching = m.reaching.Of(claim.At[0].File, claim.Subject, claim.At[0].Line)
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// maxExercised limits the symbols that a scenario lists.
const maxExercised = 12
