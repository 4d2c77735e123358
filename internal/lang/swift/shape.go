package swift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// shape ignores the differences that swift-format makes.
var shape = &core.Shape{
	// An operator expression is hashed as its operands and operators in order, with the
	// written parentheses.
	Transparent: core.SetOf(
		"modifiers", "type_modifiers", "multiplicative_expression", "additive_expression", "range_expression", "infix_expression",
		"nil_coalescing_expression", "equality_expression", "comparison_expression", "conjunction_expression", "disjunction_expression",
		"bitwise_operation", "prefix_expression", "postfix_expression", "custom_operator",
	),
	Through: through,
	Special: special,
}

// through reports whether n is redundant parentheses around a whole condition or
// result.
func through(n syntax.Node) bool {
	around := n.Parent()
	if !n.Is("tuple_expression") || !around.Is("if_statement", "guard_statement", "while_statement", "repeat_while_statement", "switch_statement", "control_transfer_statement") {
		return false
	}
	count := 0
	for c := range n.Children() {
		if c.FieldName() == "name" || c.Is(",") {
			return false
		}
		if c.Named() && !syntax.IsComment(c.Kind()) {
			count++
		}
	}
	return count == 1
}

func special(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "line_str_text", "raw_str_part", "raw_str_end_part", "str_escaped_char":
		return false, "'" + n.Text()
	case "multi_line_str_text":
		return false, "'" + withoutIndent(n)
	case "directive":
		return false, srctext.OneLine(n.Text())
	case "(", ")": // drop grouping parentheses; others belong to the structure
		if n.Parent().Is("tuple_expression") && !through(n.Parent()) {
			return false, n.Kind()
		}
	}
	if n.Parent().Is("modifiers") && !n.Is("attribute") {
		return modifiersAs(n)
	}
	return false, ""
}

// modifiersAs hashes all modifiers in alphabetical order at the position of the first.
func modifiersAs(n syntax.Node) (drop bool, as string) {
	var all []string
	for c := range n.Parent().Children() {
		if c.Is("attribute") || syntax.IsComment(c.Kind()) {
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

// withoutIndent returns a part of a multi-line literal without the indentation of its
// closing quotes.
func withoutIndent(n syntax.Node) string {
	literal := n.Parent().Text()
	last := literal[strings.LastIndexByte(literal, '\n')+1:]
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	text := strings.ReplaceAll(n.Text(), "\r\n", "\n")
	return strings.ReplaceAll(text, "\n"+indent, "\n")
}
