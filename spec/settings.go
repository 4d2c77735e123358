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

// serviceSettings says which settings the service of the module reads that other modules declare; "" for none, and where all
// claims are shown.
func (m *material) serviceSettings() string {
	var required, others, at []string
	for i := range m.claims {
		c := &m.claims[i]
		if !declaredSetting(c) || c.Role != evidence.ServiceSetting || m.isSetting(c) {
			continue
		}
		at = appendNew(at, []string{markdown.Code(c.At[0].File)})
		if c.Option.Required {
			required = append(required, codeSpan(c.Name)+m.places(c))
			continue
		}
		others = append(others, strings.TrimSpace(codeSpan(c.Name)+" "+codeOf(c.Option.Default)))
	}
	if len(at) == 0 {
		return ""
	}
	text := fmt.Sprintf(wording.In(m.lang, "Settings of the service that the routes may read, declared in %[2]s: %[1]d.", "路由可能读取的服务配置项（声明于 %[2]s）：%[1]d 个。"), len(required)+len(others), strings.Join(at, ", "))
	if len(required) > 0 {
		text += fmt.Sprintf(wording.In(m.lang, " Required: %s.", "必需：%s。"), strings.Join(required, ", "))
	}
	if len(others) > 0 {
		more := ""
		if left := len(others) - m.limits.rows; left > 0 {
			m.left.rows += left
			others, more = others[:m.limits.rows], fmt.Sprintf(", … +%d", left)
		}
		text += fmt.Sprintf(wording.In(m.lang, " With a default: %s.", "有默认值：%s。"), strings.Join(others, ", ")+more)
	}
	return text
}

// isSetting reports whether a claim is a row in the table of settings: one of other modules is if all claims are shown.
func (m *material) isSetting(c *evidence.Claim) bool {
	return c.Kind == evidence.Environment || c.Kind == evidence.Setting && c.Role != evidence.SettingsFile && (c.Role != evidence.ServiceSetting || m.limits.rows == 0)
}

// settingsTable returns the table of the variables and keys that the module reads, and the files that its classes read; "" for none.
func (m *material) settingsTable() string {
	var required, others [][]string
	var files []string
	for i := range m.claims {
		switch c := &m.claims[i]; {
		case m.isSetting(c) && c.Option != nil && c.Option.Required:
			required = append(required, m.settingRow(c))
		case m.isSetting(c):
			others = append(others, m.settingRow(c))
		case c.Kind == evidence.Setting && c.Role == evidence.SettingsFile:
			files = append(files, codeSpan(c.Name)+" ("+listed(c.Values)+"; "+m.cited(c)+")")
		}
	}
	rows := slices.Concat(required, others) // what must be set first: a page may show only some
	withoutOne(rows, 2)
	if len(rows) == 0 {
		return ""
	}
	head, lines := filled(wording.In(m.lang, "Setting|Read from|Class|Type|Default|Other values|Meaning|Evidence", "配置项|来源|类|类型|默认值|其他取值|含义|依据"), rows)
	text := "### " + wording.In(m.lang, "Settings", "配置项") + "\n\n" + head + m.shared(lines)
	if len(files) > 0 {
		text += "\n\n" + fmt.Sprintf(wording.In(m.lang, "What the environment does not set is read from a file: %s.", "环境中未设置的变量从文件读取：%s。"), strings.Join(files, ", "))
	}
	return text
}

// withoutOne empties a column that is the same in all rows.
func withoutOne(rows [][]string, column int) {
	if !slices.ContainsFunc(rows, func(r []string) bool { return r[column] != rows[0][column] }) {
		for _, r := range rows {
			r[column] = ""
		}
	}
}

// settingRow returns the cells of a setting.
func (m *material) settingRow(c *evidence.Claim) []string {
	o := c.Option
	if o == nil {
		o = &evidence.Option{}
	}
	return []string{codeSpan(c.Name), m.readFrom(c), codeOf(c.Of), codeOf(o.Type), m.defaultCell(o.Default, o.Required), m.otherValues(c), m.settingMeaning(o, c.Role == evidence.SettingsKey), m.cited(c)}
}

// readFrom says where a setting is read from.
func (m *material) readFrom(c *evidence.Claim) string {
	if c.Kind == evidence.Setting && (c.Role == evidence.SettingsKey || c.Of == "") {
		return wording.In(m.lang, "configuration", "配置")
	}
	return wording.In(m.lang, "environment", "环境变量")
}

// defaultCell writes a default, or that a value is required.
func (m *material) defaultCell(value string, required bool) string {
	if required {
		return wording.In(m.lang, "required", "必需")
	}
	return codeOf(value)
}

// otherValues lists what other classes, places and files make of a setting.
func (m *material) otherValues(c *evidence.Claim) string {
	var out []string
	for _, v := range c.Values {
		class, value, given := strings.Cut(v, ": ")
		out = append(out, codeSpan(class)+wording.In(m.lang, ": ", "：")+m.defaultCell(value, !given))
	}
	return strings.Join(out, wording.In(m.lang, ", ", "、"))
}

// settingMeaning returns the description of a setting and the other variables that set it.
func (m *material) settingMeaning(o *evidence.Option, key bool) string {
	var parts []string
	if o.Help != "" {
		parts = append(parts, escaped(o.Help))
	}
	switch {
	case o.Also != "" && key:
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "set by %s", "由 %s 设置"), listed(strings.Split(o.Also, ", "))))
	case o.Also != "":
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "also read from %s", "也从 %s 读取"), listed(strings.Split(o.Also, ", "))))
	}
	return strings.Join(parts, wording.In(m.lang, "; ", "；"))
}
