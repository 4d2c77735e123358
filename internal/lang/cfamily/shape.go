package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// shape makes hashes independent of changes that clang-format makes.
var shape = &core.Shape{
	Transparent: core.SetOf("parenthesized_declarator", "abstract_parenthesized_declarator", "concatenated_string"),
	Numbers:     core.SetOf("number_literal"),
	Through:     through,
	Special:     special,
}

// through reports whether n only groups. Parentheses do, except those of a macro's argument
// and of decltype ([dcl.type.decltype]), and so do braces around a single statement of a
// branch or a loop.
func through(n syntax.Node) bool {
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
	for c := range n.NamedSeq() {
		if c.Is("declaration", "ERROR") || strings.HasPrefix(c.Kind(), "preproc_") {
			return false
		}
		count++
	}
	return count == 1
}

func special(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "string_literal", "raw_string_literal", "char_literal", "system_lib_string":
		if n.Parent().Is("concatenated_string") {
			return adjoining(n)
		}
		return false, n.Text()
	case "preproc_arg": // all tokens of a macro's replacement
		text := macroText(n.Text())
		return text == "", text
	case "operator_name":
		return false, operatorName(n.Text())
	case "number_literal":
		return false, srctext.CanonicalNumber(strings.ReplaceAll(n.Text(), "'", ""))
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

// adjoining hashes adjacent string literals as one ([lex.string] 5.13.5), at the place of the
// first.
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

// plainCString reports whether a string has no prefix and no escape at its end that could
// continue in the next string: "\x1" "2" is not "\x12".
func plainCString(n syntax.Node) bool {
	text := n.Text()
	return n.Is("string_literal") && strings.HasPrefix(text, `"`) && !strings.Contains(text[max(0, len(text)-5):], `\`)
}

func literalBefore(n syntax.Node) syntax.Node {
	p := n.Previous()
	for syntax.IsComment(p.Kind()) {
		p = p.Previous()
	}
	return p
}

func literalAfter(n syntax.Node) syntax.Node {
	p := n.Next()
	for syntax.IsComment(p.Kind()) {
		p = p.Next()
	}
	return p
}

// macroText returns the tokens of a macro's replacement with each white space replaced by one
// space.
func macroText(value string) string {
	var b strings.Builder
	last := 0
	for _, t := range repair.Tokens([]byte(value), true) {
		if last > 0 && t.Start > last {
			b.WriteByte(' ')
		}
		b.WriteString(srctext.OneLine(value[t.Start:t.End]))
		last = t.End
	}
	return b.String()
}
