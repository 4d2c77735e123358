package rust

import (
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// shape ignores the differences that rustfmt makes.
var shape = &core.Shape{
	Through: through,
	Special: special,
}

// through reports whether n only groups: parentheses around an expression, braces
// around the one expression of a match arm or closure, or the statement around an
// expression whose value a semicolon cannot drop.
func through(n syntax.Node) bool {
	switch n.Kind() {
	case "parenthesized_expression": // (a.f)() calls a field, a.f() a method
		return n.FieldName() != "function" || !n.First().Is("field_expression")
	case "or_pattern":
		return n.Parent().Is("or_pattern") || len(alternatives(n)) == 1
	case "block":
		return isArmBlock(n)
	case "token_tree":
		return isArmTokens(n)
	case "expression_statement":
		return !n.Has(";") || n.First().Is("return_expression", "break_expression", "continue_expression")
	}
	return false
}

// alternatives returns the alternatives of an or-pattern.
func alternatives(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.Children() {
		if !c.Is("|") && !syntax.IsComment(c.Kind()) {
			out = append(out, c)
		}
	}
	return out
}

// isArmBlock reports whether n is a block that rustfmt adds or removes: the value of a
// match arm, the body of a closure, or a block that is the only content of one of
// these.
func isArmBlock(n syntax.Node) bool {
	for range core.MaxNesting {
		if !n.Is("block") || !isOneExpression(syntax.NamedChildren(n)) {
			return false
		}
		around := n.Parent()
		if around.Is("expression_statement") && through(around) {
			around = around.Parent()
		}
		switch around.Kind() {
		case "match_arm":
			return n.FieldName() == "value"
		case "closure_expression":
			return n.FieldName() == "body" && !around.Field("return_type").Ok()
		}
		n = around
	}
	return false
}

// isOneExpression reports whether the content of a block is only its value.
func isOneExpression(list []syntax.Node) bool {
	if len(list) != 1 {
		return false
	}
	last := list[0]
	switch last.Kind() {
	case "expression_statement":
		return through(last)
	case "let_declaration", "empty_statement", "ERROR":
		return false
	}
	return !isItem(last)
}

// isItem reports whether n is a declaration.
func isItem(n syntax.Node) bool {
	return strings.HasSuffix(n.Kind(), "_item") || n.Is("use_declaration", "extern_crate_declaration", "macro_definition")
}

func special(n syntax.Node) (drop bool, as string) {
	if isTokens(n.Parent()) && !n.Named() {
		return token(n)
	}
	switch n.Kind() {
	case "string_literal", "raw_string_literal", "char_literal":
		return false, stringText(n)
	case ",", ";":
		return false, separator(n)
	case "|": // | A | B is A | B
		return n.Parent().Is("or_pattern") && !n.Previous().Ok(), ""
	case "empty_statement":
		return !dropsValue(n), ";"
	case "extern_modifier": // extern is extern "C"
		return false, "extern " + cmp.Or(n.Child("string_literal").Text(), `"C"`)
	case "visibility_modifier":
		return false, visibilityText(n)
	case "attribute_item", "use_declaration", "mod_item", "extern_crate_declaration":
		return orderedAs(n)
	}
	return false, ""
}

// separator returns the separators that are significant: (T,) differs from (T), and
// [x; 2] from [x, 2].
func separator(n syntax.Node) string {
	around := n.Parent()
	if n.Is(";") && around.Is("array_expression", "array_type") ||
		n.Is(",") && around.Is("tuple_type", "tuple_pattern") && len(syntax.NamedChildren(around)) == 1 {
		return n.Text()
	}
	return ""
}

// stringText returns a literal as written, without the blanks that begin a line after a
// backslash, which are not part of the value.
func stringText(n syntax.Node) string {
	text := strings.ReplaceAll(n.Text(), "\r\n", "\n")
	if !n.Is("string_literal") {
		return text
	}
	rows := strings.Split(text, "\\\n")
	for i, row := range rows[1:] {
		rows[i+1] = strings.TrimLeft(row, " \t\n")
	}
	return strings.Join(rows, "")
}

// visibilityText returns the shortest form of a visibility: pub(in crate) is
// pub(crate).
func visibilityText(n syntax.Node) string {
	text := n.Text()
	if text == "" || text == "pub" {
		return text
	}
	text = strings.Join(strings.Fields(text), " ")
	text = strings.NewReplacer("( ", "(", " )", ")", "pub (", "pub(").Replace(text)
	for _, word := range []string{"crate", "self", "super"} {
		if text == "pub(in "+word+")" {
			return "pub(" + word + ")"
		}
	}
	return text
}

// dropsValue reports whether n is the semicolon that makes the value of a block ().
func dropsValue(n syntax.Node) bool {
	last := n.Next()
	for syntax.IsComment(last.Kind()) {
		last = last.Next()
	}
	if !last.Is("}") {
		return false
	}
	before := n.Previous()
	for syntax.IsComment(before.Kind()) || before.Is("empty_statement") {
		before = before.Previous()
	}
	return before.Is("expression_statement") && !before.Has(";") &&
		!before.First().Is("loop_expression", "while_expression", "for_expression")
}

// orderedAs hashes adjacent use, mod and extern crate declarations, which rustfmt
// sorts, in alphabetical order at the position of the first one. Attributes belong to
// the declaration they are on.
func orderedAs(n syntax.Node) (drop bool, as string) {
	item := n
	for item.Is("attribute_item") || syntax.IsComment(item.Kind()) {
		item = item.Next()
	}
	if !isOrdered(item) {
		return false, derives(n)
	}
	for p := orderedBefore(item); p.Ok(); p = orderedBefore(p) {
		if isHashed(p) {
			return true, "" // hashed at the position of p
		}
	}
	if n != firstAttribute(item) {
		return true, ""
	}
	return false, strings.Join(orderedFrom(item), "\x01")
}

// derives returns a derive attribute in a form that can be merged with adjacent ones,
// as by rustfmt: #[derive(A)] #[derive(B)] is #[derive(A, B)].
func derives(n syntax.Node) string {
	a := n.Child("attribute")
	if !n.Is("attribute_item") || !a.First().TextIs("derive") {
		return ""
	}
	var b strings.Builder
	path := ""
	for c := range a.Field("arguments").Children() {
		switch text := c.Text(); text {
		case "(", ")", ",":
			if path != "" {
				b.WriteString("#derive " + path + "\x00")
			}
			path = ""
		default:
			path += text
		}
	}
	return strings.TrimSuffix(b.String(), "\x00")
}
