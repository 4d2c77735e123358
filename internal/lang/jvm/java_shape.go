package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaShape ignores the differences that google-java-format makes.
var javaShape = &core.Shape{
	Transparent: core.SetOf("modifiers", "parenthesized_expression", "inferred_parameters", "enum_body_declarations"),
	Strings:     core.SetOf("string_literal"),
	Through:     javaThrough,
	Special:     javaSpecial,
}

// javaThrough reports whether n is a sum that is merged with its parent: in a + b + c
// the inner sum groups nothing, and "a" + "b" is "ab".
func javaThrough(n syntax.Node) bool {
	if !isSum(n) {
		return false
	}
	place, around := outsideBrackets(n)
	return isSum(around) && place == "left" || onlyLiterals(n)
}

func javaSpecial(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "string_literal":
		return javaString(n)
	case "+": // drop it between merged literals
		sum := n.Parent()
		return isSum(sum) && isLiteral(sum.Field("right")) && isLiteral(operandBefore(sum.Field("right"))), ""
	case "[": // int[] differs from int[][]
		if n.Parent().Is("dimensions") {
			return false, "["
		}
	case ";": // for (x;;) differs from for (;;x)
		if n.Parent().Is("for_statement") {
			return false, ";"
		}
	}
	if !n.Named() && n.Parent().Is("modifiers") {
		return javaKeywords(n)
	}
	return false, ""
}

// javaKeywords hashes all modifiers in alphabetical order at the position of the first.
func javaKeywords(n syntax.Node) (drop bool, as string) {
	var all []string
	for c := range n.Parent().Children() {
		if c.Named() {
			continue
		}
		if len(all) == 0 && c != n {
			return true, ""
		}
		all = append(all, c.Text())
	}
	slices.Sort(all)
	return false, strings.Join(all, " ")
}

// javaString hashes a text block without its incidental indentation, and adjacent
// literals of a sum as one.
func javaString(n syntax.Node) (drop bool, as string) {
	if isTextBlock(n) {
		return false, `"""` + stripIndent(n.Text())
	}
	if isLiteral(operandBefore(n)) {
		return true, ""
	}
	next := operandAfter(n)
	if !isLiteral(next) {
		return false, ""
	}
	var b strings.Builder
	for l := n; isLiteral(l); l = operandAfter(l) {
		b.WriteString(strings.TrimPrefix(core.StringContent(l), "'"))
	}
	return false, "''" + b.String()
}

func isTextBlock(n syntax.Node) bool { return strings.HasPrefix(n.Text(), `"""`) }

// isLiteral reports whether n is a string literal that may be merged with another one.
func isLiteral(n syntax.Node) bool { return n.Is("string_literal") && !isTextBlock(n) }

func isSum(n syntax.Node) bool {
	return n.Is("binary_expression") && n.Field("operator").TextIs("+")
}

// outsideBrackets returns the parent of n and the field of n in it, skipping redundant
// parentheses.
func outsideBrackets(n syntax.Node) (field string, around syntax.Node) {
	field, around = n.FieldName(), n.Parent()
	for around.Is("parenthesized_expression") {
		field, around = around.FieldName(), around.Parent()
	}
	return field, around
}

// operandBefore returns the operand before n in a sum.
func operandBefore(n syntax.Node) syntax.Node {
	sum := n.Parent()
	if !isSum(sum) || n.FieldName() != "right" {
		return syntax.Node{}
	}
	left := sum.Field("left")
	for left.Is("parenthesized_expression") {
		left = left.First()
	}
	if isSum(left) {
		return left.Field("right")
	}
	return left
}

// operandAfter returns the operand after n in a sum.
func operandAfter(n syntax.Node) syntax.Node {
	sum := n.Parent()
	if !isSum(sum) {
		return syntax.Node{}
	}
	if n.FieldName() == "left" {
		return sum.Field("right")
	}
	place, around := outsideBrackets(sum)
	if place != "left" || !isSum(around) {
		return syntax.Node{}
	}
	return around.Field("right")
}

// onlyLiterals reports whether a sum consists of string literals.
func onlyLiterals(n syntax.Node) bool {
	for isSum(n) {
		if !isLiteral(n.Field("right")) {
			return false
		}
		n = n.Field("left")
		for n.Is("parenthesized_expression") {
			n = n.First()
		}
	}
	return isLiteral(n)
}

// stripIndent returns the content of a text block without the common indentation of its
// lines, including the line of the closing quotes (JLS 3.10.6).
func stripIndent(text string) string {
	rows := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")[1:]
	least := -1
	for _, row := range rows {
		body := strings.TrimLeft(row, " \t")
		if body != "" && (least < 0 || len(row)-len(body) < least) {
			least = len(row) - len(body)
		}
	}
	for i, row := range rows {
		rows[i] = strings.TrimRight(row[min(max(least, 0), len(row)):], " \t")
	}
	return strings.Join(rows, "\n")
}
