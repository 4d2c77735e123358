package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// declaredSetting reports whether a claim is a variable that a settings class of the module declares.
func declaredSetting(c *evidence.Claim) bool {
	return c.Kind == evidence.Setting && c.Of != "" && c.Option != nil
}

// settings returns the table of the settings of the module, and the line about those of its service; "" for none.
func (m *material) settings() string {
	parts := []string{m.settingsTable(), m.serviceSettings()}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
}

// serviceSettings says which settings the service of the module reads that other modules declare; "" for none.
func (m *material) serviceSettings() string {
	var required []string
	var at []string
	all := 0
	for i := range m.claims {
		c := &m.claims[i]
		if !declaredSetting(c) || c.Role != evidence.ServiceSetting {
			continue
		}
		all++
		if file := markdown.Code(c.At[0].File); !slices.Contains(at, file) {
			at = append(at, file)
		}
		if c.Option.Required {
			required = append(required, codeSpan(c.Name)+m.places(c))
		}
	}
	if all == 0 {
		return ""
	}
	text := fmt.Sprintf(wording.In(m.lang, "Settings that the service declares in %[2]s: %[1]d.", "服务在 %[2]s 中声明的配置项：%[1]d 个。"), all, strings.Join(at, ", "))
	if len(required) > 0 {
		text += fmt.Sprintf(wording.In(m.lang, " Required: %s.", "必需：%s。"), strings.Join(required, ", "))
	}
	return text
}

// settingsTable returns the table of the variables that settings classes declare, and the files that these read; "" for none.
func (m *material) settingsTable() string {
	var required, others [][]string
	var files []string
	for i := range m.claims {
		switch c := &m.claims[i]; {
		case c.Role == evidence.ServiceSetting:
		case declaredSetting(c) && c.Option.Required:
			required = append(required, m.settingRow(c))
		case declaredSetting(c):
			others = append(others, m.settingRow(c))
		case c.Kind == evidence.Setting && c.Role == evidence.SettingsFile:
			files = append(files, codeSpan(c.Name)+" ("+listed(c.Values)+"; "+m.cited(c)+")")
		}
	}
	rows := withoutOneClass(slices.Concat(required, others)) // what must be set first: a page may show only some
	if len(rows) == 0 {
		return ""
	}
	head, lines := filled(wording.In(m.lang, "Setting|Class|Type|Default|Per class|Meaning|Evidence", "配置项|类|类型|默认值|各类取值|含义|依据"), rows)
	text := "### " + wording.In(m.lang, "Settings", "配置项") + "\n\n" + head + m.rows(lines)
	if len(files) > 0 {
		text += "\n\n" + fmt.Sprintf(wording.In(m.lang, "What the environment does not set is read from a file: %s.", "环境中未设置的变量从文件读取：%s。"), strings.Join(files, ", "))
	}
	return text
}

// withoutOneClass empties the column of the class if it is the same in all rows.
func withoutOneClass(rows [][]string) [][]string {
	if !slices.ContainsFunc(rows, func(r []string) bool { return r[1] != rows[0][1] }) {
		for _, r := range rows {
			r[1] = ""
		}
	}
	return rows
}

// settingRow returns the cells of a setting.
func (m *material) settingRow(c *evidence.Claim) []string {
	return []string{codeSpan(c.Name), codeSpan(c.Of), codeOf(c.Option.Type), m.defaultCell(c.Option.Default, c.Option.Required), m.perClass(c), m.settingMeaning(c), m.cited(c)}
}

// defaultCell writes a default, or that a value is required.
func (m *material) defaultCell(value string, required bool) string {
	if required {
		return wording.In(m.lang, "required", "必需")
	}
	return codeSpan(value)
}

// perClass lists what other classes make of a setting.
func (m *material) perClass(c *evidence.Claim) string {
	var out []string
	for _, v := range c.Values {
		class, value, given := strings.Cut(v, ": ")
		out = append(out, codeSpan(class)+wording.In(m.lang, ": ", "：")+m.defaultCell(value, !given))
	}
	return strings.Join(out, wording.In(m.lang, ", ", "、"))
}

// settingMeaning returns the description of a setting and the other variables that set it.
func (m *material) settingMeaning(c *evidence.Claim) string {
	var parts []string
	if c.Option.Help != "" {
		parts = append(parts, escaped(c.Option.Help))
	}
	if c.Option.Also != "" {
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "also read from %s", "也从 %s 读取"), listed(strings.Split(c.Option.Also, ", "))))
	}
	return strings.Join(parts, wording.In(m.lang, "; ", "；"))
}
