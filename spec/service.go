package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// routeTables returns the tables of the routes, of their inputs and of their effects on the database; "" if the module
// serves none.
func (m *material) routeTables() string {
	var routes [][]string
	var inputs []*evidence.Claim
	for i := range m.claims {
		switch c := &m.claims[i]; {
		case c.Kind == evidence.Route && c.Served != nil:
			s := c.Served
			routes = append(routes, []string{markdown.Code(c.Name) + m.firstPlace(c) + m.shadowed(s), tableList(s.Guards), m.inputCell(s.Inputs), m.successCell(s.Success), statusList(s.Refusals)})
		case c.Kind == evidence.Input:
			inputs = append(inputs, c)
		}
	}
	if len(routes) == 0 {
		return ""
	}
	text := filledTable(wording.In(m.lang, "Route|Guards|Input|Success|Refusals, in the order they are checked", "路由|守卫|输入|成功|拒绝（按检查顺序）"), routes)
	text += m.takenValues()
	if len(inputs) > 0 {
		text += "\n\n### " + wording.In(m.lang, "Input", "输入") + "\n\n" +
			tableHead(wording.In(m.lang, "Field|In|Type|Default|Limits|Routes", "字段|位置|类型|默认值|限制|路由")) + m.rows(m.inputRows(inputs))
	}
	return text + m.answerBodies() + m.databaseEffects()
}

// filledTable writes a table without the columns that are empty in all rows. Columns are separated by bars.
func filledTable(columns string, rows [][]string) string {
	head, lines := filled(columns, rows)
	return head + strings.Join(lines, "\n")
}

// filled returns the head and the lines of such a table.
func filled(columns string, rows [][]string) (head string, lines []string) {
	var heads []string
	out := make([][]string, len(rows))
	for i, head := range strings.Split(columns, "|") {
		if !slices.ContainsFunc(rows, func(r []string) bool { return r[i] != "" }) {
			continue
		}
		heads = append(heads, head)
		for j := range rows {
			out[j] = append(out[j], rows[j][i])
		}
	}
	for _, cells := range out {
		lines = append(lines, tableRow(cells...))
	}
	return tableHead(strings.Join(heads, "|")), lines
}

// mostInputs limits the names of one kind of input in the table of routes; their own table has them all.
const mostInputs = 4

// successCell lists the statuses of a success; that of an answer that the code computes is not known.
func (m *material) successCell(success []string) string {
	if !slices.ContainsFunc(success, unknownStatus) {
		return tableList(success)
	}
	known := slices.DeleteFunc(slices.Clone(success), unknownStatus)
	return strings.TrimPrefix(tableList(known)+" · "+wording.In(m.lang, "computed", "由代码计算"), " · ")
}

// unknownStatus reports whether an answer's status is not known.
func unknownStatus(answer string) bool { return answer == "?" || strings.HasPrefix(answer, "? ") }

// inputCell lists what a request carries by where it is, without the parameters that the path of the route shows and without headers, which
// guards of many routes read.
func (m *material) inputCell(inputs []string) string {
	var kinds []string
	names := map[string][]string{}
	for _, in := range inputs {
		kind, name, _ := strings.Cut(in, " ")
		if kind == "path" || kind == "header" {
			continue
		}
		if names[kind] == nil {
			kinds = append(kinds, kind)
		}
		names[kind] = append(names[kind], name)
	}
	var out []string
	for _, kind := range kinds {
		list := names[kind]
		text := kind + " " + strings.Join(codes(list[:min(len(list), mostInputs)]), ", ")
		if left := len(list) - mostInputs; left > 0 {
			text += " … +" + strconv.Itoa(left)
		}
		out = append(out, text)
	}
	return strings.Join(out, " · ")
}

// statusList lists the statuses of refusals in their order, those in a row that are the same once. Their messages and
// conditions are in the requirements.
func statusList(refusals []string) string {
	var out []string
	for _, refusal := range refusals {
		status, _, _ := strings.Cut(refusal, " ")
		if n := len(out); n == 0 || out[n-1] != status {
			out = append(out, status)
		}
	}
	return strings.Join(out, " · ")
}

// databaseEffects returns the table of what each route does to the database; "" for nothing.
func (m *material) databaseEffects() string {
	var names []string
	placed := map[string]bool{}
	writes := map[string][]*evidence.Claim{}
	done := map[string]map[string][]string{} // by route and verb
	for i := range m.claims {
		c := &m.claims[i]
		if c.Kind != evidence.Stored {
			continue
		}
		if done[c.Of] == nil {
			names, done[c.Of] = append(names, c.Of), map[string][]string{}
		}
		access, at := m.accessOf(c), m.firstPlace(c)
		if !placed[access+c.Role+at] { // the same statement in the rows below has no place
			placed[access+c.Role+at] = true
			access += at
		}
		role := c.Role
		if slices.Contains(c.Values, evidence.InLoop) {
			role += evidence.InLoop
		}
		done[c.Of][role] = append(done[c.Of][role], access)
		if c.Role != service.Reads && !slices.Contains(c.Values, evidence.Cascaded) {
			writes[c.Of] = append(writes[c.Of], c)
		}
	}
	var rows [][]string
	for _, name := range names {
		cells := []string{markdown.Code(name)}
		for _, verb := range []string{service.Reads, service.Inserts, service.Updates, service.Deletes} {
			cell := strings.Join(done[name][verb], ", ")
			if loop := done[name][verb+evidence.InLoop]; len(loop) > 0 {
				cell = strings.TrimPrefix(cell+"; "+wording.In(m.lang, "in a loop: ", "循环中：")+strings.Join(loop, ", "), "; ")
			}
			cells = append(cells, cell)
		}
		rows = append(rows, append(cells, m.oneTransaction(writes[name])))
	}
	if len(rows) == 0 {
		return ""
	}
	head, lines := filled(wording.In(m.lang, "Route|Reads|Inserts|Updates|Deletes|Writes in one transaction", "路由|读取|插入|更新|删除|写入在同一事务中"), rows)
	return "\n\n### " + wording.In(m.lang, "Effects on the database", "对数据库的影响") + "\n\n" + head + m.rows(lines)
}

// oneTransaction returns the place where the transaction begins that has several writes of a route, all of them; "" for none.
func (m *material) oneTransaction(writes []*evidence.Claim) string {
	var begins evidence.Place
	for i, c := range writes {
		if !slices.Contains(c.Values, evidence.Together) || len(c.At) < 2 || i > 0 && c.At[1] != begins {
			return ""
		}
		begins = c.At[1]
	}
	if len(writes) < 2 {
		return ""
	}
	return strings.Trim(m.places(&evidence.Claim{At: []evidence.Place{begins}}), " ()")
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
		used := routes[head]
		text := strings.Join(used[:min(len(used), mostNamed)], " · ")
		if left := len(used) - mostNamed; left > 0 {
			text += fmt.Sprintf(" … +%d", left)
		}
		row := slices.Concat([]string{cells[last] + places[head]}, cells[:last], []string{text})
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
