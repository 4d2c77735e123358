package core

import (
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// transition records an assignment of a constant where an enclosing condition says that the
// variable held another constant.
func (b *BodyReader) transition(n syntax.Node) {
	if !n.Is("assignment_expression", "assignment") {
		return
	}
	to := srctext.OneLine(n.Field("right").Text())
	of := srctext.OneLine(n.Field("left").Text())
	if !IsConstantPath(to) || strings.Contains(of, "(") {
		return
	}
	m := code.Transition{In: b.Enclosing(n.Start()), Of: bareState(of), To: to, Line: n.Line()}
	for inner, p := n, n.Parent(); p.Ok() && !b.Rules.Functions[p.Kind()]; inner, p = p, p.Parent() {
		switch {
		case b.Rules.Groups[p.Kind()]:
			if m.From = b.casesOn(p, of, &m.When); m.When == "" && len(m.From) == 0 {
				m.When = b.caseText(p)
			}
		case b.Rules.Ifs[p.Kind()]:
			m.From = b.ifIs(p, inner, of, &m.When)
		}
		if len(m.From) > 0 {
			b.out.Transitions = append(b.out.Transitions, m)
			return
		}
	}
}

// casesOn returns the values of a case, and of the cases that fall through to it, if the
// switch is on the variable of. It sets *when to the guard of the case if *when is empty.
func (b *BodyReader) casesOn(group syntax.Node, of string, when *string) []string {
	choice := b.choiceOf(group)
	rule, ok := b.Rules.Choices[choice.Kind()]
	if !ok || bareState(SwitchSubject(choice, rule)) != bareState(of) {
		return nil
	}
	var list []string
	for group.Ok() && b.Rules.Groups[group.Kind()] {
		text, label := labels(group, rule)
		if text == anythingElse {
			return nil
		}
		text, guard, _ := strings.Cut(text, " if ")
		*when = cmp.Or(*when, guard)
		for value := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == '|' }) {
			value, _, _ = strings.Cut(value, "(") // without the pattern's fields
			list = append(list, strings.TrimSpace(value))
		}
		if group = group.Previous(); !group.Is("switch_case") || len(syntax.NamedChildren(group)) > label {
			break
		}
	}
	return list
}

// ifIs returns the constants that the if statement says the variable of equals in the branch
// inner. If its condition is about something else and *when is empty, it sets *when to the
// condition.
func (b *BodyReader) ifIs(statement, inner syntax.Node, of string, when *string) []string {
	condition := statement.Field("condition")
	if !condition.Ok() || inner.Index() == condition.Index() {
		return nil
	}
	text := srctext.ClipBody(srctext.Unparenthesised(srctext.OneLine(condition.Text())))
	if inner.FieldName() == "alternative" {
		if *when == "" && !b.Rules.Ifs[inner.Kind()] {
			*when = "not (" + text + ")"
		}
		return nil
	}
	for part := range condition.Descendants() {
		if part.Start() >= condition.End() {
			break
		}
		if value := equalTo(srctext.OneLine(part.Text()), of); value != "" && part.Is(comparisons...) && required(part, condition) {
			return []string{value}
		}
	}
	if *when == "" {
		*when = text
	}
	return nil
}

// comparisons are the kinds of nodes that compare two values.
var comparisons = []string{"binary_expression", "comparison_operator"}

// equalTo returns the constant that a comparison says the variable of equals; "" for other
// comparisons.
func equalTo(comparison, of string) string {
	for _, operator := range []string{" === ", " == ", " is "} {
		left, right, found := strings.Cut(comparison, operator)
		if found && bareState(left) == bareState(of) && IsConstantPath(right) {
			return right
		}
	}
	return ""
}

// required reports whether the whole condition holds only if part holds.
func required(part, condition syntax.Node) bool {
	for p := part; p.Index() != condition.Index(); p = p.Parent() {
		around := p.Parent()
		if around.Is("parenthesized_expression", "condition_clause") {
			continue
		}
		operator := around.Field("operator").Text()
		if !around.Is("binary_expression", "boolean_operator") || operator != "&&" && operator != "and" {
			return false
		}
	}
	return true
}

// bareState returns the name of a member without "this." or its equivalent.
func bareState(name string) string {
	for _, self := range []string{"this.", "self.", "this->", "$this->"} {
		if rest, ok := strings.CutPrefix(name, self); ok {
			return rest
		}
	}
	return name
}

// IsConstantPath reports whether text may be the name of a constant, qualified or not, or is a
// short quoted string.
func IsConstantPath(text string) bool {
	if n := len(text); n > 2 && n < 40 && (text[0] == '\'' || text[0] == '"') {
		return text[n-1] == text[0]
	}
	named := strings.IndexFunc(text, func(c rune) bool { return c != '.' && c != ':' && !isWordRune(c) }) < 0
	return named && text != "" && (text[0] < '0' || text[0] > '9') && !noConstants[text]
}

// noConstants are the names of values that are not states.
var noConstants = SetOf("true", "false", "null", "None", "True", "False", "undefined", "nil")
