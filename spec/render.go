package spec

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/lock"
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
	for _, section := range pageOrder {
		if s.lacks(section) && (section != SecRequirements || s.byHand()) {
			continue
		}
		h := headings[slices.IndexFunc(headings, func(h heading) bool { return h.section == section })]
		fmt.Fprintf(&b, "## %s\n\n", wording.In(s.Lang, h.en, h.zh))
		paragraph(&b, s.Kept[section]) // before the items, so that no item owns it
		s.renderSection(&b, section)
	}
	return b.Bytes()
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

// renderEmpty explains why there is no requirement.
func (s *Spec) renderEmpty(b *bytes.Buffer, section Section) {
	if section == SecRequirements && len(s.Requirements) == 0 && !s.byHand() {
		paragraph(b, wording.In(s.Lang, "None: the code refuses nothing, and no test shows what its documentation says.", "无：代码不拒绝任何输入，也没有测试说明其文档。"))
	}
}

// text returns the field of a section that is plain Markdown, or nil.
func (s *Spec) text(section Section) *string {
	switch section {
	case SecIntent:
		return &s.Intent
	case SecGlance:
		return &s.Glance
	case SecOptions:
		return &s.Options
	case SecRisks:
		return &s.Risks
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

func (s *Spec) evidenceList(list []Evidence) string {
	var out []string
	for _, e := range list {
		out = append(out, e.Kind+" `"+shortPlace(e.Place, s.folder(), s.Front.RelatedFiles)+"`")
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
	symbol := markdown.Code(r.Symbol)
	if r.Symbol != "" && !s.byHand() && titleSymbol(r.Title) == r.Symbol {
		symbol = "" // the heading begins with it
	}
	s.line(b, []field{{labelSymbol, symbol}, {labelEvidence, s.evidenceList(r.Evidence)}, {labelTests, s.testList(&r)}})
}

// field is a labelled value.
type field struct {
	label
	value string
}

// line writes fields on one line, without those that are empty.
func (s *Spec) line(b *bytes.Buffer, list []field) {
	var out []string
	for _, f := range list {
		if s.byHand() || isBlock(f.value) {
			s.field(b, f.label, f.value)
		} else if f.value != "" {
			out = append(out, "**"+f.in(s.Lang)+"**"+colon(s.Lang)+f.value)
		}
	}
	paragraph(b, strings.Join(out, fieldMark))
}

// list writes fields as a list, without those that are empty.
func (s *Spec) list(b *bytes.Buffer, list []field) {
	var out []string
	for _, f := range list {
		if s.byHand() || isBlock(f.value) {
			for _, f := range list {
				s.field(b, f.label, f.value)
			}
			return
		}
		if f.value != "" {
			out = append(out, "- **"+f.in(s.Lang)+"**"+colon(s.Lang)+f.value)
		}
	}
	paragraph(b, strings.Join(out, "\n"))
}

// moreTests precedes the number of tests that are not listed.
const moreTests = " … +"

// testList lists the tests of a requirement, and counts those that are left out and those that only reach it.
func (s *Spec) testList(r *Requirement) string {
	switch r.Shown {
	case lock.Reached:
		return reachedOnly.in(s.Lang)
	case lock.Untested:
		return noTest.in(s.Lang)
	case lock.Tested, lock.Unknown:
	}
	text := placeCodes(s.shortPlaces(r.Tests), ", ")
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

// What is said instead of tests where it was measured which lines run.
var (
	reachedOnly = label{"reached, not asserted", "有测试到达，但无断言"}
	noTest      = label{"no test", "无测试"}
)

// reachTests follows the tests of a requirement: the number of those that only reach it.
var reachTests = label{"; reached by %d", "；有 %d 项测试到达"}

func (s *Spec) renderScenario(b *bytes.Buffer, c Scenario) {
	itemHeading(b, c.ID, c.Title)
	paragraph(b, c.Text) // before the list: what follows it belongs to its last field
	s.list(b, []field{{labelGiven, c.Given}, {labelWhen, c.When}, {labelThen, c.Then}})
	s.line(b, []field{{labelCovers, idList(c.Covers)}, {labelSymbols, markdown.Codes(c.Symbols)}, {labelEvidence, s.evidenceList(c.Evidence)}})
}

func (s *Spec) renderTest(b *bytes.Buffer, t ContractTest) {
	itemHeading(b, t.ID, t.Title)
	paragraph(b, t.Text)
	s.line(b, []field{{labelType, t.Type}, {labelCovers, idList(t.Covers)}, {labelNeeds, strings.Join(t.Needs, ", ")}, {labelChecked, t.Checked}})
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
