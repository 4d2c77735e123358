package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// cShape makes what clang-format may change invisible.
var cShape = &core.Shape{
	Transparent: core.SetOf("parenthesized_declarator", "abstract_parenthesized_declarator", "concatenated_string"),
	Numbers:     core.SetOf("number_literal"),
	Through:     cThrough,
	Special:     cSpecial,
}

// cThrough tells brackets that only group: those of a macro's argument, and those
// that decltype reads ([dcl.type.decltype]), say more. The braces around the one
// statement of a branch or a loop only group as well.
func cThrough(n syntax.Node) bool {
	switch n.Kind() {
	case "parenthesized_expression":
		return !n.Parent().Is("argument_list", "decltype", "return_statement")
	case "compound_statement":
		return n.Parent().Is("if_statement", "else_clause", "while_statement", "for_statement", "for_range_loop", "do_statement") && oneStatement(n)
	}
	return false
}

func oneStatement(n syntax.Node) bool {
	count := 0
	for c := range n.Inner() {
		if c.Is("declaration", "ERROR") || strings.HasPrefix(c.Kind(), "preproc_") {
			return false
		}
		count++
	}
	return count == 1
}

func cSpecial(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "string_literal", "raw_string_literal", "char_literal", "system_lib_string":
		if n.Parent().Is("concatenated_string") {
			return adjoining(n)
		}
		return false, n.Text()
	case "preproc_arg": // all tokens of a macro's value
		text := macroText(n.Text())
		return text == "", text
	case "operator_name":
		return false, operatorName(n.Text())
	case "number_literal":
		return false, core.CanonicalNumber(strings.ReplaceAll(n.Text(), "'", ""))
	case "[": // delete[] is not delete
		if n.Parent().Is("delete_expression") {
			return false, "["
		}
	case ";": // for (x;;) is not for (;;x)
		if n.Parent().Is("for_statement") {
			return false, ";"
		}
	}
	return false, ""
}

// adjoining hashes string literals that stand side by side as one
// ([lex.string] 5.13.5): the first of them stands for all.
func adjoining(n syntax.Node) (drop bool, as string) {
	if plainCString(n) && plainCString(literalBefore(n)) {
		return true, ""
	}
	text := n.Text()
	if !plainCString(n) {
		return false, text
	}
	next := literalAfter(n)
	if !plainCString(next) {
		return false, text
	}
	var all strings.Builder
	for ; plainCString(next); next = literalAfter(next) {
		all.WriteString(strings.TrimSuffix(text, `"`))
		text = strings.TrimPrefix(next.Text(), `"`)
	}
	return false, all.String() + text
}

// plainCString tells a string without a prefix whose end cannot go on in the next:
// "\x1" "2" is not "\x12".
func plainCString(n syntax.Node) bool {
	text := n.Text()
	return n.Is("string_literal") && strings.HasPrefix(text, `"`) && !strings.Contains(text[max(0, len(text)-5):], `\`)
}

func literalBefore(n syntax.Node) syntax.Node {
	p := n.Previous()
	for core.IsComment(p.Kind()) {
		p = p.Previous()
	}
	return p
}

func literalAfter(n syntax.Node) syntax.Node {
	p := n.Next()
	for core.IsComment(p.Kind()) {
		p = p.Next()
	}
	return p
}

// macroText returns the tokens of a macro's value, one blank apart where any stands
// between them.
func macroText(value string) string {
	var b strings.Builder
	last := 0
	for _, t := range repair.Tokens([]byte(value), true) {
		if last > 0 && t.Start > last {
			b.WriteByte(' ')
		}
		b.WriteString(core.OneLine(value[t.Start:t.End]))
		last = t.End
	}
	return b.String()
}
