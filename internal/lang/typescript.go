package lang

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var typescript = &Language{
	Name: "typescript", Extensions: []string{".ts", ".mts", ".cts"},
	grammar: syntax.TypeScript, shape: ecmaShape, imports: ecmaImports,
	read: readEcma, call: ecmaCall, tests: ecmaTests, isTest: isEcmaTest, repair: repairEcma, facts: ecmaFactRules,
	bodies: ecmaBodies, steps: ecmaSteps,
}

// tsx is TypeScript by a grammar that reads JSX; <T>x is no cast in it.
var tsx = &Language{
	Name: "typescript", Extensions: []string{".tsx"},
	grammar: syntax.TSX, shape: ecmaShape, imports: ecmaImports,
	read: readEcma, call: ecmaCall, tests: ecmaTests, isTest: isEcmaTest, repair: repairEcma, facts: ecmaFactRules,
	bodies: ecmaBodies, steps: ecmaSteps,
}

var javascript = &Language{
	Name: "javascript", Extensions: []string{".js", ".mjs", ".cjs", ".jsx"},
	grammar: syntax.JavaScript, shape: ecmaShape, imports: ecmaImports,
	read: readEcma, call: ecmaCall, tests: ecmaTests, isTest: isEcmaTest, facts: ecmaFactRules,
	bodies: ecmaBodies, steps: ecmaSteps,
}

var ecmaImports = []string{"import_statement"}

// ecmaShape makes what prettier may change invisible.
var ecmaShape = &shape{
	transparent: setOf("parenthesized_expression", "parenthesized_type", "required_parameter"),
	flat:        setOf("union_type", "intersection_type"),
	drop:        setOf("empty_statement"),
	strings:     setOf("string"),
	numbers:     setOf("number"),
	special:     ecmaSpecial,
}

func ecmaSpecial(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "arguments": // new Foo is new Foo()
		return n.Parent().Is("new_expression") && len(inner(n)) == 0, ""
	case "string": // {"a": 1} is {a: 1}
		if f := n.FieldName(); f == "key" || f == "name" {
			if text := strings.Trim(n.Text(), `'"`); plainKey(text) {
				return false, text
			}
		}
	case "identifier": // x => x is (x) => x
		if n.FieldName() == "parameter" && n.Parent().Is("arrow_function") {
			return false, "(formal_parameters\x00" + n.Text() + "\x00)"
		}
	case "regex_flags": // /x/ig is /x/gi
		flags := []byte(n.Text())
		slices.Sort(flags)
		return false, string(flags)
	case "jsx_text":
		text := words(n.Text())
		return text == "", text
	case "jsx_expression": // {" "} keeps a blank at a line's end
		return words(n.Text()) == `{" "}`, ""
	}
	return false, ""
}

func plainKey(text string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool {
		return c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) < 0
}

// isEcmaTest follows the default patterns of jest, vitest, mocha and node:test.
func isEcmaTest(file string) bool {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, end := range []string{".test", ".spec", ".test-d", ".bench", "_test", "-test"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "__tests__" || dir == "__mocks__" || dir == "test" || dir == "tests" {
			return true
		}
	}
	return false
}
