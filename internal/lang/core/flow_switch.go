package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// choice reads a switch or match.
func (f *FlowReader) choice(n syntax.Node, rule SwitchRule) []code.Stmt {
	on := n.Field(rule.On)
	if !on.Ok() && rule.On != "" {
		on = n.Child(rule.On)
	}
	out := f.Stmts(on)
	if rule.First {
		on = n.First()
	}
	text, _, _ := strings.Cut(srctext.Unparenthesised(srctext.OneLine(on.Text())), ": @") // Scala's annotations
	s := code.Stmt{Op: code.StmtSwitch, Text: srctext.ClipBody(text), Line: n.Line()}
	s.Arms = joinedArms(f.Arms(n, rule, s.Text == ""))
	return append(out, s)
}

// Arms reads the cases in n; their labels are conditions if there is no subject.
func (f *FlowReader) Arms(n syntax.Node, rule SwitchRule, isCondition bool) []code.Arm {
	var out []code.Arm
	for _, arm := range armsOf(n, rule, nil, 0) {
		out = append(out, f.arm(arm, rule, isCondition))
	}
	return out
}

// maxArmDepth is the maximum number of levels between a switch and its cases.
const maxArmDepth = 3

func armsOf(n syntax.Node, rule SwitchRule, out []syntax.Node, depth int) []syntax.Node {
	if depth == maxArmDepth {
		return out
	}
	for c := range n.NamedSeq() {
		if rule.Arms[c.Kind()] {
			out = append(out, c)
		} else if c.FieldName() != rule.On || rule.On == "" {
			out = armsOf(c, rule, out, depth+1)
		}
	}
	return out
}

// arm reads one case.
func (f *FlowReader) arm(n syntax.Node, rule SwitchRule, isCondition bool) code.Arm {
	a := code.Arm{Falls: rule.Falls[n.Kind()]}
	var body []syntax.Node
	for c := range n.NamedSeq() {
		switch {
		case rule.isLabel(c):
			f.label(&a, c, rule, isCondition)
		case rule.isGuard(c):
			f.guard(&a, c)
		default:
			body = append(body, c)
		}
	}
	for _, c := range body {
		a.Body = append(a.Body, f.Value(c)...)
	}
	binds := rule.Guard != "" && a.Guard == nil && len(a.Labels) == 1 && isBinding(a.Labels[0])
	a.Default = a.Default || len(a.Labels)+len(a.Conds) == 0 || binds
	return a
}

// isBinding reports whether a pattern is a new variable, which matches everything.
func isBinding(pattern string) bool {
	for _, c := range pattern {
		if c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return pattern != "" && pattern[0] > '9' && pattern != "true" && pattern != "false" && pattern != "null" && pattern != "nil"
}

func (r *SwitchRule) isLabel(n syntax.Node) bool {
	return r.Label != "" && (n.FieldName() == r.Label || strings.HasSuffix(n.Kind(), r.Label) || n.Is("discard"))
}

func (r *SwitchRule) isGuard(n syntax.Node) bool {
	return r.Guard != "" && (n.FieldName() == r.Guard || n.Kind() == r.Guard)
}

// label reads one label of a case, which may hold the case's guard.
func (f *FlowReader) label(a *code.Arm, n syntax.Node, rule SwitchRule, isCondition bool) {
	text := n.Text()
	if rule.Guard != "" {
		for c := range n.NamedSeq() {
			if rule.isGuard(c) {
				f.guard(a, c)
				text = text[:c.Start()-n.Start()]
				text = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(text), " if"), " when")
			}
		}
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(srctext.OneLine(text), "case ")), ":"))
	switch {
	case text == "default" || text == "_" || text == "else":
		a.Default = true
	case isCondition:
		a.Conds = append(a.Conds, f.Cond(n))
	default:
		a.Labels = append(a.Labels, srctext.ClipBody(strings.TrimPrefix(text, "is ")))
	}
}

func (f *FlowReader) guard(a *code.Arm, n syntax.Node) {
	inner := n
	switch {
	case n.Is("where_keyword"):
		inner = n.Next()
	case n.Is("guard", "if_clause", "when_clause", "match_guard", "if_guard"):
		inner = syntax.LastNamedChild(n)
	}
	cond := f.Cond(inner)
	a.Guard = &cond
}

// joinedArms joins cases without statements that fall through with the next one.
func joinedArms(list []code.Arm) []code.Arm {
	var out []code.Arm
	for i, a := range list {
		if n := len(out); n > 0 && out[n-1].Falls && len(out[n-1].Body) == 0 && out[n-1].Guard == nil && a.Guard == nil && i > 0 {
			a.Labels, a.Conds = append(out[n-1].Labels, a.Labels...), append(out[n-1].Conds, a.Conds...)
			a.Default = a.Default || out[n-1].Default
			out[n-1] = a
			continue
		}
		out = append(out, a)
	}
	return out
}
