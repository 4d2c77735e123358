package lang

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// swiftShape makes what swift-format may change invisible.
var swiftShape = &shape{
	transparent: setOf("modifiers", "type_modifiers", "attribute_modifiers"),
	through:     swiftThrough,
	special:     swiftSpecial,
}

// swiftThrough tells brackets around one expression, which group it as the tree
// says already.
func swiftThrough(n syntax.Node) bool {
	if !n.Is("tuple_expression") {
		return false
	}
	count := 0
	for c := range n.Children() {
		if c.FieldName() == "name" || c.Is(",") {
			return false
		}
		if c.Named() && !isComment(c.Kind()) {
			count++
		}
	}
	return count == 1
}

func swiftSpecial(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "line_str_text", "raw_str_part", "raw_str_end_part", "str_escaped_char":
		return false, "'" + n.Text()
	case "multi_line_str_text":
		return false, "'" + withoutIndent(n)
	case "directive":
		return false, words(n.Text())
	}
	if n.Parent().Is("modifiers") && !n.Is("attribute") {
		return swiftWords(n)
	}
	return false, ""
}

// swiftWords hashes modifiers in the order of the alphabet: all of them in the
// place of the first.
func swiftWords(n syntax.Node) (drop bool, as string) {
	var all []string
	for c := range n.Parent().Children() {
		if c.Is("attribute") || isComment(c.Kind()) {
			continue
		}
		if len(all) == 0 && c != n {
			return true, ""
		}
		all = append(all, words(c.Text()))
	}
	slices.Sort(all)
	return false, strings.Join(all, " ")
}

// withoutIndent is a piece of a literal of several lines without the white space
// that the line of its closing quotes begins with.
func withoutIndent(n syntax.Node) string {
	literal := n.Parent().Text()
	last := literal[strings.LastIndexByte(literal, '\n')+1:]
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	text := strings.ReplaceAll(n.Text(), "\r\n", "\n")
	return strings.ReplaceAll(text, "\n"+indent, "\n")
}
