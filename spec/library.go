package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// rules returns the statements about how parts of a library are used together: the order of calls, and what generated
// inputs show.
func (m *material) rules() []statement {
	return slices.Concat(m.callOrder(), m.properties())
}

// callOrder returns a statement for each call that documentation demands after others: what demands it, and the calls of an
// example.
func (m *material) callOrder() []statement {
	var order []string
	bySubject := map[string][]*evidence.Claim{}
	for _, c := range m.ofKind(evidence.CallOrder) {
		if bySubject[c.Name] == nil {
			order = append(order, c.Name)
		}
		bySubject[c.Name] = append(bySubject[c.Name], c)
	}
	var out []statement
	for _, name := range order {
		claims := bySubject[name]
		s := statement{symbol: name, keys: []string{"order " + name}, claims: claims, score: scoreExit}
		var subjects, lines []string
		for _, c := range claims {
			subjects = appendNew(subjects, []string{c.Subject})
			lines = appendNew(lines, []string{"- " + m.wordsOf(c).Inline(c.Text) + m.firstPlace(c)})
			if at := m.evidenceOf(c); len(at) > 0 && len(s.at) == 0 {
				s.at = append(s.at, Evidence{"doc", at[0].Place})
			}
		}
		s.title = fmt.Sprintf(wording.In(m.lang, "Users of %s SHALL call %s", "%s 的使用者必须调用 %s"), m.sum(subjects), codeSpan(name))
		s.text = strings.Join(lines, "\n")
		if calls := claims[0].Values; len(calls) > 0 {
			s.text = above(s.text, wording.In(m.lang, "The order in an example: ", "示例中的顺序：")+listed(calls)+wording.In(m.lang, ".", "。"))
		}
		out = append(out, s)
	}
	return out
}

// properties returns a statement for each property that tests show for generated inputs.
func (m *material) properties() []statement {
	var out []statement
	for _, c := range m.ofKind(evidence.PropertyOf) {
		format := wording.In(m.lang, "%[1]s SHALL give back what %[2]s was given", "%[1]s 必须还原传给 %[2]s 的内容")
		if c.Role == evidence.Idempotent {
			format = wording.In(m.lang, "%[1]s SHALL not change its own result", "%[1]s 对自身的结果不得再作更改")
		}
		s := statement{title: fmt.Sprintf(format, codeSpan(c.Subject), codeSpan(c.Name)), symbol: c.Subject, claims: []*evidence.Claim{c}, at: m.evidenceOf(c), score: scoreExit}
		if len(s.at) > 0 {
			s.tests = []string{s.at[0].Place}
		}
		s.text = fmt.Sprintf(wording.In(m.lang, "%s shows it for generated inputs", "%s 以生成的输入说明"), codeSpan(c.Of))
		if len(c.Values) > 0 {
			s.text += wording.In(m.lang, " with each of ", "，取值 ") + listed(c.Values)
		}
		s.text += wording.In(m.lang, ".", "。")
		if c.Text != "" {
			s.text = above(s.text, wording.In(m.lang, "Exceptions that its comments name: ", "其注释指出的例外：")+markdown.QuotedRow(markdown.Clip(c.Text, 2*maxDocumentation)))
		}
		out = append(out, s)
	}
	return out
}

// predicates says when the functions hold that decide the cases of a statement; "" for none.
func (m *material) predicates(claims []*evidence.Claim) string {
	var out []string
	for _, p := range m.ofKind(evidence.Predicate) {
		if !slices.ContainsFunc(claims, func(c *evidence.Claim) bool { return slices.Contains(p.Exits, c.ID()) }) {
			continue
		}
		word := wording.In(m.lang, "all of ", "下列全部：")
		switch {
		case len(p.Values) == 1:
			out = append(out, fmt.Sprintf(wording.In(m.lang, "%s holds when %s%s.", "%s 成立的条件是 %s%s。"), codeSpan(p.Subject), listed(p.Values), m.firstPlace(p)))
			continue
		case p.Role == evidence.Any:
			word = wording.In(m.lang, "any of ", "下列任一：")
		}
		out = append(out, fmt.Sprintf(wording.In(m.lang, "%s holds when %s%s hold%s.", "%s 成立的条件是%s%s%s。"), codeSpan(p.Subject), word, listed(p.Values), m.firstPlace(p)))
	}
	return strings.Join(out, " ")
}

// differences lists what documentation says otherwise than the code, and what zero values lack.
func (m *material) differences() []string {
	var rows []string
	for _, c := range m.ofKind(evidence.DocGap) {
		said := "“" + m.wordsOf(c).Inline(c.Text) + "”"
		switch c.Role {
		case evidence.RefusesMore:
			rows = append(rows, fmt.Sprintf(wording.In(m.lang, "- **Documentation and code differ**: %s also refuses %s, which %s leaves out%s", "- **文档与代码不符**：%s 还拒绝 %s，而 %s 未提及%s"), codeSpan(c.Subject), listed(c.Values), said, m.places(c)))
		case evidence.Wraps:
			rows = append(rows, fmt.Sprintf(wording.In(m.lang, "- **Documentation and code differ**: %s returns %s wrapped, so `==` does not find it, against %s%s", "- **文档与代码不符**：%s 返回的是包装后的 %s，`==` 不能识别，而文档称 %s%s"), codeSpan(c.Subject), codeSpan(c.Name), said, m.places(c)))
		}
	}
	for _, c := range m.ofKind(evidence.ZeroValue) {
		rows = append(rows, fmt.Sprintf(wording.In(m.lang, "- **Zero value**: %[1]s made without %[3]s lacks %[2]s, which its methods use%[4]s", "- **零值**：未经 %[3]s 构造的 %[1]s 缺少其方法所用的 %[2]s%[4]s"), codeSpan(c.Subject), listed(c.Values), codeSpan(c.Of), m.places(c)))
	}
	return rows
}
