package spec

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// Limits on what each part of a scenario says of its test.
const (
	maxSteps      = 4
	maxCalled     = 4 // calls listed in When
	maxQuotedRows = 6 // rows of a table test
	maxProviders  = 4
)

// given describes the set-up of a test.
func (m *material) given(c *cases.Case, a cases.Acts) string {
	var parts []string
	if rows := cmp.Or(m.rowsOf(c), m.providersOf(c)); rows != "" {
		parts = append(parts, rows)
	}
	if text := m.quoteSteps(a.Given); text != "" {
		parts = append(parts, text)
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, wording.In(m.lang, "; ", "；"))
	case len(a.When)+len(a.Then) > 0:
		return wording.In(m.lang, "nothing is set up", "无前置步骤")
	}
	return wording.In(m.lang, "the set-up of the test ", "测试的前置条件 ") + markdown.Code(c.Name)
}

// when describes what a test does: its statements, or else what it calls.
func (m *material) when(c *cases.Case, a cases.Acts) string {
	if quoted := m.quoteSteps(a.When); quoted != "" {
		return quoted
	}
	if len(a.Calls) == 0 {
		return wording.In(m.lang, "the test ", "执行测试 ") + markdown.Code(c.Name) + wording.In(m.lang, " runs", "")
	}
	text := markdown.Codes(a.Calls[:min(len(a.Calls), maxCalled)])
	if left := len(a.Calls) - maxCalled; left > 0 {
		text += " … +" + strconv.Itoa(left)
	}
	return fmt.Sprintf(wording.In(m.lang, "it calls %s", "调用 %s"), text)
}

// then says what a test checks, in words; the statement in its name where nothing else is known.
func (m *material) then(c *cases.Case, a cases.Acts) string {
	w := m.words(c.File())
	var out []string
	for _, s := range a.Then[:min(len(a.Then), maxSteps)] {
		out = append(out, m.checked1(w, s))
	}
	if left := len(a.Then) - maxSteps; left > 0 {
		out = append(out, fmt.Sprintf(wording.In(m.lang, "%d more checks", "另有 %d 项检查"), left))
	}
	if len(out) == 0 && c.Descriptive() {
		return cases.Words(c.Name)
	}
	return strings.Join(out, wording.In(m.lang, "; ", "；"))
}

// checked1 says what one step checks.
func (m *material) checked1(w prose.Writer, s code.Step) string {
	if printed, ok := strings.CutPrefix(s.Text, "prints "); ok {
		return wording.In(m.lang, "it prints ", "输出 ") + markdown.Code(printed)
	}
	if thrown, ok := strings.CutPrefix(s.Text, "throws "); ok {
		return wording.In(m.lang, "it throws ", "抛出 ") + markdown.Code(thrown)
	}
	if s.FailsIf {
		return wording.In(m.lang, "not ", "不成立：") + markdown.Code(s.Text)
	}
	return w.Assertion(s.Text)
}

// quoteSteps writes at most maxSteps steps as code and counts the rest.
func (m *material) quoteSteps(list []code.Step) string {
	var out []string
	for _, s := range list[:min(len(list), maxSteps)] {
		out = append(out, markdown.Code(strings.TrimSuffix(s.Text, ";")))
	}
	text := strings.Join(out, wording.In(m.lang, "; ", "；"))
	if left := len(list) - maxSteps; left > 0 {
		text += " … +" + strconv.Itoa(left)
	}
	return text
}

// rowsOf describes the table that a test iterates over.
func (m *material) rowsOf(c *cases.Case) string {
	n := len(c.Rows)
	if n == 0 {
		return ""
	}
	text := wording.In(m.lang, "each of "+wording.Count(n, "row")+": ", "逐一取 "+strconv.Itoa(n)+" 行：") + markdown.Codes(c.Rows[:min(n, maxQuotedRows)])
	if n > maxQuotedRows {
		text += ", …"
	}
	return text
}

// providersOf describes where a test's annotations take their rows from.
func (m *material) providersOf(c *cases.Case) string {
	var marks []string
	for _, mark := range c.Providers() {
		marks = append(marks, markdown.Clip(mark, 2*markdown.TitleBytes))
	}
	if len(marks) == 0 {
		return ""
	}
	return wording.In(m.lang, "each row of ", "逐行取自 ") + markdown.Codes(marks[:min(len(marks), maxProviders)])
}
