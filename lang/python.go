package lang

import (
	"math/big"
	"path"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

var python = &Language{
	Name: "python", Extensions: []string{".py", ".pyi", ".pyw"},
	grammar: syntax.Python, shape: newPythonShape(),
	imports: []string{"import_statement", "import_from_statement", "future_import_statement"},
	doc:     pythonDoc, repair: repairPython,
	read: readPython, call: pythonCall, tests: pythonTests, isTest: isPythonTest,
}

// newPythonShape makes what black and ruff format may change invisible.
func newPythonShape() *shape {
	s := &shape{
		transparent: setOf("parenthesized_expression", "type", "case_pattern", "elif_clause"),
		drop:        setOf("line_continuation", "pass_statement"),
		alias: map[string]string{
			"expression_list": "tuple", "pattern_list": "tuple", "tuple_pattern": "tuple",
			"generic_type": "subscript", "union_type": "binary_operator", "member_type": "attribute", "splat_type": "list_splat",
		},
		through: pythonGroups,
	}
	s.special = func(n syntax.Node) (drop bool, as string) { return pythonSpecial(s, n) }
	return s
}

// pythonSpecial writes literals, and drops what documents or says nothing.
func pythonSpecial(s *shape, n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "expression_statement":
		_, doc := pythonDoc(n)
		return doc, ""
	case "argument_list": // class A() is class A
		return n.Parent().Is("class_definition") && !n.First().Ok(), ""
	case "string", "concatenated_string":
		return false, pythonLiteral(s, n)
	case "integer", "float":
		return false, pythonNumber(n.Text())
	case "elif": // elif is else with an if in it: see pythonGroups
		return false, "else\x00:\x00if"
	case ":": // x[1:2:] is x[1:2]
		return n.Parent().Is("slice") && n.After() == n.Parent().After() && tokens(n.Parent(), ":") == 2, ""
	case "not in", "is not": // white space in them does not count
		return false, n.Kind()
	case ",": // x[1,] is not x[1]
		if elements(n.Parent()) == 1 {
			return false, "tuple"
		}
	case "type_parameter":
		if text := n.Text(); declaresTypes(n) && strings.Contains(text, "=") {
			return false, tightText(text) // the grammar does not know defaults: see repairPython
		}
	}
	return false, ""
}

// pythonGroups tells the nodes that only group, by what is in or around them.
func pythonGroups(n syntax.Node) bool {
	p := n.Parent()
	switch n.Kind() {
	case "argument_list": // f((x for x in y)) is f(x for x in y)
		return n.First().Is("generator_expression") && commas(n) == 0
	case "type_parameter":
		return p.Is("generic_type")
	case "tuple_pattern":
		if commas(n) == 0 { // (a) = 1
			return n.First().Ok()
		}
		clause := p.Parent() // case (a, b): is case a, b:
		return p.Is("case_pattern") && clause.Is("case_clause") && commas(clause) == 0 && several(n)
	case "tuple":
		if p.Is("type") { // Dict[(a, b)] is Dict[a, b]
			p = p.Parent()
		}
		if p.Is("type_parameter") && !p.Parent().Is("generic_type") {
			return false
		}
		return p.Is("subscript", "type_parameter", "except_clause", "except_group_clause", "match_statement", "expression_statement") &&
			n.FieldName() != "value" && commas(p) == 0 && several(n)
	case "else_clause":
		return onlyIf(n)
	case "block":
		return onlyIf(p)
	case "if_statement":
		return p.Is("block") && onlyIf(p.Parent())
	case "binary_operator", "union_type":
		if n.Field("operator").Text() == "," { // except A, B: see repairPython
			return true
		}
		for p.Is("type", "parenthesized_expression") {
			p = p.Parent()
		}
		return isUnion(n) && isUnion(p)
	}
	return false
}

// onlyIf tells an else of if that holds nothing but another if.
func onlyIf(n syntax.Node) bool {
	if !n.Is("else_clause") || !n.Parent().Is("if_statement") {
		return false
	}
	body := n.Field("body")
	return body.First().Is("if_statement") && !several(body)
}

// isUnion tells a | b, which the grammar nests in two ways.
func isUnion(n syntax.Node) bool {
	return n.Is("union_type") || n.Is("binary_operator") && n.Field("operator").Text() == "|"
}

// commas counts the commas right in n.
func commas(n syntax.Node) int { return tokens(n, ",") }

func tokens(n syntax.Node, kind string) int {
	count := 0
	for c := range n.Children() {
		if c.Kind() == kind {
			count++
		}
	}
	return count
}

// elements counts what stands between the commas of a node that a single
// trailing comma makes a tuple; 0 for other nodes.
func elements(n syntax.Node) int {
	count := 0
	for c := range n.Inner() {
		switch n.Kind() {
		case "subscript", "match_statement":
			if f := c.FieldName(); f == "subscript" || f == "subject" {
				count++
			}
		case "case_clause":
			if c.Is("case_pattern") {
				count++
			}
		case "type_parameter":
			if !declaresTypes(n) {
				count++
			}
		default:
			return 0
		}
	}
	return count
}

// several tells whether n has more than one element.
func several(n syntax.Node) bool {
	count := 0
	for c := range n.Inner() {
		if !c.Is("line_continuation") {
			count++
		}
	}
	return count > 1
}

// declaresTypes tells the list of type parameters of a declaration.
func declaresTypes(n syntax.Node) bool {
	p := n.Parent()
	if p.Is("generic_type") { // type A[T] = ...
		return p.Parent().Parent().Is("type_alias_statement")
	}
	return p.Is("function_definition", "class_definition")
}

// tightText is a text without the white space that separates nothing.
func tightText(text string) string {
	var b strings.Builder
	text = strings.ReplaceAll(words(text), "'", `"`)
	for i, c := range text {
		if c == ' ' && (strings.IndexByte("=,[]():*|", text[i-1]) >= 0 || strings.IndexByte("=,[]():*|", text[i+1]) >= 0) {
			continue
		}
		b.WriteRune(c)
	}
	return strings.ReplaceAll(b.String(), ",]", "]")
}

// longNumber is the length from which a number is compared as it is written:
// reading it as a value takes time quadratic in its length.
const longNumber = 400

// pythonNumber returns one spelling of a number literal.
func pythonNumber(text string) string {
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
	return "f" + strconv.FormatFloat(v, 'g', -1, 64) // 1.0 is not 1
}

// isPythonTest follows pytest's and unittest's default patterns, and takes for
// tests what stands in a folder of tests.
func isPythonTest(file string) bool {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if stem == "conftest" || stem == "tests" || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "test" || dir == "tests" {
			return true
		}
	}
	return false
}
