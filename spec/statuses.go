package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// exitStatuses returns the tables of the statuses with which the module ends the process, the signals that it handles and the
// standard input that it reads, without those in the table of a command.
func (m *material) exitStatuses() string {
	return m.processOf(func(c *evidence.Claim) bool { return !m.hasCommand(c.Of) })
}

// hasCommand reports whether the module has a command with a path.
func (m *material) hasCommand(path string) bool {
	return path != "" && slices.ContainsFunc(m.claims, func(c evidence.Claim) bool { return c.Kind == evidence.Command && c.Name == path })
}

// processOf returns the tables of how some claims say that the process ends and what it reads.
func (m *material) processOf(which func(c *evidence.Claim) bool) string {
	list := slices.DeleteFunc(m.ofKind(evidence.ExitStatus), func(c *evidence.Claim) bool { return !which(c) })
	slices.SortStableFunc(list, func(a, b *evidence.Claim) int { return cmp.Compare(statusNumber(a), statusNumber(b)) })
	var rows, parts []string
	for _, c := range list {
		prints := ""
		if c.Role != evidence.BadUsage {
			prints = quotedOrNone(c.Text)
		}
		rows = append(rows, tableRow(codeSpan(c.Name), m.statusWhen(c), prints, m.cited(c)))
	}
	if len(rows) > 0 {
		parts = append(parts, tableHead(wording.In(m.lang, "Exit status|When|Prints|Evidence", "退出状态|条件|输出|依据"))+m.rows(rows))
	}
	return strings.Join(slices.Concat(parts, m.signalTable(which), m.inputLine(which)), "\n\n")
}

// statusWhen says when the process ends with a status.
func (m *material) statusWhen(c *evidence.Claim) string {
	switch c.Role {
	case evidence.BadUsage:
		return m.unfit(c)
	case evidence.CommandFails:
		return wording.In(m.lang, "a command returns an error", "命令返回错误")
	case evidence.MainFails:
		return wording.In(m.lang, "`main` returns an error", "`main` 返回错误")
	}
	when := m.endsWhen(innermost(c))
	if slices.ContainsFunc(innermost(c).When, func(w evidence.Condition) bool { return w.Partial && len(w.All) > 0 }) {
		when = wording.In(m.lang, "only when ", "仅当 ") + when
	}
	return when
}

// signalTable returns the table of the signals of some claims.
func (m *material) signalTable(which func(c *evidence.Claim) bool) []string {
	var rows [][]string
	for _, c := range m.ofKind(evidence.Signal) {
		if which(c) {
			rows = append(rows, []string{codeSpan(c.Name), codeOf(c.Subject), codeOf(c.Text), listed(c.Values), m.cited(c)})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	head, lines := filled(wording.In(m.lang, "Signal|Handled in|Handler|Calls|Evidence", "信号|所在函数|处理函数|调用|依据"), rows)
	return []string{head + m.rows(lines)}
}

// inputLine says where the standard input is read.
func (m *material) inputLine(which func(c *evidence.Claim) bool) []string {
	var list []string
	for _, c := range m.ofKind(evidence.StandardInput) {
		if which(c) {
			list = appendNew(list, []string{codeSpan(c.Name) + m.inFunction(c) + m.places(c)})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []string{wording.In(m.lang, "Reads the standard input: ", "读取标准输入：") + strings.Join(list, wording.In(m.lang, ", ", "、")) + wording.In(m.lang, ".", "。")}
}

// inFunction says in which function something is; "" for none.
func (m *material) inFunction(c *evidence.Claim) string {
	if c.Subject == "" {
		return ""
	}
	return wording.In(m.lang, " in ", "，位于 ") + codeSpan(c.Subject)
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
const maxTerms = 3

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
