package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// exitStatuses returns the table of the statuses with which the module ends the process, lowest first.
func (m *material) exitStatuses() string {
	list := m.ofKind(evidence.ExitStatus)
	slices.SortStableFunc(list, func(a, b *evidence.Claim) int { return cmp.Compare(statusNumber(a), statusNumber(b)) })
	var rows []string
	for _, c := range list {
		when, prints := m.unfit(c), ""
		if c.Role != evidence.BadUsage {
			when, prints = m.endsWhen(innermost(c)), quotedOrNone(c.Text)
		}
		if c.Role != evidence.BadUsage && slices.ContainsFunc(innermost(c).When, func(w evidence.Condition) bool { return w.Partial && len(w.All) > 0 }) {
			when = wording.In(m.lang, "only when ", "仅当 ") + when
		}
		rows = append(rows, tableRow(codeSpan(c.Name), when, prints, m.cited(c)))
	}
	if len(rows) == 0 {
		return ""
	}
	return tableHead(wording.In(m.lang, "Exit status|When|Prints|Evidence", "退出状态|条件|输出|依据")) + m.rows(rows)
}

// unfit says that a command line does not fit what declares it.
func (m *material) unfit(c *evidence.Claim) string {
	if c.Text == "" {
		return wording.In(m.lang, "the command line does not fit", "命令行参数不符")
	}
	return wording.In(m.lang, "the command line does not fit ", "命令行参数不符合 ") + codeSpan(c.Text)
}

// endsWhen says when the process ends, and in which function.
func (m *material) endsWhen(c *evidence.Claim) string {
	list := m.alternatives(c)
	text := strings.Join(list[:min(len(list), maxPlaces)], wording.In(m.lang, "; or ", "；或 "))
	switch {
	case c.Subject == "":
		return text
	case text == "":
		return m.inSubject(c)
	}
	return text + wording.In(m.lang, ", ", "，") + m.inSubject(c)
}

// maxTerms is the number of conditions that a row shows.
const maxTerms = 2

// innermost returns a claim with the last of its conditions; those left out make them necessary, not sufficient.
func innermost(c *evidence.Claim) *evidence.Claim {
	out := *c
	out.When = slices.Clone(c.When)
	for i := range out.When {
		if w := &out.When[i]; len(w.All) > maxTerms {
			w.All, w.Partial = w.All[len(w.All)-maxTerms:], true
		}
	}
	return &out
}

func statusNumber(c *evidence.Claim) int {
	n, _ := strconv.Atoi(c.Name)
	return n
}

func quotedOrNone(text string) string {
	if text == "" {
		return ""
	}
	return quoted(text)
}
