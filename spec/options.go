package spec

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// options returns the tables of what users of the module can set: flags, environment variables, settings, and limits; ""
// for nothing.
func (m *material) options() string {
	var parts []string
	for _, part := range []string{m.configuration(), m.limitTable(), m.database()} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}

// configuration returns the table of the flags, variables and settings that are read.
func (m *material) configuration() string {
	var rows []string
	for i := range m.claims {
		c := &m.claims[i]
		if !slices.Contains([]evidence.Kind{evidence.Flag, evidence.Argument, evidence.Environment, evidence.Setting}, c.Kind) || tabled(c) || c.Option == nil {
			continue
		}
		rows = append(rows, tableRow(codeSpan(c.Name), m.sourceOf(c), codeOf(c.Option.Type), codeOf(c.Option.Default), m.meaning(c), m.cited(c)))
	}
	if len(rows) == 0 {
		return ""
	}
	return tableHead(wording.In(m.lang, "Name|Read from|Type|Default|Meaning|Evidence", "名称|来源|类型|默认值|含义|依据")) + m.rows(rows, "", "")
}

// sourceOf says where an option is read from.
func (m *material) sourceOf(c *evidence.Claim) string {
	switch c.Kind {
	case evidence.Environment:
		return wording.In(m.lang, "environment", "环境变量")
	case evidence.Setting:
		return wording.In(m.lang, "settings", "配置")
	default:
		return wording.In(m.lang, "command line", "命令行")
	}
}

// limitTable returns the table of the limits that constants set.
func (m *material) limitTable() string {
	var rows []string
	for _, c := range m.ofKind(evidence.Limit) {
		rows = append(rows, tableRow(codeSpan(c.Subject), listed(c.Values), m.cited(c)))
	}
	if len(rows) == 0 {
		return ""
	}
	return tableHead(wording.In(m.lang, "Limit|Value|Evidence", "限制|值|依据")) + m.rows(rows, "", "")
}

// database returns the table of the database tables that the module declares.
func (m *material) database() string {
	var rows []string
	for _, c := range m.ofKind(evidence.Table) {
		rows = append(rows, tableRow(codeSpan(c.Name), codeOf(c.Of), m.cited(c)))
	}
	if len(rows) == 0 {
		return ""
	}
	return tableHead(wording.In(m.lang, "Database table|Model|Evidence", "数据库表|模型|依据")) + m.rows(rows, "", "")
}

// cited lists the places of a claim for a cell of a table.
func (m *material) cited(c *evidence.Claim) string {
	return strings.Trim(m.places(c), " ()")
}

// place returns file:line as the page writes it.
func (m *material) place(at string) string { return markdown.Code(m.short(at)) }
