package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits on lists: claims of one kind, and places of one claim.
const (
	maxOfKind = 100
	maxPlaces = 5
)

// claimsOf returns the claims of some kinds, at most maxOfKind of each; left counts the others.
func (m *material) claimsOf(kinds []evidence.Kind) (list []*evidence.Claim, left int) {
	count := map[evidence.Kind]int{}
	for i := range m.claims {
		c := &m.claims[i]
		if !slices.Contains(kinds, c.Kind) || tabled(c) {
			continue
		}
		if count[c.Kind]++; count[c.Kind] > maxOfKind {
			left++
			continue
		}
		list = append(list, c)
	}
	return list, left
}

// kindsOf returns the kinds of claims that a section states.
func kindsOf(section Section) []evidence.Kind {
	var out []evidence.Kind
	for kind, s := range sentences {
		if s.section == section {
			out = append(out, kind)
		}
	}
	return out
}

// section writes the claims for a section as a list, or else what none and noneZH say.
func (m *material) section(s Section, none, noneZH string) string {
	return cmp.Or(strings.Join(m.claimRows(kindsOf(s)...), "\n"), wording.In(m.lang, none, noneZH))
}

// claimRows writes the claims of some kinds as a list.
func (m *material) claimRows(kinds ...evidence.Kind) []string {
	var rows []string
	list, left := m.claimsOf(kinds)
	for _, c := range list {
		more := details(c, m.lang)
		if more != "" {
			more = " · " + more
		}
		rows = append(rows, "- "+Say(c, m.lang)+more+places(c))
	}
	if left > 0 {
		rows = append(rows, m.more(left))
	}
	return rows
}

func (m *material) more(left int) string {
	return fmt.Sprintf(wording.In(m.lang, "- … and %d more", "- …另有 %d 项"), left)
}

// places lists the places of a claim in parentheses.
func places(c *evidence.Claim) string {
	if len(c.At) == 0 {
		return ""
	}
	var out []string
	for _, p := range c.At[:min(len(c.At), maxPlaces)] {
		out = append(out, fmt.Sprintf("`%s:%d`", p.File, p.Line))
	}
	if left := len(c.At) - maxPlaces; left > 0 {
		out = append(out, fmt.Sprintf("… +%d", left))
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// claimRequirements returns a requirement for each claim of that section.
func (m *material) claimRequirements(ids *numbering) []Requirement {
	var out []Requirement
	list, _ := m.claimsOf(kindsOf(SecRequirements))
	for _, c := range list {
		r := Requirement{
			Title: markdown.Title(Say(c, m.lang)), Symbol: c.Subject,
			Text: above(above(markdown.Quoted(details(c, m.lang)), m.conditions(c)), m.usedFrom(c)),
		}
		if c.Kind == evidence.Command {
			r.Text = above(r.Text, m.commandTable(c))
		}
		for _, p := range c.At[:min(len(c.At), maxPlaces)] {
			r.Evidence = append(r.Evidence, Evidence{c.Evidence(), fmt.Sprintf("%s:%d", p.File, p.Line)})
		}
		known := Requirement{Title: markdown.Title(Say(c, m.idLang)), Symbol: r.Symbol, Evidence: r.Evidence}
		r.ID = ids.of(c.ID(), known.key())
		m.stated[r.ID] = c
		out = append(out, r)
	}
	return out
}

// conditions describes when an exit is reached: one line, or a list.
func (m *material) conditions(c *evidence.Claim) string {
	var list []string
	for _, when := range c.When {
		if text := m.condition(when); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	switch {
	case len(list) == 0 || slices.Contains(list, ""): // of one place, nothing can be said
		return ""
	case len(list) == 1:
		return list[0] + wording.In(m.lang, ".", "。")
	}
	list = list[:min(len(list), maxPlaces)]
	return wording.In(m.lang, "In one of these cases:\n\n- ", "满足下列条件之一：\n\n- ") + strings.Join(list, "\n- ")
}

// condition describes the condition of one place; "" if nothing can be said about it.
func (m *material) condition(c evidence.Condition) string {
	var all []string
	for _, t := range c.All {
		text := markdown.Code(markdown.Clip(t.Text, 2*markdown.TitleBytes))
		if t.Where != "" {
			text += fmt.Sprintf(wording.In(m.lang, " (where %s)", "（其中 %s）"), markdown.Code(t.Where))
		}
		all = append(all, text)
	}
	switch {
	case len(all) == 0 && c.Partial:
		return ""
	case len(all) == 0:
		return wording.In(m.lang, "Always", "无条件")
	case c.Partial:
		return wording.In(m.lang, "Only when ", "仅当 ") + strings.Join(all, wording.In(m.lang, " and ", " 且 "))
	}
	return wording.In(m.lang, "When ", "条件：") + strings.Join(all, wording.In(m.lang, " and ", " 且 "))
}

// usedFrom lists the exported callers of a claim about an unexported function.
func (m *material) usedFrom(c *evidence.Claim) string {
	if len(c.From) == 0 {
		return ""
	}
	var list []string
	for _, name := range c.From[:min(len(c.From), maxPlaces)] {
		list = append(list, markdown.Code(name))
	}
	text := wording.In(m.lang, "Reached from ", "可由以下入口到达：") + strings.Join(list, ", ")
	if left := len(c.From) - maxPlaces; left > 0 {
		text += fmt.Sprintf(", … +%d", left)
	}
	return text + wording.In(m.lang, ".", "。")
}

// key identifies a requirement within its module: its symbol, and for a claim about a body
// also its title.
func (r *Requirement) key() string {
	if len(r.Evidence) > 0 && r.Evidence[0].Kind == "doc" {
		return r.Symbol
	}
	return r.Symbol + " · " + r.Title
}

// leftOut adds the number of requirements that are not listed.
func (m *material) leftOut(s *Spec) {
	if _, left := m.claimsOf(kindsOf(SecRequirements)); left > 0 {
		s.TraceNote += fmt.Sprintf(wording.In(m.lang, "\n\n%d more refusals, options or routes were found and are not listed.", "\n\n另有 %d 项拒绝、选项或路由未列出。"), left)
	}
}

// recorded returns the claims as the lock keeps them, with the requirements that state them.
func (m *material) recorded() []RecordedClaim {
	ids := map[*evidence.Claim]string{}
	for id, c := range m.stated {
		ids[c] = id
	}
	out := make([]RecordedClaim, 0, len(m.claims))
	for i := range m.claims {
		out = append(out, RecordedClaim{Claim: m.claims[i], Requirement: ids[&m.claims[i]]})
	}
	return out
}
