package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// routeTables returns the tables of the routes, of their inputs and of their effects on the database; "" if the module
// serves none.
func (m *material) routeTables() string {
	var routes []string
	var inputs []*evidence.Claim
	for i := range m.claims {
		switch c := &m.claims[i]; {
		case c.Kind == evidence.Route && c.Served != nil:
			s := c.Served
			routes = append(routes, tableRow(markdown.Code(c.Name)+m.firstPlace(c)+m.shadowed(s), tableList(s.Guards), tableList(s.Inputs), tableList(s.Success), tableList(s.Refusals)))
		case c.Kind == evidence.Input:
			inputs = append(inputs, c)
		}
	}
	if len(routes) == 0 {
		return ""
	}
	text := tableHead(wording.In(m.lang, "Route|Guards|Input|Success|Refusals, in the order they are checked", "路由|守卫|输入|成功|拒绝（按检查顺序）")) + strings.Join(routes, "\n")
	if len(inputs) > 0 {
		text += "\n\n### " + wording.In(m.lang, "Input", "输入") + "\n\n" +
			tableHead(wording.In(m.lang, "Field|In|Type|Default|Limits|Routes", "字段|位置|类型|默认值|限制|路由")) + m.rows(m.inputRows(inputs))
	}
	return text + m.databaseEffects()
}

// databaseEffects returns the table of what each route does to the database; "" for nothing.
func (m *material) databaseEffects() string {
	var names []string
	done := map[string]map[string][]string{} // by route and verb
	for i := range m.claims {
		c := &m.claims[i]
		if c.Kind != evidence.Stored {
			continue
		}
		if done[c.Of] == nil {
			names, done[c.Of] = append(names, c.Of), map[string][]string{}
		}
		done[c.Of][c.Role] = append(done[c.Of][c.Role], markdown.Code(c.Name)+m.places(c))
	}
	var rows []string
	for _, name := range names {
		cells := []string{markdown.Code(name)}
		for _, verb := range []string{service.Reads, service.Inserts, service.Updates, service.Deletes} {
			cells = append(cells, strings.Join(done[name][verb], ", "))
		}
		rows = append(rows, tableRow(cells...))
	}
	if len(rows) == 0 {
		return ""
	}
	return "\n\n### " + wording.In(m.lang, "Effects on the database", "对数据库的影响") + "\n\n" +
		tableHead(wording.In(m.lang, "Route|Reads|Inserts|Updates|Deletes", "路由|读取|插入|更新|删除")) + m.rows(rows)
}

// firstPlace returns the first place of a claim in parentheses.
func (m *material) firstPlace(c *evidence.Claim) string {
	one := *c
	one.At = one.At[:min(1, len(one.At))]
	return m.places(&one)
}

// inputRows returns the rows of inputs; those that differ in nothing but the route are one row.
func (m *material) inputRows(inputs []*evidence.Claim) []string {
	var heads, rows []string
	routes := map[string][]string{}
	places := map[string]string{}
	for _, c := range inputs {
		kind, value := "", ""
		if c.Option != nil {
			kind, value = c.Option.Type, c.Option.Default
		}
		head := strings.Join([]string{c.Role, codeOf(kind), codeOf(value), tableList(c.Values), markdown.Code(c.Name)}, "\x00")
		if routes[head] == nil {
			heads, places[head] = append(heads, head), m.firstPlace(c)
		}
		routes[head] = append(routes[head], codeOf(c.Of))
	}
	for _, head := range heads {
		cells := strings.Split(head, "\x00")
		last := len(cells) - 1
		row := slices.Concat([]string{cells[last] + places[head]}, cells[:last], []string{strings.Join(routes[head], " · ")})
		rows = append(rows, tableRow(row...))
	}
	return rows
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
