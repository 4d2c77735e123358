package python

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// newShape ignores the differences that black and ruff format make.
func newShape() *core.Shape {
	s := &core.Shape{
		Transparent: core.SetOf("parenthesized_expression", "type", "case_pattern", "elif_clause"),
		Drop:        core.SetOf("line_continuation", "pass_statement"),
		Alias: map[string]string{
			"expression_list": "tuple", "pattern_list": "tuple", "tuple_pattern": "tuple",
			"generic_type": "subscript", "union_type": "binary_operator", "member_type": "attribute", "splat_type": "list_splat",
		},
		Through: onlyGroups,
	}
	s.Special = func(n syntax.Node) (drop bool, as string) { return specialForm(s, n) }
	return s
}

// specialForm normalizes literals and drops documentation.
func specialForm(s *core.Shape, n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "expression_statement":
		_, doc := statementDoc(n)
		return doc, ""
	case "argument_list": // class A() is class A
		return n.Parent().Is("class_definition") && !n.First().Ok(), ""
	case "string", "concatenated_string":
		return false, canonicalString(s, n)
	case "integer", "float":
		return false, canonicalNumber(n.Text())
	case "type_parameter":
		if declaresTypes(n) && strings.Contains(n.Text(), "=") {
			return false, tightText(n.Text()) // the parser did not see the defaults: see repair
		}
	case ":", ",", ".", "elif", "not in", "is not":
		return token(n)
	}
	return false, ""
}

// token returns the hash rules of single tokens.
func token(n syntax.Node) (drop bool, as string) {
	p := n.Parent()
	switch n.Kind() {
	case ":": // x[1:2:] is x[1:2]
		return p.Is("slice") && n.After() == p.After() && p.Child(":") != n, ""
	case ",": // x[1,] is not x[1]
		if elements(p) == 1 {
			return false, "tuple"
		}
	case "elif": // an else with an if inside: see onlyGroups
		return false, "else\x00:\x00if"
	case ".", "not in", "is not": // ignore white space in or around them
		return false, n.Kind()
	}
	return false, ""
}

// onlyGroups reports whether n only groups its children.
func onlyGroups(n syntax.Node) bool {
	p := n.Parent()
	switch n.Kind() {
	case "argument_list": // f((x for x in y)) is f(x for x in y)
		return n.First().Is("generator_expression") && !n.Has(",")
	case "type_parameter":
		return p.Is("generic_type")
	case "tuple_pattern":
		return groupsPattern(n, p)
	case "tuple":
		return groupsTuple(n, p)
	case "else_clause":
		return onlyIf(n)
	case "block":
		return onlyIf(p)
	case "if_statement":
		return p.Is("block") && onlyIf(p.Parent())
	case "binary_operator", "union_type":
		return groupsOperator(n, p)
	}
	return false
}

// groupsPattern reports whether n is (a) in (a) = 1, or (a, b) in case (a, b):, which
// equals case a, b:.
func groupsPattern(n, p syntax.Node) bool {
	if !n.Has(",") {
		return n.First().Ok()
	}
	clause := p.Parent()
	return p.Is("case_pattern") && clause.Is("case_clause") && !clause.Has(",") && several(n)
}

// groupsTuple reports whether the brackets of tuple n are redundant: x[(a, b)] is x[a,
// b], and except (A, B): is except A, B:.
func groupsTuple(n, p syntax.Node) bool {
	if p.Is("type") {
		p = p.Parent()
		if !p.Is("type_parameter") || !p.Parent().Is("generic_type") {
			return false
		}
	}
	return p.Is("subscript", "type_parameter", "except_clause", "except_group_clause", "match_statement", "expression_statement") &&
		n.FieldName() != "value" && !p.Has(",") && several(n)
}

// groupsOperator reports whether n is a nested a | b, which the grammar nests in two
// ways, or the commas of except A, B:, which are rewritten as operators.
func groupsOperator(n, p syntax.Node) bool {
	if n.Field("operator").TextIs(",") {
		return true
	}
	for p.Is("type", "parenthesized_expression") {
		p = p.Parent()
	}
	return isUnion(n) && isUnion(p)
}

// onlyIf reports whether n is the else of an if and contains only another if.
func onlyIf(n syntax.Node) bool {
	if !n.Is("else_clause") || !n.Parent().Is("if_statement") {
		return false
	}
	body := n.Field("body")
	return body.First().Is("if_statement") && !several(body)
}

// isUnion reports whether n is a | b.
func isUnion(n syntax.Node) bool {
	return n.Is("union_type") || n.Is("binary_operator") && n.Field("operator").TextIs("|")
}

// elements returns the number of elements, up to two, of a node that a single trailing
// comma makes a tuple. It returns 0 for other nodes.
func elements(n syntax.Node) int {
	if !n.Is("subscript", "match_statement", "case_clause", "type_parameter") || declaresTypes(n) {
		return 0
	}
	count := 0
	for c := range n.NamedSeq() {
		if f := c.FieldName(); f == "subscript" || f == "subject" || c.Is("case_pattern", "type") {
			count++
		}
		if count > 1 {
			break
		}
	}
	return count
}

// several reports whether n has more than one element.
func several(n syntax.Node) bool {
	count := 0
	for c := range n.NamedSeq() {
		if !c.Is("line_continuation") {
			count++
		}
		if count > 1 {
			return true
		}
	}
	return false
}

// declaresTypes reports whether n is the type parameter list of a declaration.
func declaresTypes(n syntax.Node) bool {
	p := n.Parent()
	if p.Is("generic_type") { // type A[T] = ...
		return p.Parent().Parent().Is("type_alias_statement")
	}
	return p.Is("function_definition", "class_definition")
}

// tightText returns text without the white space that separates nothing.
func tightText(text string) string {
	var b strings.Builder
	text = strings.ReplaceAll(srctext.OneLine(text), "'", `"`)
	for i, c := range text {
		if c == ' ' && (strings.IndexByte("=,[]():*|", text[i-1]) >= 0 || strings.IndexByte("=,[]():*|", text[i+1]) >= 0) {
			continue
		}
		b.WriteRune(c)
	}
	return strings.ReplaceAll(b.String(), ",]", "]")
}

// longNumber is the length from which a number is compared as written, because parsing
// takes quadratic time.
const longNumber = 400

// canonicalNumber returns the canonical spelling of a number literal.
func canonicalNumber(text string) string {
	text = strings.ReplaceAll(strings.ToLower(text), "_", "")
	digits, imaginary := strings.CutSuffix(text, "j")
	if len(digits) > longNumber {
		return text
	}
	if i, ok := new(big.Int).SetString(digits, 0); ok && !imaginary {
		return i.String()
	}
	v, err := strconv.ParseFloat(digits, 64)
	switch {
	case err != nil:
		return text
	case imaginary:
		return strconv.FormatFloat(v, 'g', -1, 64) + "j"
	}
	return "f" + strconv.FormatFloat(v, 'g', -1, 64) // 1.0 differs from 1
}
