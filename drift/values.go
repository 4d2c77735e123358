package drift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// value compares the values of constants, variables and enum members. Long values are not kept
// as text but compared by body hash. A changed type implies a changed value and is not
// reported again.
func (d *differ) value(p pair) {
	old, now := p.old, p.now
	if callable(now.Kind) && !plain(now) || old.Kind != now.Kind || d.reported[id("type-changed", p.name)] {
		return
	}
	c := change{old: old.Value, now: now.Value}
	if p.compat.exact && now.Kind == code.Const {
		d.constant(p, c)
		return
	}
	sameBody := old.BodyHash != "" && old.BodyHash == now.BodyHash
	if sameBody || squeeze(old.Value) == squeeze(now.Value) {
		return
	}
	d.valueAltered(p, c)
}

// valueAltered judges another value of a symbol that is not a constant of Go.
func (d *differ) valueAltered(p pair, c change) {
	rule := valueRule(p.now)
	switch rule {
	case "":
		return
	case "const-value-changed":
		c.verdict = verdictIf(p.compat.literalConst && (literalTyped(p.old) || literalTyped(p.now)))
	case "enum-member-value-changed":
		if p.compat.name == "rust" {
			return // see [differ.discriminants]
		}
		c.verdict = verdictIf(p.compat.optionalReads)
	}
	c.old, c.now = keptValue(p.old), keptValue(p.now)
	d.add(rule, p, c)
}

// keptValue returns the value of a symbol as it is written; … for one that is too long to be kept.
func keptValue(s *code.Symbol) string {
	if s.Value == "" && s.BodyHash != "" {
		return "…"
	}
	return s.Value
}

// valueRule returns the rule for a symbol whose value changed, or "" if its value does not
// matter.
func valueRule(s *code.Symbol) string {
	switch s.Kind {
	case code.Const, code.Macro:
		return "const-value-changed"
	case code.EnumMember:
		return "enum-member-value-changed"
	case code.Property:
		if s.Static && s.Readonly {
			return "const-value-changed"
		}
		return "variable-value-changed"
	case code.Variable:
		return "variable-value-changed"
	default:
		return ""
	}
}

// plain reports whether a macro takes no arguments, so that it is a constant.
func plain(s *code.Symbol) bool { return s.Kind == code.Macro && len(s.Params) == 0 && s.Value != "" }

// constant compares two Go constants, by value if it can be computed and otherwise by text.
// The value is part of what compilers check.
func (d *differ) constant(p pair, c change) {
	equal, ok := d.sameConstant(p)
	text := squeeze(c.old) == squeeze(c.now)
	if equal || !ok && text {
		return
	}
	if text {
		c.old = d.goBase.constant(p.old, maxAliases).ExactString()
		c.now = d.goNow.constant(p.now, maxAliases).ExactString()
	}
	c.verdict = breaks
	d.add("const-value-changed", p, c)
}

// literalTyped reports whether a constant's type is its value: no type is written and the
// value is a literal.
func literalTyped(s *code.Symbol) bool {
	v := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s.Value), "as const"))
	if s.Returns != "" || v == "" {
		return false
	}
	if v == "true" || v == "false" {
		return true
	}
	first := strings.TrimLeft(v, "-+")
	return first != "" && (strings.ContainsRune("\"'`", rune(first[0])) || first[0] >= '0' && first[0] <= '9') ||
		strings.HasSuffix(strings.TrimSpace(s.Value), "as const")
}
