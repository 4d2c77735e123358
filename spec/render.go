package spec

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Render returns the page of the spec as Markdown, without its baseline. [Parse] is its inverse.
func (s *Spec) Render() []byte {
	var b bytes.Buffer
	b.WriteString("---\n")
	s.Front.render(&b)
	b.WriteString("---\n\n")
	if s.Title != "" {
		fmt.Fprintf(&b, "# %s\n\n", s.Title)
	}
	s.renderAttributes(&b)
	paragraph(&b, s.Kept[""])
	for _, h := range renderOrder() {
		if s.byHand() && s.lacks(h.section) {
			continue
		}
		fmt.Fprintf(&b, "## %s\n\n", wording.In(s.Lang, h.en, h.zh))
		paragraph(&b, s.Kept[h.section]) // before the items, so that no item owns it
		s.renderSection(&b, h.section)
	}
	return b.Bytes()
}

// renderOrder returns the headings in the order of a spec. In the table contract tests precede
// the API, because its keywords match more headings.
func renderOrder() []heading {
	out := make([]heading, len(headings))
	copy(out, headings)
	out[3], out[4] = out[4], out[3]
	return out
}

func (s *Spec) renderSection(b *bytes.Buffer, section Section) {
	s.renderEmpty(b, section)
	switch section {
	case SecRequirements:
		for _, r := range s.Requirements {
			s.renderRequirement(b, r)
		}
	case SecScenarios:
		for _, c := range s.Scenarios {
			s.renderScenario(b, c)
		}
	case SecTests:
		for _, t := range s.ContractTests {
			s.renderTest(b, t)
		}
	case SecTrace:
		s.renderTrace(b)
	case SecInventory:
		s.renderInventory(b)
	default:
		paragraph(b, *s.text(section))
	}
}

// renderEmpty explains why a list has no items.
func (s *Spec) renderEmpty(b *bytes.Buffer, section Section) {
	switch {
	case section == SecRequirements && len(s.Requirements) == 0:
		paragraph(b, wording.In(s.Lang, "None: nothing that is exported is documented.", "无：导出的符号均无文档。"))
	case section == SecScenarios && len(s.Scenarios) == 0:
		paragraph(b, wording.In(s.Lang, "None: no test beside the code calls what a requirement speaks of.", "无：没有测试调用需求所述的符号。"))
	case section == SecTests && len(s.ContractTests) == 0:
		paragraph(b, wording.In(s.Lang, "None: nothing is exported.", "无：没有导出任何符号。"))
	}
}

// text returns the field of a section that is plain Markdown, or nil.
func (s *Spec) text(section Section) *string {
	switch section {
	case SecIntent:
		return &s.Intent
	case SecInterface:
		return &s.Interface
	case SecLogic:
		return &s.Logic
	case SecConstraints:
		return &s.Constraints
	case SecEdgeCases:
		return &s.EdgeCases
	case SecDebt:
		return &s.Debt
	case SecCoverage:
		return &s.Coverage
	case SecDependencies:
		return &s.Dependencies
	case SecTrace:
		return &s.TraceNote
	default:
		return nil
	}
}

func paragraph(b *bytes.Buffer, text string) {
	if text != "" {
		b.WriteString(text + "\n\n")
	}
}

func (s *Spec) renderAttributes(b *bytes.Buffer) {
	if len(s.Attributes) == 0 {
		return
	}
	fmt.Fprintf(b, "| %s | %s |\n|------|-----|\n", wording.In(s.Lang, "Attribute", "属性"), wording.In(s.Lang, "Value", "值"))
	for _, a := range s.Attributes {
		fmt.Fprintf(b, "| %s | %s |\n", markdown.Cell(a.Name), markdown.Cell(a.Value))
	}
	b.WriteString("\n")
}

func (s *Spec) field(b *bytes.Buffer, l label, value string) {
	if value == "" {
		return
	}
	sep := colon(s.Lang)
	if isBlock(value) {
		sep = strings.TrimSpace(sep) + "\n"
	}
	fmt.Fprintf(b, "**%s**%s%s\n\n", l.in(s.Lang), sep, value)
}

