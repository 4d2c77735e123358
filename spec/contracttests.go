package spec

import (
	"context"
	"slices"
	"strings"
)

// contractTests returns the contract tests of a spec whose requirements and scenarios are
// filled in: a test of the signatures and tests that run existing tests. If check is not nil they
// are tried first; the error is check's.
func (m *material) contractTests(ctx context.Context, ids *numbering, s *Spec, outputDir string, check Check) ([]ContractTest, error) {
	drafts := m.schemaTest(outputDir)
	for _, b := range m.behaviors(s.Requirements, s.Scenarios) {
		drafts = append(drafts, m.behaviorDraft(&b))
	}
	drafts, err := m.checked(ctx, drafts, check)
	var tests []ContractTest
	for _, d := range drafts {
		d.ID = ids.of(d.known)
		tests = append(tests, d.ContractTest)
	}
	return tests, err
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
	if !slices.ContainsFunc(interfaceOf(m.merged.Exports), func(s named) bool { return !s.Broken }) {
		return nil
	}
	title := label{"no change breaks users of the interface", "接口的使用者不受影响"}
	t := ContractTest{
		Title: title.in(m.lang), Type: schemaType,
		Script: "reverse-spec diff " + shellWord(PathFor(outputDir, m.target)) + " --fail-on breaking",
	}
	return []draft{{t, title.in(m.idLang), nil}}
}
