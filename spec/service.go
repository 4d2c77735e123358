package spec

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// servedWords says what a route answers.
func servedWords(s *evidence.Served, lang string) string {
	var out []string
	for _, part := range []struct {
		head label
		list []string
	}{
		{label{"Guarded by ", "受限于 "}, s.Guards},
		{label{"Success: ", "成功："}, s.Success},
		{label{"Refusals, in this order: ", "拒绝（依次）："}, s.Refusals},
	} {
		if len(part.list) > 0 {
			out = append(out, part.head.in(lang)+listed(part.list)+wording.In(lang, ".", "。"))
		}
	}
	if s.Shadowed {
		out = append(out, wording.In(lang, "A route that is registered before takes its requests.", "先注册的路由会接收其请求。"))
	}
	return strings.Join(out, " ")
}

// atAGlance returns the tables of the routes and of the inputs of a service; "" if the module serves none.
func (m *material) atAGlance() string {
	var routes, inputs []string
	for i := range m.claims {
		switch c := &m.claims[i]; {
		case c.Kind == evidence.Route && c.Served != nil:
			s := c.Served
			routes = append(routes, tableRow(markdown.Code(c.Name)+places(c), tableList(s.Guards), tableList(s.Inputs), tableList(s.Success), tableList(s.Refusals)))
		case c.Kind == evidence.Input:
			inputs = append(inputs, m.inputRow(c))
		}
	}
	if len(routes) == 0 {
		return ""
	}
	text := "\n\n### " + wording.In(m.lang, "At a glance", "概览") + "\n\n" +
		tableHead(wording.In(m.lang, "Route|Guards|Input|Success|Refusals, in the order they are checked", "路由|守卫|输入|成功|拒绝（按检查顺序）")) + m.rows(routes, "", "")
	if len(inputs) > 0 {
		text += "\n\n### " + wording.In(m.lang, "Input", "输入") + "\n\n" +
			tableHead(wording.In(m.lang, "Field|In|Type|Default|Limits|Route", "字段|位置|类型|默认值|限制|路由")) + m.rows(inputs, "", "")
	}
	return text
}

// inputRow is the row of an input.
func (m *material) inputRow(c *evidence.Claim) string {
	kind, value := "", ""
	if c.Option != nil {
		kind, value = c.Option.Type, c.Option.Default
	}
	return tableRow(markdown.Code(c.Name)+places(c), c.Role, codeOf(kind), codeOf(value), tableList(c.Values), codeOf(c.Of))
}

func codeOf(text string) string {
	if text == "" {
		return ""
	}
	return markdown.Code(text)
}

// tableList writes the cells of a list, code separated by dots.
func tableList(list []string) string {
	var out []string
	for _, text := range list {
		out = append(out, codeSpan(text))
	}
	return strings.Join(out, " · ")
}

// tableHead writes the head of a table from its columns, separated by bars.
func tableHead(columns string) string {
	return fmt.Sprintf("| %s |\n|%s\n", strings.ReplaceAll(columns, "|", " | "), strings.Repeat("---|", strings.Count(columns, "|")+1))
}

func tableRow(cells ...string) string {
	for i := range cells {
		cells[i] = markdown.Cell(cells[i])
	}
	return "| " + strings.Join(cells, " | ") + " |"
}
