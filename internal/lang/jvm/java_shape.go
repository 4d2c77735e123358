package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaShape makes what google-java-format may change invisible.
var javaShape = &core.Shape{
	Transparent: core.SetOf("modifiers", "parenthesized_expression", "inferred_parameters", "enum_body_declarations"),
	Strings:     core.SetOf("string_literal"),
	Through:     javaThrough,
	Special:     javaSpecial,
}

// javaThrough tells the sums that are one with what stands around them: in
// a + b + c the inner sum groups nothing, and "a" + "b" is "ab".
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
	case "+": // between literals that are one
		sum := n.Parent()
		return isSum(sum) && isLiteral(sum.Field("right")) && isLiteral(operandBefore(sum.Field("right"))), ""
	case "[": // int[] is not int[][]
		if n.Parent().Is("dimensions") {
			return false, "["
		}
	case ";": // for (x;;) is not for (;;x)
		if n.Parent().Is("for_statement") {
			return false, ";"
		}
	}
	if !n.Named() && n.Parent().Is("modifiers") {
		return javaKeywords(n)
	}
	return false, ""
}

// javaKeywords hashes modifiers in the order of the alphabet: all of them in
// the place of the first.
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

// javaString hashes a text block without the indentation that is not part of
// it, and the literals of a sum that stand side by side as one.
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

// isLiteral tells a string literal that may be joined with another one.
func isLiteral(n syntax.Node) bool { return n.Is("string_literal") && !isTextBlock(n) }

func isSum(n syntax.Node) bool {
	return n.Is("binary_expression") && n.Field("operator").Says("+")
}

// outsideBrackets returns the node around n and the field n has in it,
// redundant brackets left out.
func outsideBrackets(n syntax.Node) (field string, around syntax.Node) {
	field, around = n.FieldName(), n.Parent()
	for around.Is("parenthesized_expression") {
		field, around = around.FieldName(), around.Parent()
	}
	return field, around
}

// operandBefore returns the operand that stands before n in a sum.
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

// operandAfter returns the operand that stands after n in a sum.
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

// onlyLiterals tells a sum of string literals and nothing else.
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

// stripIndent returns the content of a text block without the blanks that all
// its lines start with, the line of the closing quotes counting (JLS 3.10.6).
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
