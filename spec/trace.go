package spec

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// TraceRow lists what a contract test covers.
type TraceRow struct {
	Test   string
	Type   string // type of the test
	Covers []string
}

// TraceLink connects a requirement or a scenario with its code and with the contract tests
// that cover it.
type TraceLink struct {
	Item    string
	Symbols []string // "Type.method"
	Tests   []string
}

// linkHead is the first header cell of a table of links.
var linkHead = label{"Requirement or scenario", "需求/场景"}

// trace fills the matrix, and adds a note on what tests cover.
func (m *material) trace(s *Spec) {
	for _, t := range s.ContractTests {
		if len(t.Covers) > 0 {
			s.Trace = append(s.Trace, TraceRow{t.ID, t.Type, t.Covers})
		}
	}
	s.TraceNote = m.coverageLine(s)
}

// coverageLine counts what tests cover, and apart from that the signatures that are compared.
func (m *material) coverageLine(s *Spec) string {
	open := s.Uncovered()
	covered := 0
	for _, r := range s.Requirements {
		if !slices.Contains(open, r.ID) {
			covered++
		}
	}
	var list []string
	if len(s.Requirements)+len(s.Scenarios) == 0 {
		list = append(list, wording.In(m.lang, "There is no requirement or scenario to cover.", "没有需要覆盖的需求或场景。"))
	} else {
		text := fmt.Sprintf(wording.In(m.lang, "%d of %d requirements are covered by a test", "%[2]d 项需求中有 %[1]d 项被测试覆盖"), covered, len(s.Requirements))
		if len(s.Scenarios) > 0 {
			cases := len(s.Scenarios) - (len(open) - (len(s.Requirements) - covered))
			text += fmt.Sprintf(wording.In(m.lang, "; %d of %d scenarios are", "；%[2]d 个场景中有 %[1]d 个被覆盖"), cases, len(s.Scenarios))
		}
		list = append(list, text+wording.In(m.lang, ".", "。"))
	}
	if n := m.signaturePairs(); n > 0 {
		list = append(list, wording.In(m.lang, "The test of the interface compares "+wording.Count(n, "signature")+".", fmt.Sprintf("接口测试比较 %d 个签名。", n)))
	}
	return strings.Join(list, wording.In(m.lang, " ", ""))
}

// signaturePairs counts the exported symbols and their members, by qualified name and signature.
func (m *material) signaturePairs() int {
	type pair struct{ name, signature string }
	found := map[pair]bool{}
	for _, s := range m.public {
		if !s.Broken {
			found[pair{s.name, s.Signature}] = true
		}
	}
	return len(found)
}

// Uncovered returns the ids of the requirements and scenarios that no contract test and no row
// of the matrix lists.
func (s *Spec) Uncovered() []string {
	covered := map[string]bool{}
	mark := func(ids []string) {
		for _, id := range ids {
			covered[id] = true
		}
	}
	for _, t := range s.ContractTests {
		mark(t.Covers)
	}
	for _, row := range s.Trace {
		mark(row.Covers)
	}
	var out []string
	for _, r := range s.Requirements {
		if !covered[r.ID] {
			out = append(out, r.ID)
		}
	}
	for _, c := range s.Scenarios {
		if !covered[c.ID] {
			out = append(out, c.ID)
		}
	}
	return out
}

func (s *Spec) renderTrace(b *bytes.Buffer) {
	if len(s.Trace) > 0 {
		b.WriteString(wording.In(s.Lang, "| Contract test ID | Type | Covers |\n|------------------|------|--------|\n",
			"| Contract Test ID | 类型 | 覆盖需求/场景 |\n|------------------|------|---------------|\n"))
		for _, row := range s.Trace {
			fmt.Fprintf(b, "| %s | %s | %s |\n", markdown.Cell(row.Test), markdown.Cell(row.Type), markdown.Cell(idList(row.Covers)))
		}
		b.WriteString("\n")
	}
	paragraph(b, s.TraceNote)
	if len(s.Links) > 0 {
		fmt.Fprintf(b, "| %s | %s | %s |\n|------|------|------|\n",
			linkHead.in(s.Lang), wording.In(s.Lang, "Symbols", "符号"), wording.In(s.Lang, "Contract tests", "契约测试"))
		for _, l := range s.Links {
			fmt.Fprintf(b, "| %s | %s | %s |\n", markdown.Cell(l.Item), markdown.Cell(markdown.Codes(l.Symbols)), markdown.Cell(strings.Join(l.Tests, ", ")))
		}
		b.WriteString("\n")
	}
}

// parseTrace parses the output of renderTrace. A table with linkHead has links, any other is a
// matrix.
func (s *Spec) parseTrace(body string) {
	list, rest := tables(body)
	for _, t := range list {
		for _, row := range t.rows {
			if t.head == linkHead.en || t.head == linkHead.zh {
				s.Links = append(s.Links, traceLink(row))
			} else {
				s.Trace = append(s.Trace, traceRow(row))
			}
		}
	}
	s.TraceNote = trimRule(rest)
}

// traceRow parses a row of the matrix: test, type, covered ids. Specs of earlier versions have
// no type.
func traceRow(cells []string) TraceRow {
	row := TraceRow{Test: cells[0], Covers: parseIDs(cells[len(cells)-1])}
	switch {
	case len(cells) == 1:
		row.Covers = nil
	case len(cells) > 2:
		row.Type = cells[1]
	}
	return row
}

func traceLink(cells []string) TraceLink {
	l := TraceLink{Item: cells[0]}
	if len(cells) > 1 {
		l.Symbols = markdown.Uncodes(cells[1])
	}
	if len(cells) > 2 {
		l.Tests = splitList(cells[2])
	}
	return l
}
