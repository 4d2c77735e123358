package spec

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Section is one of a spec's sections.
type Section string

// Sections, in the order of a spec.
const (
	SecIntent       Section = "intent"
	SecRequirements Section = "requirements"
	SecScenarios    Section = "scenarios"
	SecInterface    Section = "interface"
	SecTests        Section = "tests"
	SecTrace        Section = "trace"
	SecLogic        Section = "logic"
	SecConstraints  Section = "constraints"
	SecEdgeCases    Section = "edge-cases"
	SecDebt         Section = "debt"
	SecCoverage     Section = "coverage"
	SecDependencies Section = "dependencies"
	SecInventory    Section = "inventory"
	SecGlance       Section = "glance"
	SecOptions      Section = "options"
	SecRisks        Section = "risks"
)

// heading is a section's heading in both languages, and the lower-case substrings that
// identify it in hand-written specs.
type heading struct {
	section Section
	en, zh  string
	known   []string
}

// headings follows the specs in the contract; the Chinese headings are verbatim.
var headings = []heading{
	{SecIntent, "Intent", "意图", []string{"intent", "purpose", "意图", "目的", "概述"}},
	{SecRequirements, "1. Requirements", "1. Requirements（需求规格）", []string{"requirements", "需求"}},
	{SecScenarios, "2. Scenarios", "2. Scenarios（场景规格）", []string{"scenarios", "场景"}},
	{SecTests, "4. Contract tests", "4. Contract Tests", []string{"contract tests", "契约测试"}},
	{SecInterface, "3. API / Schema contract", "3. API/Schema 契约", []string{"api", "schema", "interface", "接口", "契约"}},
	{SecTrace, "5. Traceability", "5. 追溯矩阵", []string{"traceability", "追溯"}},
	{SecLogic, "Business logic", "业务逻辑", []string{"business logic", "业务逻辑", "核心逻辑"}},
	{SecConstraints, "Constraints", "约束条件", []string{"constraint", "约束", "限制"}},
	{SecEdgeCases, "Edge cases", "边界条件", []string{"edge case", "边界", "错误处理", "异常处理"}},
	{SecDebt, "Technical debt", "技术债务", []string{"technical debt", "技术债"}},
	{SecCoverage, "Test coverage", "测试覆盖", []string{"test coverage", "测试覆盖", "测试策略"}},
	{SecDependencies, "Dependencies", "依赖关系", []string{"dependenc", "依赖"}},
	{SecInventory, "Appendix: file inventory", "附录：文件清单", []string{"inventory", "文件清单"}},
	{SecGlance, "At a glance", "概览", []string{"at a glance", "概览"}},
	{SecOptions, "Options", "选项与配置", []string{"options", "选项"}},
	{SecRisks, "6. Risks and gaps", "6. 风险与缺口", []string{"risks", "风险"}},
}

// pageOrder is the order of the sections of a page.
var pageOrder = []Section{
	SecIntent, SecGlance, SecOptions, SecRequirements, SecScenarios, SecInterface, SecTests, SecTrace, SecRisks,
	SecLogic, SecConstraints, SecEdgeCases, SecDebt, SecCoverage, SecDependencies, SecInventory,
}

// sectionOf returns the section of a heading in either language; ok is false for an unknown
// heading.
func sectionOf(text string) (Section, bool) {
	text = strings.ToLower(text)
	for _, h := range headings {
		for _, word := range h.known {
			if strings.Contains(text, word) {
				return h.section, true
			}
		}
	}
	return "", false
}

// label is a field's name in both languages.
type label struct{ en, zh string }

// Labels of the fields of items.
var (
	labelSymbol   = label{"Symbol", "符号"}
	labelEvidence = label{"Evidence", "依据"}
	labelTests    = label{"Tests", "测试"}
	labelGiven    = label{"Given", "Given"}
	labelWhen     = label{"When", "When"}
	labelThen     = label{"Then", "Then"}
	labelCovers   = label{"Covers", "覆盖"}
	labelSymbols  = label{"Exercises", "涉及符号"}
	labelType     = label{"Type", "类型"}
	labelNeeds    = label{"Needs", "需要"}
	labelChecked  = label{"Checked", "检查"}
	labelScript   = label{"Script", "验证脚本"}
)

// colon returns the separator between a label and its value.
func colon(lang string) string { return wording.In(lang, ": ", "：") }

func (l label) in(lang string) string { return wording.In(lang, l.en, l.zh) }