// isBlock reports whether a value is more than one line of text. Such a value is written below
// its label.
func isBlock(value string) bool {
	return strings.Contains(value, "\n") || markdown.FenceMark(value) != "" || strings.HasPrefix(value, "- ") || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "|")
}

func evidenceList(list []Evidence) string {
	var out []string
	for _, e := range list {
		out = append(out, e.Kind+" `"+e.Place+"`")
	}
	return strings.Join(out, ", ")
}

// itemHeading is the inverse of splitItem.
func itemHeading(b *bytes.Buffer, id, title string) {
	if title == "" {
		fmt.Fprintf(b, "### %s\n\n", id)
		return
	}
	fmt.Fprintf(b, "### %s: %s\n\n", id, title)
}

func (s *Spec) renderRequirement(b *bytes.Buffer, r Requirement) {
	itemHeading(b, r.ID, r.Title)
	paragraph(b, r.Text)
	s.field(b, labelSymbol, markdown.Code(r.Symbol))
	s.field(b, labelEvidence, evidenceList(r.Evidence))
	s.field(b, labelTests, s.testList(&r))
}

// moreTests precedes the number of tests that are not listed.
const moreTests = " … +"

// testList lists the tests of a requirement, and counts those that are left out and those that only reach it.
func (s *Spec) testList(r *Requirement) string {
	text := markdown.Codes(r.Tests)
	if text != "" && r.More > 0 {
		text += moreTests + strconv.Itoa(r.More)
	}
	if r.Reach == 0 {
		return text
	}
	reach := wording.In(s.Lang, reachTests.en, reachTests.zh)
	if text == "" {
		return wording.In(s.Lang, "none quotes it", "没有测试引用该错误") + fmt.Sprintf(reach, r.Reach)
	}
	return text + fmt.Sprintf(reach, r.Reach)
}

// reachTests follows the tests of a requirement: the number of those that only reach it.
var reachTests = label{"; reached by %d", "；有 %d 项测试到达"}

func (s *Spec) renderScenario(b *bytes.Buffer, c Scenario) {
	itemHeading(b, c.ID, c.Title)
	paragraph(b, c.Text)
	s.field(b, labelGiven, c.Given)
	s.field(b, labelWhen, c.When)
	s.field(b, labelThen, c.Then)
	s.field(b, labelCovers, strings.Join(c.Covers, ", "))
	s.field(b, labelSymbols, markdown.Codes(c.Symbols))
	s.field(b, labelEvidence, evidenceList(c.Evidence))
}

func (s *Spec) renderTest(b *bytes.Buffer, t ContractTest) {
	itemHeading(b, t.ID, t.Title)
	paragraph(b, t.Text)
	s.field(b, labelType, t.Type)
	s.field(b, labelCovers, strings.Join(t.Covers, ", "))
	s.field(b, labelNeeds, strings.Join(t.Needs, ", "))
	s.field(b, labelChecked, t.Checked)
	if t.Script == "" {
		return
	}
	fence := markdown.FenceFor(t.Script)
	fmt.Fprintf(b, "**%s**%s\n%sbash\n%s\n%s\n\n", labelScript.in(s.Lang), strings.TrimSpace(colon(s.Lang)), fence, t.Script, fence)
}

func (s *Spec) renderInventory(b *bytes.Buffer) {
	fmt.Fprintf(b, "| %s | %s | %s |\n|------|------|----------|\n",
		wording.In(s.Lang, "File", "文件"), wording.In(s.Lang, "Lines", "行数"), wording.In(s.Lang, "Purpose", "主要用途"))
	for _, f := range s.Files {
		fmt.Fprintf(b, "| `%s` | %d | %s |\n", f.Path, f.LOC, markdown.Cell(f.Purpose))
	}
	b.WriteString("\n")
}
