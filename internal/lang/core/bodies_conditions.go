package core

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// conditions returns the conditions under which n runs, the outermost first.
func (b *BodyReader) conditions(n syntax.Node) []string {
	var out []string
	for p := n.Parent(); p.Ok() && !b.Rules.Functions[p.Kind()]; n, p = p, p.Parent() {
		if text := b.condition(p, n); text != "" {
			out = append(out, srctext.ClipBody(text))
		}
	}
	slices.Reverse(out)
	return out
}

// condition returns the condition that p, the parent of n, puts on n; "" for none.
func (b *BodyReader) condition(p, n syntax.Node) string {
	if b.Rules.Around != nil {
		if text := b.Rules.Around(b, p, n); text != "" {
			return text
		}
	}
	switch {
	case b.Rules.Handlers[p.Kind()]:
		return headOf(p)
	case b.Rules.Groups[p.Kind()]:
		return b.caseText(p)
	case b.Rules.Ifs[p.Kind()]:
		return b.branch(p, n)
	}
	return ""
}

// branch returns the condition under which n, a child of the if statement p, runs.
func (b *BodyReader) branch(p, n syntax.Node) string {
	condition := p.Field("condition")
	isElse := n.FieldName() == "alternative"
	switch {
	case !condition.Ok() || n.Index() == condition.Index() || isElse && b.Rules.Ifs[n.Kind()]:
		return ""
	case isElse && p.Child("elif_clause", "else_if_clause").Ok():
		return "none of the conditions from line " + strconv.Itoa(p.Line()) + " on"
	case isElse:
		return srctext.Negated(condition.Text())
	}
	return srctext.Unparenthesised(srctext.OneLine(condition.Text()))
}

// headOf returns the text of a handler before its body.
func headOf(handler syntax.Node) string {
	end := handler.End()
	for c := range handler.NamedSeq() {
		if c.FieldName() == "body" || c.Is("block", "compound_statement", "statement_block", "statements", "then") {
			end = c.Start()
			break
		}
	}
	text := handler.Text()[:end-handler.Start()]
	return strings.TrimRight(srctext.OneLine(text), " {:")
}

// caught reports whether the enclosing function itself catches what n throws.
func (b *BodyReader) caught(n syntax.Node, thrown string) bool {
	name := thrown[strings.LastIndexAny(thrown, ".:\\")+1:]
	for p := n.Parent(); p.Ok() && !b.Rules.Functions[p.Kind()]; n, p = p, p.Parent() {
		if !b.Rules.Tries[p.Kind()] || b.Rules.Handlers[n.Kind()] || n.Is("finally_clause", "finally_block", "ensure", "else", "else_clause") {
			continue
		}
		for h := range p.NamedSeq() {
			if b.Rules.Handlers[h.Kind()] && b.catches(headOf(h), name) {
				return true
			}
		}
	}
	return false
}

// universal are the base types of every exception.
var universal = []string{"Exception", "BaseException", "Throwable", "StandardError"}

// catches reports whether a handler with this head catches the error called name.
func (b *BodyReader) catches(head, name string) bool {
	kinds := strings.FieldsFunc(head, func(c rune) bool { return strings.ContainsRune(" (),.|:&*\\", c) })
	return len(kinds) == 1 || b.Rules.CatchesAll != nil && b.Rules.CatchesAll(head) ||
		slices.ContainsFunc(kinds, func(k string) bool { return k == name || slices.Contains(universal, k) })
}

// fallingThrough are the kinds of cases that fall through when they have no statements.
var fallingThrough = []string{"switch_case", "switch_default", "case_statement", "default_statement", "switch_section"}

// caseText returns a case as a condition.
func (b *BodyReader) caseText(group syntax.Node) string {
	choice := b.choiceOf(group)
	rule, ok := b.Rules.Choices[choice.Kind()]
	if !ok {
		return ""
	}
	var list []string
	for {
		text, _ := labels(group, rule)
		list = append(list, text)
		group = group.Previous()
		if _, nodes := labels(group, rule); !group.Is(fallingThrough...) || len(syntax.NamedChildren(group)) > nodes {
			break
		}
	}
	slices.Reverse(list)
	on := SwitchSubject(choice, rule)
	if on == "" {
		return strings.Join(list, " || ")
	}
	return on + " is " + strings.Join(list, ", ")
}

// SwitchSubject returns the text of the value that a switch branches on.
func SwitchSubject(choice syntax.Node, rule ChoiceRule) string {
	on := choice.Field(rule.On)
	if !on.Ok() {
		on = choice.Child(rule.On)
	}
	return srctext.ClipBody(srctext.Unparenthesised(srctext.OneLine(on.Text())))
}

// anythingElse is the label of a default case.
const anythingElse = "anything else"

// labels returns the values of a case and the number of nodes that hold them.
func labels(group syntax.Node, rule ChoiceRule) (text string, nodes int) {
	var list []string
	for c := range group.NamedSeq() {
		if c.FieldName() == rule.Label && rule.Label != "" || c.Is(rule.Label) || rule.Label == "" && c.Is(rule.Arm) {
			text := strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(srctext.OneLine(c.Text()), "case ")), ":")
			if text == "default" || text == "_" {
				return anythingElse, 1
			}
			list = append(list, text)
		}
	}
	if len(list) == 0 {
		return anythingElse, 0
	}
	text = strings.Join(list, ", ")
	if guard := group.Child("guard", "if_clause", "when_clause"); guard.Ok() {
		text += " " + srctext.OneLine(guard.Text())
	}
	return text, len(list)
}

// MaxCases is the maximum number of cases kept of a switch.
const MaxCases = 40

func (b *BodyReader) choice(n syntax.Node, rule ChoiceRule) {
	c := code.Choice{In: b.Enclosing(n.Start()), On: SwitchSubject(n, rule), Line: n.Line()}
	if c.On == "" {
		return
	}
	for part := range n.Descendants() {
		if part.Start() >= n.End() || len(c.Cases) >= MaxCases {
			break
		}
		if !part.Is(rule.Arm) || b.choiceOf(part) != n {
			continue
		}
		if text, nodes := labels(part, rule); rule.Label != "" && nodes > 0 && text != anythingElse {
			c.Cases = append(c.Cases, srctext.ClipBody(text))
		} else if text := caseValue(part); rule.Label == "" && text != "" {
			c.Cases = append(c.Cases, srctext.ClipBody(text))
		}
	}
	if len(c.Cases) > 1 {
		b.out.Choices = append(b.out.Choices, c)
	}
}

// caseDepth is the maximum number of levels between a switch and its cases.
const caseDepth = 3

// choiceOf returns the switch that a case belongs to; the zero Node if there is none.
func (b *BodyReader) choiceOf(arm syntax.Node) syntax.Node {
	p := arm.Parent()
	for range caseDepth {
		if _, ok := b.Rules.Choices[p.Kind()]; ok {
			return p
		}
		p = p.Parent()
	}
	return syntax.Node{}
}

// caseValue returns the text between "case" and its colon or arrow; "" for the default case.
func caseValue(label syntax.Node) string {
	text, ok := strings.CutPrefix(strings.TrimSuffix(srctext.OneLine(label.Text()), ":"), "case ")
	if !ok || text == "_" {
		return ""
	}
	return strings.TrimSpace(text)
}

// Coalesced is a [BodyRules] Around function for the right operand of "??".
func Coalesced(_ *BodyReader, p, n syntax.Node) string {
	if p.Is("binary_expression") && p.Field("operator").TextIs("??") && n.FieldName() == "right" {
		return srctext.OneLine(p.Field("left").Text()) + " is null"
	}
	return ""
}
