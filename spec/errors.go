package spec

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// errorTables returns the tables of the errors that callers can tell from others, and of the texts of error types; "" for
// none.
func (m *material) errorTables() string {
	var rows [][]string
	var texts []string
	for _, c := range m.ofKind(evidence.Sentinel) {
		rows = append(rows, []string{codeSpan(c.Subject) + m.unexported(c), m.sentinelText(c), m.reaches(c), m.cited(c)})
	}
	for _, c := range m.ofKind(evidence.ErrorText) {
		for i, when := range c.When {
			at := *c
			at.At = c.At[min(i, len(c.At)-1):][:1]
			texts = append(texts, tableRow(codeSpan(c.Subject), m.wordsOf(c).Terms(when.All), m.errorText(c), m.cited(&at)))
		}
	}
	text := ""
	if len(rows) > 0 {
		head, lines := filled(wording.In(m.lang, "Error|Text|How it reaches callers|Evidence", "错误|文本|如何到达调用方|依据"), rows)
		text = "### " + wording.In(m.lang, "Errors", "错误") + "\n\n" + head + m.rows(lines)
	}
	if len(texts) > 0 {
		text = above(text, tableHead(wording.In(m.lang, "Error type|When|Text|Evidence", "错误类型|条件|文本|依据"))+m.rows(texts))
	}
	return text
}

func (m *material) unexported(c *evidence.Claim) string {
	if c.Role != evidence.Hidden {
		return ""
	}
	return wording.In(m.lang, ", not exported: told by its text only", "（未导出，只能凭文本识别）")
}

func (m *material) sentinelText(c *evidence.Claim) string {
	if c.Text == "" {
		return ""
	}
	return prose.Quote(c.Text)
}

// reaches says how an error reaches callers.
func (m *material) reaches(c *evidence.Claim) string {
	var out []string
	for _, v := range c.Values {
		how, in, _ := strings.Cut(v, " ")
		switch how {
		case evidence.Returned:
			out = append(out, wording.In(m.lang, "returned as it is", "原样返回"))
		case evidence.Thrown:
			out = append(out, wording.In(m.lang, "thrown", "抛出"))
		case evidence.Wrapped:
			out = append(out, fmt.Sprintf(wording.In(m.lang, "wrapped by %s: `errors.Is` finds it, `==` does not", "由 %s 包装：`errors.Is` 可识别，`==` 不可"), codeSpan(in)))
		case evidence.Held:
			out = append(out, fmt.Sprintf(wording.In(m.lang, "in %s, which nothing unwraps", "位于 %s，无法解包"), codeSpan(in)))
		case evidence.Unused:
			out = append(out, wording.In(m.lang, "never: no code of the module uses it", "不会：本模块没有代码使用它"))
		}
	}
	return strings.Join(out, "; ")
}

// errorText returns the text of an error type: its format, and the values that fill it.
func (m *material) errorText(c *evidence.Claim) string {
	if len(c.Values) == 0 {
		return ""
	}
	text := prose.Quote(c.Values[0])
	if len(c.Values) > 1 {
		text += wording.In(m.lang, " with ", "，参数 ") + listed(c.Values[1:])
	}
	return text
}

// knownText fills in the text of a sentinel error that an exit ends with.
func (m *material) knownText(o *evidence.Outcome) *evidence.Outcome {
	if o == nil || o.Message != "" || o.Error == "" {
		return o
	}
	if m.sentinelTexts == nil {
		m.sentinelTexts = map[string]string{}
		for _, c := range m.ofKind(evidence.Sentinel) {
			m.sentinelTexts[c.Subject] = c.Text
		}
	}
	text := m.sentinelTexts[o.Error]
	for _, name := range o.Wraps {
		if text == "" {
			return m.wrapping(o, name)
		}
	}
	if text == "" {
		return o
	}
	known := *o
	known.Message = text
	return &known
}

// wrapping says that an error wraps one of the module's own.
func (m *material) wrapping(o *evidence.Outcome, name string) *evidence.Outcome {
	known := *o
	known.Error = o.Error + "{" + name + "}"
	return &known
}
