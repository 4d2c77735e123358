package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// scenarios selects, for each requirement, the tests that show it best, and describes them.
// Tests that repeat another for the same requirement are counted under test coverage.
func (m *material) scenarios(ids *numbering, reqs []Requirement) []Scenario {
	list, elsewhere := cases.Read(cases.Module{
		Exports: m.merged.Exports, Files: m.tree.Files, Tests: m.tree.Tests, Links: m.tree.Links,
	})
	m.elsewhere = elsewhere
	var chosen map[*cases.Case][]string
	chosen, m.further = cases.Choose(list, m.promises(reqs))
	seen := map[string]bool{}
	var out []Scenario
	for _, c := range list {
		covers := chosen[c]
		if len(covers) == 0 {
			continue
		}
		title := markdown.Title(c.Name)
		for n := 2; seen[title]; n++ {
			title = markdown.Title(c.Name + " (" + strconv.Itoa(n) + ")")
		}
		seen[title] = true
		s := m.scenario(c, covers)
		s.ID, s.Title = ids.of(title), title
		out = append(out, s)
	}
	return out
}

// promises returns the requirements in the form in which tests are matched with them.
func (m *material) promises(reqs []Requirement) []cases.Claim {
	var out []cases.Claim
	for i := range reqs {
		r := &reqs[i]
		c := cases.Claim{ID: r.ID, Of: nameOfKey(r.Symbol)}
		if r.key() != r.Symbol {
			c.Inside = true
			if claim := m.stated[r.ID]; claim != nil && claim.Outcome != nil {
				c.Error, c.Message = claim.Outcome.Error, distinctiveText(claim.Outcome.Message)
			}
		}
		out = append(out, c)
	}
	return out
}

// leastMessage is the shortest message, in bytes, that is unlikely to appear in a test by
// chance.
const leastMessage = 8

// distinctiveText returns the plain text of an error message, by which tests may refer to it, or "" if
// it is too short.
func distinctiveText(message string) string {
	if i := strings.IndexAny(message, `%{\…`); i >= 0 { // placeholders or escapes begin here
		message = message[:i]
	}
	message = strings.TrimSpace(message)
	if len(message) < leastMessage || !strings.Contains(message, " ") { // a single word may appear anywhere
		return ""
	}
	return message
}

// maxExercised limits the symbols that a scenario lists.
const maxExercised = 12

func (m *material) scenario(c *cases.Case, covers []string) Scenario {
	used := c.Uses()
	acts := c.Acts()
	return Scenario{
		Covers: covers, Symbols: used[:min(len(used), maxExercised)], Evidence: []Evidence{{"test", c.Place()}},
		Given: m.given(c, acts), When: m.when(acts), Then: m.then(c, acts),
	}
}

// furtherTests counts the tests that could be scenarios but are not.
func (m *material) furtherTests() string {
	if m.further == 0 {
		return ""
	}
	return "\n\n" + fmt.Sprintf(wording.In(m.lang,
		"%d more tests use the interface; the scenarios are those that show a requirement best, %d at most for each.",
		"另有 %d 个测试使用了这些接口；场景只取最能说明需求的测试，每项需求至多 %d 个。"), m.further, cases.PerClaim)
}
