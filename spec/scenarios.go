package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// scenarios selects the tests that show the requirements best, and describes them. The other tests are linked from their
// requirements.
func (m *material) scenarios(ids *numbering, reqs []Requirement) []Scenario {
	chosen, _ := cases.Choose(m.cases, m.promises(reqs))
	seen := map[string]bool{}
	var out []Scenario
	for _, c := range m.fewest(chosen) {
		title := markdown.Title(cmp.Or(cases.Words(c.Name), c.Name))
		for n := 2; seen[title]; n++ {
			title = markdown.Title(c.Name + " (" + strconv.Itoa(n) + ")")
		}
		seen[title] = true
		s := m.scenario(c, requirementsOf(chosen[c]))
		if s.Then == "" {
			continue
		}
		s.ID, s.Title = ids.of(title), title
		out = append(out, s)
	}
	return out
}

// fewest returns the tests that show the most cases of the requirements, each one that adds any, in the order of the source.
func (m *material) fewest(chosen map[*cases.Case][]string) []*cases.Case {
	shown := map[string]bool{}
	var out []*cases.Case
	for {
		var best *cases.Case
		most := 0
		for _, c := range m.cases {
			adds := 0
			for _, id := range chosen[c] {
				if !shown[id] {
					adds++
				}
			}
			if adds > most && !slices.Contains(out, c) {
				best, most = c, adds
			}
		}
		if best == nil {
			break
		}
		out = append(out, best)
		for _, id := range chosen[best] {
			shown[id] = true
		}
	}
	if most := m.limits.scenarios; most > 0 && len(out) > most {
		m.left.scenarios = len(out) - most
		out = out[:most]
	}
	slices.SortStableFunc(out, func(a, b *cases.Case) int { return slices.Index(m.cases, a) - slices.Index(m.cases, b) })
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
			c := cases.Claim{ID: r.ID + caseMark + strconv.Itoa(n), Of: nameOfKey(claim.Subject), Inside: true}
			if claim.Outcome != nil {
				c.Error, c.Message = claim.Outcome.Error, distinctiveText(claim.Outcome.Message)
			}
			out = append(out, c)
		}
	}
	return out
}

// maxExercised limits the symbols that a scenario lists.
const maxExercised = 12

func (m *material) scenario(c *cases.Case, covers []string) Scenario {
	used := c.Uses()
	acts := c.Acts()
	return Scenario{
		Covers: covers, Symbols: used[:min(len(used), maxExercised)], Evidence: []Evidence{{"test", c.Place()}},
		Given: m.given(c, acts), When: m.when(c, acts), Then: m.then(c, acts),
	}
}
