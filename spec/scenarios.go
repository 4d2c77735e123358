package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// scenarios chooses, for each requirement, the tests that show it best, and tells
// what they do. Tests that say the same of a requirement are counted under test
// coverage.
func (m *material) scenarios(ids *numbering, reqs []Requirement) []Scenario {
	list, elsewhere := cases.Read(cases.Module{
		Name: m.name, Exports: m.merged.Exports, Internals: m.merged.Internals, Files: m.tree.Files, Tests: m.tree.Tests,
	})
	m.elsewhere = elsewhere
	var chosen map[*cases.Case][]string
	chosen, m.further = cases.Choose(list, m.claims(reqs))
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

// claims are the requirements as tests may show them.
func (m *material) claims(reqs []Requirement) []cases.Claim {
	var out []cases.Claim
	for i := range reqs {
		r := &reqs[i]
		c := cases.Claim{ID: r.ID, Of: nameOfKey(r.Symbol)}
		if r.key() != r.Symbol {
			c.Inside = true
			if refusal := m.refusals[r.ID]; refusal != nil {
				c.Error, c.Message = refusal.Error, telling(refusal.Message)
			}
		}
		out = append(out, c)
	}
	return out
}

// leastMessage is how long a message is that cannot stand in a test by chance.
const leastMessage = 8

// telling is as much of the message of a refusal as is plain text, by which tests
// may know it; "" where that is too little.
func telling(message string) string {
	if i := strings.IndexAny(message, `%{\…`); i >= 0 { // from there on it is no plain text
		message = message[:i]
	}
	message = strings.TrimSpace(message)
	if len(message) < leastMessage || !strings.Contains(message, " ") { // a word may stand anywhere
		return ""
	}
	return message
}

// maxExercised bounds the symbols that a scenario names.
const maxExercised = 12

func (m *material) scenario(c *cases.Case, covers []string) Scenario {
	used := c.Uses()
	acts := c.Acts()
	return Scenario{
		Covers: covers, Symbols: used[:min(len(used), maxExercised)], Evidence: []Evidence{{"test", c.Place()}},
		Given: m.given(c, acts), When: m.when(acts), Then: m.then(c, acts),
	}
}

// furtherTests tells how many tests are no scenario though they could be.
func (m *material) furtherTests() string {
	if m.further == 0 {
		return ""
	}
	return "\n\n" + fmt.Sprintf(wording.In(m.lang,
		"%d more tests use the interface; the scenarios are those that show a requirement best, %d at most for each.",
		"另有 %d 个测试使用了这些接口；场景只取最能说明需求的测试，每项需求至多 %d 个。"), m.further, cases.PerClaim)
}
