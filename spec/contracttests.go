package spec

import (
	"context"
	"slices"
	"strings"
)

// contractTests fills in the contract tests of a spec whose requirements and scenarios are filled in: a test of the signatures
// and tests that run existing tests. If check is not nil they are tried first, and where that shows which lines run, refill
// is called, which fills in the requirements and scenarios anew; the error is check's.
func (m *material) contractTests(ctx context.Context, ids *numbering, s *Spec, outputDir string, check Check, refill func()) error {
	unproven := m.unproven
	drafts := m.drafts(ctx, s, outputDir)
	results, err := m.try(ctx, drafts, check)
	if err != nil {
		return err
	}
	if m.coverage != nil {
		m.groups, m.unproven = nil, unproven
		refill()
		drafts = m.drafts(ctx, s, outputDir)
	}
	for _, d := range m.checked(drafts, results) {
		d.ID = ids.of(d.known)
		s.ContractTests = append(s.ContractTests, d.ContractTest)
	}
	return nil
}

// drafts returns the contract tests of a spec before they are run.
func (m *material) drafts(ctx context.Context, s *Spec, outputDir string) []draft {
	out := m.schemaTest(outputDir)
	list := m.behaviors(s.Requirements, s.Scenarios)
	m.documents(ctx, list)
	for i := range list {
		out = append(out, m.behaviorDraft(&list[i]))
	}
	return out
}

// key identifies a contract test across regenerations: its title up to the list of tests.
func (t *ContractTest) key() string {
	if t.Type != behaviorType {
		return t.Title
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(t.Title, "：", ": "), ": ")
	return name
}

// Types of contract tests.
const (
	schemaType   = "schema"
	behaviorType = "behavior"
)

// schemaTest returns the test that the interface is still that of the spec; none for a module that exports nothing.
func (m *material) schemaTest(outputDir string) []draft {
	if !slices.ContainsFunc(m.public, func(s named) bool { return !s.Broken }) {
		return nil
	}
	title := label{"no change breaks users of the interface", "接口的使用者不受影响"}
	t := ContractTest{
		Title: title.in(m.lang), Type: schemaType,
		Script: "reverse-spec diff " + shellWord(PathFor(outputDir, m.target)) + " --fail-on breaking",
	}
	return []draft{{t, title.in(m.idLang), nil}}
}
