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

// Limits on a table in a page, in bytes: of the values of one table, of one value, and of all tables as a share of the code.
const (
	maxLookup      = 1500
	maxLookupValue = 300
	mostLookups    = 40 // tables that a page shows, whatever its limits
)

// lookups returns the tables and patterns by which the code decides. A page shows as many values as fit, and counts the
// others; without limits all are shown.
func (m *material) lookups() string {
	list := slices.DeleteFunc(m.ofKind(evidence.Lookup), func(c *evidence.Claim) bool { return m.isDefault(c) || isBrackets(c) })
	if len(list) == 0 {
		return ""
	}
	users := m.usersOf(list)
	var rows [][]string
	for _, c := range list {
		cells := []string{m.lookupName(c), m.lookupValues(c), m.wordsOf(c).Inline(c.Text), m.sum(c.From), m.cited(c)}
		if users != "" {
			cells = slices.Delete(cells, 3, 4)
		}
		rows = append(rows, cells)
	}
	text := wording.In(m.lang, "### Tables that decide", "### 判定表") + "\n\n"
	head := wording.In(m.lang, "Table|Values|Meaning|Used by|Evidence", "表|取值|含义|使用者|依据")
	if users != "" {
		text += fmt.Sprintf(wording.In(m.lang, "All are used by %s.", "均由 %s 使用。"), users) + "\n\n"
		head = wording.In(m.lang, "Table|Values|Meaning|Evidence", "表|取值|含义|依据")
	}
	head, lines := filled(head, rows)
	if len(lines) <= mostLookups {
		return text + head + strings.Join(lines, "\n")
	}
	return text + head + m.rows(lines)
}

// isBrackets reports whether a claim is of a pattern that has nothing but brackets: it takes text apart, and decides nothing that a
// reader asks about.
func isBrackets(c *evidence.Claim) bool {
	return c.Role == "pattern" && !slices.ContainsFunc(c.Values, func(v string) bool { return strings.Trim(v, "`'\"/[](){}\\+*?|") != "" })
}

// isDefault reports whether a list is the default of an option, which the table of options has.
func (m *material) isDefault(c *evidence.Claim) bool {
	return slices.ContainsFunc(m.ofKind(evidence.Field), func(o *evidence.Claim) bool {
		return slices.ContainsFunc(o.At, func(at evidence.Place) bool { return at.File == c.At[0].File && at.Line == c.At[0].Line })
	})
}

// usersOf names the exported functions that depend on the tables, if those are the same for all; "" if a table is one of an
// exported function.
func (m *material) usersOf(list []*evidence.Claim) string {
	exported := map[string]bool{}
	for _, s := range m.public {
		exported[s.name] = true
	}
	users := ""
	for _, c := range list {
		if users = cmp.Or(users, m.sum(c.From)); exported[c.Subject] || len(c.From) > 0 && m.sum(c.From) != users {
			return ""
		}
	}
	return users
}

// lookupName says what a table is.
func (m *material) lookupName(c *evidence.Claim) string {
	what := codeSpan(c.Subject)
	switch {
	case c.Role == evidence.Switch:
		return fmt.Sprintf(wording.In(m.lang, "%s by %s", "%[1]s 依据 %[2]s"), what, codeSpan(c.Name))
	case c.Name != "" && c.Name != c.Subject:
		return fmt.Sprintf(wording.In(m.lang, "%s in %s", "%[2]s 中的 %[1]s"), codeSpan(c.Name), what)
	case c.Role == "pattern":
		return fmt.Sprintf(wording.In(m.lang, "pattern of %s", "%s 的正则表达式"), what)
	}
	return what
}

// lookupValues lists the rows of a table: values with the same result together.
func (m *material) lookupValues(c *evidence.Claim) string {
	var order []string
	byValue := map[string][]string{}
	for _, row := range c.Values {
		key, value, mapped := strings.Cut(row, evidence.LookupArrow)
		if !mapped {
			key, value = "", row
		}
		if key == "" || byValue[value] == nil {
			order = append(order, value)
		}
		if key == evidence.LookupOthers {
			key = wording.In(m.lang, "others", "其他")
		} else if key != "" {
			key = m.lookupCode(key)
		}
		byValue[value] = append(byValue[value], key)
	}
	var parts []string
	size, shown := 0, 0
	for _, value := range order {
		text := m.lookupCode(value)
		if keys := byValue[value]; keys[0] != "" {
			text = m.fits(keys) + evidence.LookupArrow + text
		}
		if size += len(text); m.limits.rows > 0 && size > maxLookup && shown > 0 {
			break
		}
		shown++
		parts = append(parts, text)
	}
	sep := wording.In(m.lang, ", ", "、")
	if slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, evidence.LookupArrow) }) {
		sep = wording.In(m.lang, "; ", "；")
	}
	text := strings.Join(parts, sep)
	if left := len(order) - shown; left > 0 {
		m.left.rows += left
		text += fmt.Sprintf(wording.In(m.lang, " and %[1]d more, %[2]d in all", "，另有 %[1]d 项，共 %[2]d 项"), left, len(order))
	}
	return text
}

// fits joins the keys of a row, as many as fit.
func (m *material) fits(keys []string) string {
	size := 0
	for i, k := range keys {
		if size += len(k); m.limits.rows > 0 && size > maxLookup && i > 0 {
			m.left.rows += len(keys) - i
			return strings.Join(keys[:i], ", ") + fmt.Sprintf(wording.In(m.lang, " and %[1]d more, %[2]d in all", "，另有 %[1]d 项，共 %[2]d 项"), len(keys)-i, len(keys))
		}
	}
	return strings.Join(keys, ", ")
}

// lookupCode marks a value as code, whole unless the page has limits.
func (m *material) lookupCode(text string) string {
	if m.limits.rows > 0 {
		text = markdown.Clip(text, maxLookupValue)
	}
	return markdown.Code(text)
}

// marks are the values of constants that only differ from everything else.
var marks = []string{"object()", "Symbol()", "struct{}{}", "new Object()", "Object.new"}

// constants returns the table of the constants that are not exported and on which exported functions depend: those that are
// exported are in the interface.
func (m *material) constants() string {
	var rows []string
	for _, c := range m.ofKind(evidence.Constant) {
		if len(c.From) > 0 && !slices.Contains(marks, strings.Join(c.Values, " ")) {
			rows = append(rows, tableRow(codeSpan(c.Subject), m.lookupCode(strings.Join(c.Values, ", ")), m.sum(c.From), m.cited(c)))
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return tableHead(wording.In(m.lang, "Constant|Value|Used by|Evidence", "常量|值|使用者|依据")) + m.rows(rows)
}
