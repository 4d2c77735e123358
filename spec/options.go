package spec

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// options returns the tables of what users of the module can set: fields and parameters, flags, environment variables, settings, and limits; ""
// for nothing.
func (m *material) options() string {
	var parts []string
	for _, part := range []string{m.fieldTable(), m.configuration(), m.settings(), m.limitTable(), m.lookups(), m.constants(), m.database(), m.exchange(), m.exitStatuses(), m.errorTables()} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}

// configuration returns the table of the flags and arguments that are in the table of no command.
func (m *material) configuration() string {
	var rows []string
	for i := range m.claims {
		c := &m.claims[i]
		if c.Kind != evidence.Flag && c.Kind != evidence.Argument || tabled(c) || c.Option == nil {
			continue
		}
		rows = append(rows, tableRow(codeSpan(c.Name), codeOf(c.Option.Type), codeOf(c.Option.Default), m.meaning(c), m.cited(c)))
	}
	if len(rows) == 0 {
		return ""
	}
	return tableHead(wording.In(m.lang, "Option of the command line|Type|Default|Meaning|Evidence", "命令行选项|类型|默认值|含义|依据")) + m.rows(rows)
}

// limitTable returns the table of the limits that constants set.
func (m *material) limitTable() string {
	var rows []string
	for _, c := range m.ofKind(evidence.Limit) {
		rows = append(rows, tableRow(codeSpan(c.Subject), listed(c.Values), m.sum(c.From), m.cited(c)))
	}
	if len(rows) == 0 {
		return ""
	}
	return tableHead(wording.In(m.lang, "Limit|Value|Applies to|Evidence", "限制|值|适用于|依据")) + m.rows(rows)
}

// cited lists the places of a claim for a cell of a table.
func (m *material) cited(c *evidence.Claim) string {
	return m.placeList(c)
}

// place returns file:line as the page writes it.
func (m *material) place(at string) string { return markdown.Code(m.short(at)) }

// fieldTable returns the table of the values that users of a library give: fields of options, members of parameters, keyword
// arguments.
func (m *material) fieldTable() string {
	var rows []string
	required := slices.ContainsFunc(m.ofKind(evidence.Field), func(c *evidence.Claim) bool { return c.Option != nil && c.Option.Required })
	for _, c := range m.ofKind(evidence.Field) {
		if c.Option == nil || m.isPlain(c) {
			continue
		}
		cells := []string{codeSpan(c.Subject + "." + c.Name), codeOf(c.Option.Type), m.yes(c.Option.Required), codeOf(c.Option.Default), m.fieldMeaning(c), m.badValue(c), m.cited(c)}
		if !required {
			cells = slices.Delete(cells, 2, 3)
		}
		rows = append(rows, tableRow(cells...))
	}
	if len(rows) == 0 {
		return ""
	}
	head := wording.In(m.lang, "Option|Type|Required|Default|Meaning|Bad value|Evidence", "选项|类型|必需|默认值|含义|无效值|依据")
	if !required {
		head = wording.In(m.lang, "Option|Type|Default|Meaning|Bad value|Evidence", "选项|类型|默认值|含义|无效值|依据")
	}
	return tableHead(head) + m.rows(rows)
}

// isPlain reports whether the declaration of a field says all that is known of it.
func (m *material) isPlain(c *evidence.Claim) bool {
	if c.Option.Help != "" || c.Text != "" || len(c.Exits)+len(c.Values) > 0 {
		return false
	}
	if c.Option.Default == "" {
		return true
	}
	if m.signatures == nil {
		m.signatures = map[string]string{}
		for _, s := range m.public {
			m.signatures[s.name] = strings.ReplaceAll(s.Signature, " ", "")
		}
	}
	return strings.Contains(m.signatures[c.Subject], "="+strings.ReplaceAll(c.Option.Default, " ", ""))
}

// fieldMeaning returns what is said of a field and of certain values of it.
func (m *material) fieldMeaning(c *evidence.Claim) string {
	w := m.wordsOf(c)
	var out []string
	for _, text := range append([]string{c.Option.Help}, c.Values...) {
		if text = w.Inline(prose.WithoutMarks(text, c.Option.Default)); text != "" {
			out = append(out, text)
		}
	}
	if c.Text != "" {
		out = append(out, wording.In(m.lang, "Deprecated: ", "已弃用：")+w.Inline(c.Text))
	}
	return strings.Join(out, " ")
}

// badValue says with which errors functions refuse a value.
func (m *material) badValue(c *evidence.Claim) string {
	var out []string
	for i := range m.claims {
		e := &m.claims[i]
		if e.Kind == evidence.Exit && slices.Contains(c.Exits, e.ID()) {
			out = appendNew(out, []string{m.wordsOf(e).Error(e.Outcome)})
		}
	}
	return strings.Join(out, "; ")
}
