package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// loop reads a loop; Label says of one that runs its body at least once that it does.
func (o *outliner) loop(n syntax.Node, c Construct) code.Stmt {
	body := n.Field("body")
	if !body.Ok() {
		body = syntax.LastNamedChild(n)
	}
	s := code.Stmt{Op: code.StmtLoop, Line: n.Line(), Body: o.list(body)}
	condition := n.Field("condition")
	switch {
	case c == FlowFor:
		s.Text = o.loopHeader(n, body)
		if s.Text == "" {
			o.failed = true
		}
	case condition.Ok():
		if o.condition(&s, condition, c == FlowUntil); s.Cond != nil && s.Cond.Op == code.CondAtom && always[s.Cond.Text] {
			s.Cond = nil
		}
		if c == FlowDo && s.Cond != nil {
			s.Label = OnceAtLeast
		} else if c == FlowDo {
			o.failed = true
		}
	case c != FlowForever:
		o.failed = true
	}
	for part := range n.NamedSeq() {
		if part.FieldName() == "alternative" {
			o.failed = true // for … else
		}
	}
	return s
}

// OnceAtLeast is the Label of a loop in an outline that runs its body at least once.
const OnceAtLeast = "do"

// choice reads a switch or match.
func (o *outliner) choice(n syntax.Node) code.Stmt {
	rule := o.Rules.Switches[n.Kind()]
	on := n.Field(rule.On)
	if !on.Ok() && rule.On != "" {
		on = n.Child(rule.On)
	}
	if rule.First {
		on = n.First()
	}
	s := code.Stmt{Op: code.StmtSwitch, Line: n.Line()}
	if on.Ok() {
		s.Text = unbracketed(o.text(on, nil))
	}
	for _, at := range armsOf(n, rule, nil, 0) {
		a := code.Arm{Falls: rule.Falls[at.Kind()]}
		for c := range at.NamedSeq() {
			switch {
			case rule.isLabel(c):
				o.label(&a, c, rule, s.Text == "")
			case rule.isGuard(c):
				o.guard(&a, c)
			case syntax.IsComment(c.Kind()):
			default:
				a.Body = append(a.Body, o.list(c)...)
			}
		}
		a.Default = a.Default || len(a.Labels)+len(a.Conds) == 0
		if a.Falls && leaves(a.Body) {
			a.Falls, a.Body = false, withoutBreak(a.Body)
		}
		s.Arms = append(s.Arms, a)
	}
	s.Arms = joinedArms(s.Arms)
	return s
}

func unbracketed(text string) string {
	if inner, ok := strings.CutPrefix(text, "("); ok && strings.HasSuffix(inner, ")") && strings.Count(inner, "(") == strings.Count(inner, ")")-1 {
		return strings.TrimSuffix(inner, ")")
	}
	return text
}

// withoutBreak returns statements without the one at the end that only ends the case.
func withoutBreak(list []code.Stmt) []code.Stmt {
	last := len(list) - 1
	switch s := &list[last]; {
	case s.Op == code.StmtBreak && s.Text == "":
		return list[:last]
	case s.Op == code.StmtBlock:
		s.Body = withoutBreak(s.Body)
	}
	return list
}

// leaves reports whether statements do not go on after the last one.
func leaves(list []code.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := &list[len(list)-1]; s.Op {
	case code.StmtReturn, code.StmtError, code.StmtBreak, code.StmtNext:
		return true
	case code.StmtIf:
		return leaves(s.Body) && leaves(s.Else)
	case code.StmtBlock:
		return leaves(s.Body)
	default:
		return false
	}
}

// try reads a statement with handlers; what runs in any case is an arm with the label Finally.
func (o *outliner) try(n syntax.Node) code.Stmt {
	s := code.Stmt{Op: code.StmtTry, Line: n.Line()}
	for c := range n.NamedSeq() {
		switch {
		case syntax.IsComment(c.Kind()):
		case o.Rules.Handlers[c.Kind()]:
			head := headOf(c)
			_, caught, _ := strings.Cut(head, " ")
			s.Arms = append(s.Arms, code.Arm{Labels: []string{unbracketed(strings.TrimSpace(caught))}, Body: o.handler(c)})
		case c.Is("finally_clause", "finally_block", "ensure"):
			s.Arms = append(s.Arms, code.Arm{Labels: []string{Finally}, Body: o.inner(c)})
		case c.Is("else_clause", "else"):
			s.Else = o.list(c)
		default:
			s.Body = append(s.Body, o.list(c)...)
		}
	}
	return s
}

// Finally is the label of what runs in any case at the end of a statement with handlers, in an outline.
const Finally = "finally"

// handler reads the statements of a handler.
func (o *outliner) handler(n syntax.Node) []code.Stmt {
	if body := n.Field("body"); body.Ok() {
		return o.list(body)
	}
	return o.inner(n)
}

// inner reads the statements in the container that a node has, or in the node itself.
func (o *outliner) inner(n syntax.Node) []code.Stmt {
	for c := range n.NamedSeq() {
		if containers[c.Kind()] {
			return o.list(c)
		}
	}
	return o.list(n)
}
