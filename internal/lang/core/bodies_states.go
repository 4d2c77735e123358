package core

import (
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// move notes an assignment of a constant to what the statements around it have
// found to be another one.
func (b *BodyReader) move(n syntax.Node) {
	if !n.Is("assignment_expression", "assignment") {
		return
	}
	to := OneLine(n.Field("right").Text())
	of := OneLine(n.Field("left").Text())
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

// casesOn are the values of a case, and of those that fall through to it, when the
// switch is on the value named; when is set to the case's guard where nothing nearer
// is.
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
			value, _, _ = strings.Cut(value, "(") // what is in it
			list = append(list, strings.TrimSpace(value))
		}
		if group = group.Previous(); !group.Is("switch_case") || len(NamedChildren(group)) > label {
			break
		}
	}
	return list
}

// ifIs are the constants that an if says the value is where inner stands; when is
// set to its condition where that is about something else, and nothing nearer is.
func (b *BodyReader) ifIs(statement, inner syntax.Node, of string, when *string) []string {
	condition := statement.Field("condition")
	if !condition.Ok() || inner.Index() == condition.Index() {
		return nil
	}
	text := ClipBody(Unparenthesised(OneLine(condition.Text())))
	if inner.FieldName() == "alternative" {
		if *when == "" && !b.Rules.Ifs[inner.Kind()] {
			*when = "not (" + text + ")"
		}
		return nil
	}
	for part := range condition.Within() {
		if part.Start() >= condition.End() {
			break
		}
		if value := equalTo(OneLine(part.Text()), of); value != "" && part.Is(comparisons...) && required(part, condition) {
			return []string{value}
		}
	}
	if *when == "" {
		*when = text
	}
	return nil
}

// comparisons are the nodes that compare two values.
var comparisons = []string{"binary_expression", "comparison_operator"}

// equalTo is the constant that a comparison says a value is; "" for others.
func equalTo(comparison, of string) string {
	for _, operator := range []string{" === ", " == ", " is "} {
		left, right, found := strings.Cut(comparison, operator)
		if found && bareState(left) == bareState(of) && IsConstantPath(right) {
			return right
		}
	}
	return ""
}

// required tells that the whole condition holds only if its part does.
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

// bareState is a value's name without the object whose method it is in.
func bareState(name string) string {
	for _, self := range []string{"this.", "self.", "this->", "$this->"} {
		if rest, ok := strings.CutPrefix(name, self); ok {
			return rest
		}
	}
	return name
}

// IsConstantPath tells a text that may name a constant: a name, perhaps with names
// of types before it, or a short text between quotes.
func IsConstantPath(text string) bool {
	if n := len(text); n > 2 && n < 40 && (text[0] == '\'' || text[0] == '"') {
		return text[n-1] == text[0]
	}
	named := strings.IndexFunc(text, func(c rune) bool { return c != '.' && c != ':' && !isWordRune(c) }) < 0
	return named && text != "" && (text[0] < '0' || text[0] > '9') && !noConstants[text]
}

// noConstants are names of values that are no states.
var noConstants = SetOf("true", "false", "null", "None", "True", "False", "undefined", "nil")
