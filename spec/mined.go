package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits on lists: findings of one rule, and places of one finding.
const (
	maxMined  = 120
	maxPlaces = 5
)

// findings returns the findings for a section, at most maxMined of each rule; left counts the
// others.
func (m *material) findings(section evidence.Section) (list []*evidence.Finding, left int) {
	count := map[string]int{}
	for i := range m.found {
		f := &m.found[i]
		if f.Rule.Section != section {
			continue
		}
		if count[f.Rule.ID]++; count[f.Rule.ID] > maxMined {
			left++
			continue
		}
		list = append(list, f)
	}
	return list, left
}

// minedRows writes the findings for a section as a list.
func (m *material) minedRows(section evidence.Section) []string {
	var rows []string
	list, left := m.findings(section)
	for _, f := range list {
		detail := f.Detail
		if detail != "" {
			detail = " · " + detail
		}
		rows = append(rows, fmt.Sprintf("- %s%s (%s)", f.Sentence(m.lang), detail, places(f)))
	}
	if left > 0 {
		rows = append(rows, m.more(left))
	}
	return rows
}

func (m *material) more(left int) string {
	return fmt.Sprintf(wording.In(m.lang, "- … and %d more", "- …另有 %d 项"), left)
}

func places(f *evidence.Finding) string {
	var out []string
	for _, p := range f.At[:min(len(f.At), maxPlaces)] {
		out = append(out, fmt.Sprintf("`%s:%d`", p.File, p.Line))
	}
	if left := len(f.At) - maxPlaces; left > 0 {
		out = append(out, fmt.Sprintf("… +%d", left))
	}
	return strings.Join(out, ", ")
}

// minedRequirements returns a requirement for each finding.
func (m *material) minedRequirements(ids *numbering) []Requirement {
	var out []Requirement
	list, _ := m.findings(evidence.Requirement)
	for _, f := range list {
		r := Requirement{Title: markdown.Title(f.Sentence(m.lang)), Text: above(above(markdown.Quoted(f.Detail), m.conditions(f)), m.usedFrom(f)), Symbol: f.Symbol}
		for _, p := range f.At[:min(len(f.At), maxPlaces)] {
			r.Evidence = append(r.Evidence, Evidence{f.Rule.Evidence, fmt.Sprintf("%s:%d", p.File, p.Line)})
		}
		known := Requirement{Title: markdown.Title(f.Sentence(m.idLang)), Symbol: r.Symbol, Evidence: r.Evidence}
		r.ID = ids.of(known.key())
		if f.Refusal != nil {
			m.refusals[r.ID] = f.Refusal
		}
		out = append(out, r)
	}
	return out
}

// conditions describes when a finding applies: one line, or a list.
func (m *material) conditions(f *evidence.Finding) string {
	var list []string
	for _, when := range f.When {
		var all []string
		for _, c := range when {
			all = append(all, markdown.Code(markdown.Clip(c, 2*markdown.TitleBytes)))
		}
		text := strings.Join(all, wording.In(m.lang, " and ", " 且 "))
		if len(all) == 0 {
			text = wording.In(m.lang, "no line above has returned", "此前各行均未返回")
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	switch {
	case len(list) == 0:
		return ""
	case len(list) == 1:
		return wording.In(m.lang, "When ", "条件：") + list[0] + wording.In(m.lang, ".", "")
	}
	list = list[:min(len(list), maxPlaces)]
	return wording.In(m.lang, "When one of these holds:\n\n- ", "满足下列条件之一：\n\n- ") + strings.Join(list, "\n- ")
}

// usedFrom lists the exported callers of a finding in an unexported function.
func (m *material) usedFrom(f *evidence.Finding) string {
	if len(f.From) == 0 {
		return ""
	}
	var list []string
	for _, name := range f.From[:min(len(f.From), maxPlaces)] {
		list = append(list, markdown.Code(name))
	}
	text := wording.In(m.lang, "Reached from ", "可由以下入口到达：") + strings.Join(list, ", ")
	if left := len(f.From) - maxPlaces; left > 0 {
		text += fmt.Sprintf(", … +%d", left)
	}
	return text + wording.In(m.lang, ".", "。")
}

// key identifies a requirement within its module: its symbol, and for a finding in a body also
// its title.
func (r *Requirement) key() string {
	if len(r.Evidence) > 0 && r.Evidence[0].Kind == "doc" {
		return r.Symbol
	}
	return r.Symbol + " · " + r.Title
}

// leftOut adds the number of requirements that are not listed.
func (m *material) leftOut(s *Spec) {
	if _, left := m.findings(evidence.Requirement); left > 0 {
		s.TraceNote += fmt.Sprintf(wording.In(m.lang, "\n\n%d more refusals, options or routes were found and are not listed.", "\n\n另有 %d 项拒绝、选项或路由未列出。"), left)
	}
}
