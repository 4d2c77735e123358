package spec

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// database returns the table of the database tables that the module declares, or that its routes read or write.
func (m *material) database() string {
	unique, refers := map[string][]string{}, map[string][]string{}
	for _, c := range m.ofKind(evidence.TableKey) {
		switch text := strings.Join(c.Values, ", "); {
		case c.Of != "":
			refers[c.Name] = append(refers[c.Name], m.reference(c, text)+m.lineOf(c))
		default:
			unique[c.Name] = append(unique[c.Name], codeSpan("("+text+")")+m.lineOf(c))
		}
	}
	var rows [][]string
	var others []*evidence.Claim
	for _, c := range m.ofKind(evidence.Table) {
		if m.toldElsewhere(c) {
			others = append(others, c)
			continue
		}
		rows = append(rows, []string{codeSpan(c.Name), codeOf(c.Of), m.columns(c), strings.Join(unique[c.Name], " · "), strings.Join(refers[c.Name], " · "), m.cited(c)})
	}
	m.left.rows += len(others)
	if len(rows) == 0 {
		return m.declaredElsewhere(others)
	}
	return above(m.declaredElsewhere(others), m.withoutEmpty(strings.Split(wording.In(m.lang, "Database table|Model|Columns|Keys|Refers to, on delete|Evidence", "数据库表|模型|列|键|引用（删除时）|依据"), "|"), rows))
}

// toldElsewhere reports whether the spec of another module has a table of the database: several modules with routes use it,
// and one declares it.
func (m *material) toldElsewhere(c *evidence.Claim) bool {
	if m.limits.requirements == 0 || len(c.At) == 0 || slices.Contains(m.paths(), c.At[0].File) {
		return false
	}
	_, isCode := lang.ByPath(c.At[0].File)
	return isCode
}

// declaredElsewhere names tables that other modules declare, by the folder of these; "" for none.
func (m *material) declaredElsewhere(list []*evidence.Claim) string {
	var dirs []string
	names := map[string][]string{}
	for _, c := range list {
		dir := path.Dir(c.At[0].File)
		dirs = appendNew(dirs, []string{dir})
		names[dir] = append(names[dir], codeSpan(c.Name))
	}
	var parts []string
	for _, dir := range dirs {
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "%[1]s, declared in %[2]s", "%[1]s（声明于 %[2]s）"), strings.Join(names[dir], ", "), markdown.Code(dir)))
	}
	if len(parts) == 0 {
		return ""
	}
	return wording.In(m.lang, "Database tables: ", "数据库表：") + strings.Join(parts, wording.In(m.lang, "; ", "；")) + wording.In(m.lang, ".", "。")
}

// reference says to what columns refer, and what becomes of the rows when that is deleted.
func (m *material) reference(c *evidence.Claim, columns string) string {
	text := codeSpan(columns) + " → " + codeSpan(c.Of)
	if c.Role != evidence.NoAction {
		text += ", " + c.Role
	}
	return text
}

// lineOf returns the line of a key in the file of its table, or its place in another file.
func (m *material) lineOf(c *evidence.Claim) string {
	for _, t := range m.ofKind(evidence.Table) {
		if t.Name == c.Name && len(t.At) > 0 && len(c.At) > 0 && t.At[0].File == c.At[0].File {
			return fmt.Sprintf(" (`:%d`)", c.At[0].Line)
		}
	}
	return m.firstPlace(c)
}

// columns lists the columns of a table.
func (m *material) columns(c *evidence.Claim) string {
	if len(c.Values) == 0 {
		return ""
	}
	return listed(c.Values)
}

// withoutEmpty writes a table without the columns that are empty in all rows.
func (m *material) withoutEmpty(head []string, rows [][]string) string {
	for at := range slices.Backward(slices.Clone(head)) {
		if slices.ContainsFunc(rows, func(cells []string) bool { return cells[at] != "" }) {
			continue
		}
		head = slices.Delete(head, at, at+1)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], at, at+1)
		}
	}
	var out []string
	for _, cells := range rows {
		out = append(out, tableRow(cells...))
	}
	return tableHead(strings.Join(head, "|")) + m.shared(out)
}

// accessOf names the table of an access, and says how it comes about.
func (m *material) accessOf(c *evidence.Claim) string {
	var how []string
	if slices.Contains(c.Values, evidence.Cascaded) {
		how = append(how, wording.In(m.lang, "in cascade", "级联"))
	}
	if slices.Contains(c.Values, evidence.Kept) {
		how = append(how, wording.In(m.lang, "unless the key exists", "键已存在时不写入"))
	}
	text := markdown.Code(c.Name)
	if len(how) > 0 {
		text += " " + strings.Join(how, ", ")
	}
	return text
}

// hazardWords are the words for the hazards, in the order in which they are listed: the heading, and a hazard of a route.
var hazardWords = []struct{ role, en, zh string }{
	{evidence.Conflict, "**No handler for a conflict**: a second row with the same key is answered with %s, also where a check before refuses it, if two requests come at once", "**键冲突未处理**：重复键返回 %s；即使先有检查，两个并发请求也会如此"},
	{evidence.Separate, "**Not in one transaction**: if a later write fails, the earlier ones stay", "**不在同一事务中**：后面的写入失败时，前面的写入仍然保留"},
	{evidence.Repeated, "**A query in a loop**", "**循环中的查询**"},
	{evidence.Unordered, "**A page without an order**: rows may repeat or be missed from page to page", "**分页无排序**：翻页时数据行可能重复或遗漏"},
}

// databaseHazards lists what requests may lead to at the database, one line for each kind.
func (m *material) databaseHazards() []string {
	var out []string
	for _, w := range hazardWords {
		var names []string
		routes, places := map[string][]string{}, map[string]string{}
		status := ""
		for i := range m.claims {
			c := &m.claims[i]
			if c.Kind != evidence.Hazard || c.Role != w.role {
				continue
			}
			if c.Outcome != nil {
				status = c.Outcome.Status
			}
			what := m.hazardOf(c)
			if routes[what] == nil {
				names, places[what] = append(names, what), m.firstPlace(c)
			}
			routes[what] = append(routes[what], codeSpan(c.Of))
		}
		if len(names) == 0 {
			continue
		}
		head := wording.In(m.lang, w.en, w.zh)
		if strings.Contains(head, "%s") {
			head = fmt.Sprintf(head, status)
		}
		var parts, said []string // what happens at the same routes is one part
		for _, what := range names {
			at := wording.In(m.lang, " at ", "，路由 ") + m.someRoutes(routes[what])
			if last := len(said) - 1; last >= 0 && said[last] == at {
				parts[last] = strings.TrimSuffix(parts[last], at) + ", " + what + places[what] + at
				continue
			}
			parts, said = append(parts, what+places[what]+at), append(said, at)
		}
		out = append(out, "- "+head+colon(m.lang)+strings.Join(parts, "; "))
	}
	return out
}

// hazardOf names what a hazard is about: the key, the table, the writes.
func (m *material) hazardOf(c *evidence.Claim) string {
	switch c.Role {
	case evidence.Conflict:
		return codeSpan(c.Name + " (" + strings.Join(c.Values, ", ") + ")")
	case evidence.Separate:
		return listed(c.Values)
	}
	return codeSpan(c.Name)
}

// maxRoutes is how many routes a hazard names.
const maxRoutes = 4

func (m *material) someRoutes(list []string) string {
	text := strings.Join(list[:min(len(list), maxRoutes)], ", ")
	if left := len(list) - maxRoutes; left > 0 {
		text += fmt.Sprintf(", … +%d", left)
	}
	return text
}
