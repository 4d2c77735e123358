package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/jvm/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinShape ignores the differences that ktlint and ktfmt make.
var kotlinShape = &core.Shape{
	Transparent: core.SetOf("modifiers", "parenthesized_expression", "statements", "property_declaration"),
	Through:     kotlinThrough,
	Special:     kotlinSpecial,
}

// kotlinThrough reports whether n only groups: the return of a function with an
// expression body, or the sign that was inserted before a string.
func kotlinThrough(n syntax.Node) bool {
	switch n.Kind() {
	case "jump_expression":
		return isOnlyReturn(n)
	case "call_expression":
		return isEmptyCall(n)
	case "prefix_expression":
		return strings.TrimSpace(n.Head(1)) == ""
	}
	return false
}

// isEmptyCall reports whether n is the call f() in f() { }, which is f { }.
func isEmptyCall(n syntax.Node) bool {
	around := n.Parent()
	if !around.Is("call_expression") || around.First() != n || !around.Child("call_suffix").Has("annotated_lambda") {
		return false
	}
	arguments := n.Child("call_suffix").First()
	return arguments.Is("value_arguments") && !arguments.First().Ok() && !around.Child("call_suffix").Has("value_arguments")
}

// isOnlyReturn reports whether n is the only statement of a function: { return x } is =
// x.
func isOnlyReturn(n syntax.Node) bool {
	list := n.Parent()
	return n.Has("return") && n.First().Ok() && list.Is("statements") && list.Parent().Is("function_body") && len(syntax.NamedChildren(list)) == 1
}

func kotlinSpecial(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "string_content", "character_literal", "interpolated_identifier", "interpolated_expression", "$", "${":
		return kotlinStringPart(n)
	case "type_identifier":
		if n.Parent().Parent().Is("annotation") && n.Ends(")") {
			return false, kotlinArguments(n.Text())
		}
	case "return":
		if isOnlyReturn(n.Parent()) {
			return false, "="
		}
	case "user_type":
		return isUnitResult(n), ""
	case ":":
		return isUnitResult(n.Next()), ""
	case "class_body": // class A {} is class A
		return len(syntax.NamedChildren(n)) == 0 && !n.Parent().Is("object_literal"), ""
	case "call_suffix": // f() { } is f { }
		return isEmptyCall(n.Parent()), ""
	}
	if n.Parent().Is("modifiers") && !syntax.IsComment(n.Kind()) {
		return kotlinModifier(n)
	}
	return false, ""
}

// kotlinArguments returns the text of an annotation's arguments without blanks and
// trailing commas.
func kotlinArguments(text string) string {
	var out strings.Builder
	l := repair.KotlinTokens(text)
	for i := range l.Tokens {
		if part := text[l.Start(i):l.End(i)]; part != "," || i+1 < len(l.Tokens) && text[l.Start(i+1)] != ')' {
			out.WriteString(part + " ")
		}
	}
	return out.String()
}

// kotlinStringPart hashes the text of a string verbatim and a template by its content:
// "$x" is "${x}".
func kotlinStringPart(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "string_content":
		return false, "'" + strings.ReplaceAll(n.Text(), "\r\n", "\n")
	case "character_literal":
		return false, n.Text()
	case "interpolated_identifier":
		return false, "${" + n.Text()
	case "interpolated_expression":
		if one := syntax.NamedChildren(n); len(one) == 1 && one[0].Is("simple_identifier", "this_expression") {
			return false, "${" + one[0].Text()
		}
		return false, ""
	}
	return n.Parent().Is("string_literal"), ""
}

// isUnitResult reports whether n is the result type Unit of a function with a block,
// which is redundant.
func isUnitResult(n syntax.Node) bool {
	around := n.Parent()
	if !n.Is("user_type") || !n.TextIs("Unit") || !around.Is("function_declaration") || !n.Previous().Is(":") {
		return false
	}
	body := around.Child("function_body")
	return body.Ok() && !body.Has("=")
}

// kotlinModifier hashes all modifiers but the default one in alphabetical order at the
// position of the first.
func kotlinModifier(n syntax.Node) (drop bool, as string) {
	if isKtAnnotation(n) {
		return false, ""
	}
	var all []string
	for c := range n.Parent().NamedSeq() {
		if isKtAnnotation(c) {
			continue
		}
		if len(all) == 0 && c != n {
			return true, ""
		}
		all = append(all, c.Text())
	}
	slices.Sort(all)
	all = slices.DeleteFunc(all, func(word string) bool { return word == "public" })
	if len(all) == 0 {
		return true, ""
	}
	return false, strings.Join(all, " ")
}

// isKtAnnotation reports whether n is an annotation, or was rewritten as one with
// arguments.
func isKtAnnotation(n syntax.Node) bool {
	return n.Is("annotation") && (n.Begins("@") || n.First().Is("constructor_invocation"))
}
