package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaShape ignores the differences that scalafmt makes, and whether blocks use braces
// or indentation.
var scalaShape = &core.Shape{
	Transparent: core.SetOf("parenthesized_expression", "indented_block", "colon_argument", "with_template_body", "modifiers"),
	Strings:     core.SetOf("string"),
	Alias:       map[string]string{"indented_cases": "case_block"},
	Through:     scalaThrough,
	Special:     scalaSpecial,
}

// scalaThrough reports whether n groups nothing: a block of one expression, or
// parentheses around the single parameter of a lambda.
func scalaThrough(n syntax.Node) bool {
	switch n.Kind() {
	case "block":
		return onlyExpression(n) || n.Parent().Is("indented_block", "colon_argument")
	case "bindings":
		parts := syntax.NamedChildren(n)
		return len(parts) == 1
	case "binding":
		return len(syntax.NamedChildren(n)) == 1
	}
	return false
}

// onlyExpression reports whether a block contains one expression and no declarations.
func onlyExpression(n syntax.Node) bool {
	parts := syntax.NamedChildren(n)
	return len(parts) == 1 && !strings.HasSuffix(parts[0].Kind(), "_definition") && !strings.HasSuffix(parts[0].Kind(), "_declaration")
}

func scalaSpecial(n syntax.Node) (drop bool, as string) {
	kind := n.Kind()
	switch {
	case !n.Named() && kind != "" && strings.Trim(kind, core.Punctuation) == "":
		return true, "" // inserted for "then", ":" and similar words
	case kind == "then" || kind == "indented_block" && n.Leaf():
		return true, ""
	case kind == "string":
		return scalaText(n)
	case !n.Named() && n.Parent().Is("modifiers"), n.Is("access_modifier", "inline_modifier", "infix_modifier", "open_modifier", "transparent_modifier") && n.Parent().Is("modifiers"):
		return scalaModifierOrder(n)
	}
	return false, ""
}

// scalaText hashes a triple-quoted string differently from a plain one if it contains a
// backslash, which is not an escape there.
func scalaText(n syntax.Node) (drop bool, as string) {
	if text := n.Text(); strings.HasPrefix(text, `"""`) && strings.Contains(text, `\`) {
		return false, `"""` + text
	}
	return false, ""
}

// scalaModifierOrder hashes all modifiers in alphabetical order at the position of the
// first.
func scalaModifierOrder(n syntax.Node) (drop bool, as string) {
	var all []string
	for c := range n.Parent().Children() {
		if syntax.IsComment(c.Kind()) {
			continue
		}
		if len(all) == 0 && c != n {
			return true, ""
		}
		all = append(all, srctext.OneLine(c.Text()))
	}
	slices.Sort(all)
	return false, strings.Join(all, " ")
}
