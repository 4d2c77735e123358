package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// options records what n shows about values that users give: fallbacks, literals of named types, object parameters.
func (b *BodyReader) options(n syntax.Node) {
	kind := n.Kind()
	if operators, ok := b.Rules.Fallbacks[kind]; ok {
		b.fallback(n, operators)
	}
	if b.Rules.Flow[kind] == FlowIf && n.Named() && len(b.Rules.Fallbacks) > 0 {
		b.replaced(n)
	}
	if b.Rules.Literal != nil {
		literals, fallbacks := b.Rules.Literal(n)
		for _, l := range literals {
			l.In = b.Enclosing(n.Start())
			b.out.Literals = append(b.out.Literals, l)
		}
		for _, f := range fallbacks {
			f.In = b.Enclosing(n.Start())
			b.out.Fallbacks = append(b.out.Fallbacks, f)
		}
	}
	if b.Rules.Shapes != nil && b.Rules.Flow[kind] == FlowFunction {
		for _, s := range b.Rules.Shapes(n) {
			s.In = b.Enclosing(n.Start())
			b.out.Shapes = append(b.out.Shapes, s)
		}
	}
}

// valueParents are the kinds of nodes whose parts are values, not conditions.
var valueParents = SetOf(
	"variable_declarator", "assignment_expression", "assignment", "augmented_assignment_expression", "pair", "keyword_argument",
	"arguments", "argument_list", "argument", "value_argument", "return_statement", "public_field_definition", "field_definition",
	"spread_element", "property_declaration", "equals_value_clause", "array_element_initializer", "member_expression", "let_declaration",
)

// fallback records a value after one of the operators, which is used where the value before it is missing.
func (b *BodyReader) fallback(n syntax.Node, operators Set) {
	var parts []syntax.Node
	operator := ""
	for c := range n.Children() {
		switch {
		case syntax.IsComment(c.Kind()):
		case c.Named():
			parts = append(parts, c)
		case operators[c.Kind()]:
			operator = c.Kind()
		}
	}
	if operator == "" || len(parts) != 2 {
		return
	}
	at := n.Parent()
	for at.Is("parenthesized_expression") {
		at = at.Parent()
	}
	if isOr := operator == "||" || operator == "or"; isOr && (!valueParents[at.Kind()] || !isDefault(parts[1])) {
		return
	}
	b.missing(parts[0], parts[1])
}

// isDefault reports whether a value after "or" is not a condition.
func isDefault(n syntax.Node) bool {
	switch n.Kind() {
	case "string", "number", "integer", "float", "object", "array", "dictionary", "list", "tuple", "template_string", "new_expression", "null",
		"true", "false", "none":
		return true
	}
	return false
}

// replaced records the value of an if statement that does nothing but replace a missing one: if x is None: x = 1.
func (b *BodyReader) replaced(n syntax.Node) {
	body := n.Field("consequence")
	if !body.Ok() {
		body = n.Field("body")
	}
	if !body.Ok() || n.Field("alternative").Ok() {
		return
	}
	for body.Is("block", "statement_block", "expression_statement") {
		inside := syntax.NamedChildren(body)
		if len(inside) != 1 {
			return
		}
		body = inside[0]
	}
	if !body.Is("assignment", "assignment_expression") {
		return
	}
	of := body.Field("left")
	if of.Ok() && isMissingTest(srctext.Unparenthesised(n.Field("condition").Short()), of.Short()) {
		b.missing(of, body.Field("right"))
	}
}

// isMissingTest reports whether a condition holds if a value is missing.
func isMissingTest(cond, of string) bool {
	rest, ok := strings.CutPrefix(cond, of)
	if !ok {
		return cond == "!"+of || cond == "not "+of || cond == "typeof "+of+" === 'undefined'" || cond == "typeof "+of+` === "undefined"`
	}
	switch strings.TrimSpace(rest) {
	case "is None", "== null", "=== null", "=== undefined", "== undefined", "=== void 0", "== None":
		return true
	}
	return false
}

// missing records the value that is used where another is missing.
func (b *BodyReader) missing(of, value syntax.Node) {
	name, text := srctext.OneLine(of.Short()), ShortDefault(value)
	if name == "" || text == "" || strings.ContainsAny(name, " ([{\"'") {
		return
	}
	name = strings.ReplaceAll(name, "?.", ".")
	b.out.Fallbacks = append(b.out.Fallbacks, code.Fallback{In: b.Enclosing(of.Start()), Of: name, Value: text, Line: value.Line()})
}

// ShortDefault returns a value on one line; "" if it is long or has a body.
func ShortDefault(n syntax.Node) string {
	if !n.Ok() || n.End()-n.Start() > code.MaxDefault {
		return ""
	}
	return srctext.OneLine(n.Text())
}
