package spec

import (
	"context"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
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
	count := 0
	for _, s := range interfaceOf(m.merged.Exports) {
		if !s.Broken {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	title := label{"the interface", "接口契约"}
	t := ContractTest{
		Title: title.in(m.lang), Type: schemaType,
		Text:   fmt.Sprintf(wording.In(m.lang, "Fails on a change that breaks users of the %[1]s.", "当 %[2]d 个签名的使用者会受影响时失败。"), wording.Count(count, "signature"), count),
		Script: "reverse-spec diff " + shellWord(PathFor(outputDir, m.target)) + " --fail-on breaking",
	}
	return []draft{{t, title.in(m.idLang), nil}}
}
