package spec

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// tabled reports whether a claim is a row in the table of its command.
func tabled(c *evidence.Claim) bool {
	return (c.Kind == evidence.Flag || c.Kind == evidence.Argument) && c.Of != ""
}

// commandTable describes a command: how it is called, and the tables of its arguments and flags, those of the commands above
// included.
func (m *material) commandTable(c *evidence.Claim) string {
	var args, flags []string
	usage := c.Name
	for i := range m.claims {
		p := &m.claims[i]
		switch {
		case !tabled(p) || p.Role == evidence.Hidden:
		case p.Kind == evidence.Argument && p.Of == c.Name:
			args = append(args, m.argumentRow(p))
			usage += " " + usageOf(p)
		case p.Kind == evidence.Flag && p.Of == c.Name:
			flags = append(flags, m.flagRow(p))
		case p.Kind == evidence.Flag && p.Option.Global && strings.HasPrefix(c.Name, p.Of+" "):
			flags = append(flags, m.flagRow(p))
		}
	}
	if c.Text != "" {
		usage = c.Name + " " + c.Text
	}
	text := m.usageLine(c, usage)
	if len(args) > 0 {
		text += "\n\n" + tableHead(wording.In(m.lang, "Argument|Required|Default|Meaning", "参数|必需|默认值|含义")) + m.rows(args)
	}
	if len(flags) > 0 {
		text += "\n\n" + tableHead(wording.In(m.lang, "Flag|Short|Type|Default|Required|Meaning", "选项|短名|类型|默认值|必需|含义")) + m.rows(flags)
	}
	if ends := m.processOf(func(p *evidence.Claim) bool { return p.Of == c.Name }); ends != "" {
		text += "\n\n" + ends
	}
	return text
}

// usageLine says how a command is called.
func (m *material) usageLine(c *evidence.Claim, usage string) string {
	text := wording.In(m.lang, "Usage: ", "用法：") + markdown.Code(usage)
	if len(c.Values) > 0 {
		text += wording.In(m.lang, "; also called ", "；别名 ") + listed(c.Values)
	}
	if c.Role == evidence.Hidden {
		text += wording.In(m.lang, "; not shown in the help", "；帮助中不显示")
	}
	return text
}

// usageOf returns a positional argument as usage lines write it.
func usageOf(p *evidence.Claim) string {
	text := p.Name
	if p.Option.Many {
		text += "..."
	}
	if !p.Option.Required {
		return "[" + text + "]"
	}
	return "<" + strings.Trim(text, "<>") + ">"
}

func (m *material) argumentRow(p *evidence.Claim) string {
	return tableRow(markdown.Code(p.Name)+m.places(p), m.yes(p.Option.Required), codeOf(p.Option.Default), m.meaning(p))
}

func (m *material) flagRow(p *evidence.Claim) string {
	name := markdown.Code(p.Name)
	if p.Option.Also != "" {
		name += " " + markdown.Code(p.Option.Also)
	}
	where := m.places(p)
	switch {
	case p.Role == evidence.Implied:
		where = wording.In(m.lang, " (of the library)", "（由库提供）")
	case p.Option.Global:
		where += wording.In(m.lang, ", of ", "，来自 ") + markdown.Code(p.Of)
	}
	return tableRow(name+where, codeOf(p.Option.Short), codeOf(p.Option.Type), codeOf(p.Option.Default), m.yes(p.Option.Required), m.meaning(p))
}

func (m *material) yes(is bool) string {
	if is {
		return wording.In(m.lang, "yes", "是")
	}
	return ""
}

// meaning returns the help of a flag with its choices, its variable, and whether it may be repeated.
func (m *material) meaning(p *evidence.Claim) string {
	list := []string{}
	if p.Option.Help != "" {
		list = append(list, escaped(p.Option.Help))
	}
	if len(p.Values) > 0 {
		list = append(list, wording.In(m.lang, "One of ", "取值：")+listed(p.Values))
	}
	if p.Option.Env != "" {
		list = append(list, wording.In(m.lang, "Environment: ", "环境变量：")+markdown.Code(p.Option.Env))
	}
	if p.Option.Many {
		list = append(list, wording.In(m.lang, "May be repeated", "可重复"))
	}
	return strings.Join(list, wording.In(m.lang, "; ", "；"))
}
