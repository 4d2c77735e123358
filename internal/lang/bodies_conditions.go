package lang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// conditions returns what has to hold where n stands, the outermost first.
func (b *bodyReader) conditions(n syntax.Node) []string {
	var out []string
	for p := n.Parent(); p.Ok() && !b.rules.functions[p.Kind()]; n, p = p, p.Parent() {
		if text := b.condition(p, n); text != "" {
			out = append(out, clipBody(text))
		}
	}
	slices.Reverse(out)
	return out
}

// condition is what p, the parent of n, says has to hold for n; "" for nothing.
func (b *bodyReader) condition(p, n syntax.Node) string {
	if b.rules.around != nil {
		if text := b.rules.around(b, p, n); text != "" {
			return text
		}
	}
	switch {
	case b.rules.handlers[p.Kind()]:
		return headOf(p)
	case b.rules.groups[p.Kind()]:
		return b.caseText(p)
	case b.rules.ifs[p.Kind()]:
		return b.branch(p, n)
	}
	return ""
}

// branch is the condition under which n is run, a part of p, an if.
func (b *bodyReader) branch(p, n syntax.Node) string {
	condition := p.Field("condition")
	isElse := n.FieldName() == "alternative"
	switch {
	case !condition.Ok() || n.Index() == condition.Index() || isElse && b.rules.ifs[n.Kind()]:
		return ""
	case isElse && p.Child("elif_clause", "else_if_clause").Ok():
		return "none of the conditions from line " + strconv.Itoa(p.Line()) + " on"
	case isElse:
		return negated(condition.Text())
	}
	return unparenthesised(words(condition.Text()))
}

// negated is a condition that must not hold.
func negated(text string) string {
	return "not (" + clipBody(unparenthesised(words(text))) + ")"
}

// headOf is the text of a handler before its body.
func headOf(handler syntax.Node) string {
	end := handler.End()
	for c := range handler.Inner() {
		if c.FieldName() == "body" || c.Is("block", "compound_statement", "statement_block", "statements", "then") {
			end = c.Start()
			break
		}
	}
	text := handler.Text()[:end-handler.Start()]
	return strings.TrimRight(words(text), " {:")
}

// caught tells that the function around catches what is thrown at n itself.
func (b *bodyReader) caught(n syntax.Node, thrown string) bool {
	name := thrown[strings.LastIndexAny(thrown, ".:\\")+1:]
	for p := n.Parent(); p.Ok() && !b.rules.functions[p.Kind()]; n, p = p, p.Parent() {
		if !b.rules.tries[p.Kind()] || b.rules.handlers[n.Kind()] || n.Is("finally_clause", "finally_block", "ensure", "else", "else_clause") {
			continue
		}
		for h := range p.Inner() {
			if b.rules.handlers[h.Kind()] && b.catches(headOf(h), name) {
				return true
			}
		}
	}
	return false
}

// universal are the types that all that is thrown has.
var universal = []string{"Exception", "BaseException", "Throwable", "StandardError"}

// catches tells that a handler catches an error by its name, or all of them.
func (b *bodyReader) catches(head, name string) bool {
	kinds := strings.FieldsFunc(head, func(c rune) bool { return strings.ContainsRune(" (),.|:&*\\", c) })
	return len(kinds) == 1 || b.rules.catchesAll != nil && b.rules.catchesAll(head) ||
		slices.ContainsFunc(kinds, func(k string) bool { return k == name || slices.Contains(universal, k) })
}

// fallingThrough are the cases that without statements lead to the next one.
var fallingThrough = []string{"switch_case", "switch_default", "case_statement", "default_statement", "switch_section"}

// caseText is a case as a condition.
func (b *bodyReader) caseText(group syntax.Node) string {
	choice := b.choiceOf(group)
	rule, ok := b.rules.choices[choice.Kind()]
	if !ok {
		return ""
	}
	var list []string
	for {
		text, _ := labels(group, rule)
		list = append(list, text)
		group = group.Previous()
		if _, nodes := labels(group, rule); !group.Is(fallingThrough...) || len(inner(group)) > nodes {
			break
		}
	}
	slices.Reverse(list)
	on := looked(choice, rule)
	if on == "" {
		return strings.Join(list, " || ")
	}
	return on + " is " + strings.Join(list, ", ")
}

// looked is what a switch looks at.
func looked(choice syntax.Node, rule choiceRule) string {
	on := choice.Field(rule.on)
	if !on.Ok() {
		on = choice.Child(rule.on)
	}
	return clipBody(unparenthesised(words(on.Text())))
}

// anythingElse is the value of a default.
const anythingElse = "anything else"

// labels are the values of a case, and how many nodes say them.
func labels(group syntax.Node, rule choiceRule) (text string, nodes int) {
	var list []string
	for c := range group.Inner() {
		if c.FieldName() == rule.label && rule.label != "" || c.Is(rule.label) || rule.label == "" && c.Is(rule.arm) {
			text := strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(words(c.Text()), "case ")), ":")
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
		text += " " + words(guard.Text())
	}
	return text, len(list)
}

// unparenthesised takes off the parentheses that stand around all of a text.
func unparenthesised(text string) string {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return text
		}
	}
	return strings.TrimSpace(text[1 : len(text)-1])
}

// maxCases bounds what is kept of a switch.
const maxCases = 40

func (b *bodyReader) choice(n syntax.Node, rule choiceRule) {
	c := code.Choice{In: b.enclosing(n.Start()), On: looked(n, rule), Line: n.Line()}
	if c.On == "" {
		return
	}
	for part := range n.Within() {
		if part.Start() >= n.End() || len(c.Cases) >= maxCases {
			break
		}
		if !part.Is(rule.arm) || b.choiceOf(part) != n {
			continue
		}
		if text, nodes := labels(part, rule); rule.label != "" && nodes > 0 && text != anythingElse {
			c.Cases = append(c.Cases, clipBody(text))
		} else if text := caseValue(part); rule.label == "" && text != "" {
			c.Cases = append(c.Cases, clipBody(text))
		}
	}
	if len(c.Cases) > 1 {
		b.out.Choices = append(b.out.Choices, c)
	}
}

// caseDepth is how far at most a case stands below its switch.
const caseDepth = 3

// choiceOf is the switch that a case belongs to.
func (b *bodyReader) choiceOf(arm syntax.Node) syntax.Node {
	p := arm.Parent()
	for range caseDepth {
		if _, ok := b.rules.choices[p.Kind()]; ok {
			return p
		}
		p = p.Parent()
	}
	return syntax.Node{}
}

// caseValue is what stands between case and its colon or arrow; "" for the default.
func caseValue(label syntax.Node) string {
	text, ok := strings.CutPrefix(strings.TrimSuffix(words(label.Text()), ":"), "case ")
	if !ok || text == "_" {
		return ""
	}
	return strings.TrimSpace(text)
}
