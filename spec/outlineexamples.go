package spec

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
)

// examplesOf returns the tests that show a rule and can be told in words, the simplest first; told are those of other rules.
func (m *material) examplesOf(d *ruleDraft, told map[string]bool) []Example {
	out := m.requestExamples(d, told)
	type one struct {
		test *cases.Case
		cost int
	}
	var list []one
	for _, c := range m.cases {
		if told[c.Place()] || !slices.Contains(d.tests, c.Place()) || m.ofRoutes(c) || len(c.Rows) > 0 || len(c.Providers()) > 0 || c.Table() != nil || c.Redacted() {
			continue
		}
		if t := m.told(c); t.Then != "" && !t.repeats && t.cost < mostCost {
			list = append(list, one{c, t.cost})
		}
	}
	slices.SortStableFunc(list, func(a, b one) int { return cmp.Compare(a.cost, b.cost) })
	most := mostExamples
	if d.byTests {
		most *= 2
	}
	for _, o := range list {
		if len(out) >= most {
			break
		}
		n := m.narrator(o.test)
		e := Example{Name: shortName(cmp.Or(cases.Words(o.test.Name), o.test.Name)), Given: n.givenParts(), When: n.events(n.story.When), At: o.test.Place()}
		if e.Then, _ = n.checksTold(); e.When == "" || len(e.Then) == 0 {
			continue
		}
		told[e.At] = true
		out = append(out, e)
	}
	return out
}

// requestExamples returns the tests that send requests that a rule is about: each shows a route or refusal that none before it does.
func (m *material) requestExamples(d *ruleDraft, told map[string]bool) []Example {
	if len(d.asked) == 0 {
		return nil
	}
	var out []Example
	shown := map[int]bool{}
	for _, t := range m.trials() {
		fresh := -1
		for i, c := range d.asked {
			if !shown[i] && m.covers(t, c) {
				fresh = i
				break
			}
		}
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
