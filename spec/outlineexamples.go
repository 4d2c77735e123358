package spec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
)

// giveExamples gives each rule the tests that show it and can be told in words. Which test is whose does not depend on the other
// tests, nor on the order of the rules, so that an example stays as long as its test: a test shows the first rule of which it
// asserts an error or a status, or else those about the function that it is about.
func (m *material) giveExamples(drafts []ruleDraft) {
	told := map[string]bool{}
	for i := range drafts {
		if len(drafts[i].asked) > 0 {
			drafts[i].Examples = m.requestExamples(&drafts[i], told)
		}
	}
	for _, c := range m.inPlace() {
		if told[c.Place()] || !m.tellable(c) {
			continue
		}
		for i := range drafts {
			if d := &drafts[i]; d.quoted && slices.Contains(d.tests, c.Place()) {
				told[c.Place()] = m.tell(d, c)
				break
			}
		}
		if d := aboutOf(drafts, c); !told[c.Place()] && d != nil {
			told[c.Place()] = m.tell(d, c)
		}
	}
}

// aboutOf returns the first rule about the function that a test is about, and that the test shows; nil for none.
func aboutOf(drafts []ruleDraft, c *cases.Case) *ruleDraft {
	used := c.Uses()
	for i := range drafts {
		if d := &drafts[i]; len(used) > 0 && !d.quoted && len(d.asked) == 0 && d.Of == used[0] && slices.Contains(d.tests, c.Place()) {
			return d
		}
	}
	return nil
}

// inPlace returns the tests in the order of their files and lines.
func (m *material) inPlace() []*cases.Case {
	list := slices.Clone(m.cases)
	slices.SortStableFunc(list, func(a, b *cases.Case) int { return comparePlaces(a.Place(), b.Place()) })
	return list
}

// tellable reports whether a test can be told in a few words: tests with rows cannot without their table.
func (m *material) tellable(c *cases.Case) bool {
	if m.ofRoutes(c) || len(c.Rows) > 0 || len(c.Providers()) > 0 || c.Table() != nil || c.Redacted() {
		return false
	}
	t := m.told(c)
	return t.Then != "" && !t.repeats && t.cost < mostCost/2
}

// tell adds a test to the examples of a rule, unless it has enough, and reports whether it did.
func (m *material) tell(d *ruleDraft, c *cases.Case) bool {
	most := mostExamples
	if d.byTests {
		most *= 2
	}
	if len(d.Examples) >= most {
		return false
	}
	n := m.narrator(c)
	if len(n.story.When) > 0 && strings.HasPrefix(n.story.When[0].Call, "lambda") { // what is in it is not told
		return false
	}
	e := Example{Name: shortName(cmp.Or(cases.Words(c.Name), c.Name)), Given: n.givenParts(), When: n.events(n.story.When), At: c.Place()}
	if e.Then, _ = n.checksTold(); e.When == "" || len(e.Then) == 0 {
		return false
	}
	if slices.ContainsFunc(d.Examples, func(o Example) bool {
		return o.When == e.When && strings.Join(o.Then, ";") == strings.Join(e.Then, ";")
	}) {
		return false
	}
	d.Examples = append(d.Examples, e)
	return true
}

// requestExamples returns the tests that send requests that a rule is about: each shows a route or refusal that none before it
// does.
func (m *material) requestExamples(d *ruleDraft, told map[string]bool) []Example {
	var out []Example
	shown := map[int]bool{}
	for _, t := range m.trials() {
		fresh := slices.IndexFunc(d.asked, func(c *evidence.Claim) bool { return m.covers(t, c) && !shown[slices.Index(d.asked, c)] })
		if fresh < 0 || told[t.Place()] || len(out) >= mostExamples {
			continue
		}
		event := m.event(t)
		if len(event) == 0 || len(statusesOf(event)) > maxStatuses {
			continue
		}
		e := Example{Name: shortName(cmp.Or(cases.Words(t.Name), t.Name)), Given: m.requestSetUp(t), When: m.requestWhen(t), Then: m.requestChecks(t), At: t.Place()}
		if len(e.Then) == 0 {
			continue
		}
		shown[fresh], told[e.At] = true, true
		out = append(out, e)
		d.tests = appendNew(d.tests, []string{e.At})
	}
	return out
}
