// Package ecma reads JavaScript, TypeScript and TSX with tree-sitter. The languages are
// [JavaScript], [TypeScript] and [TSX]; package repair rewrites text that the grammars
// misparse. [Read] is also used for the scripts of components (package embedded).
package ecma

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/ecma/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// TypeScript is TypeScript without JSX.
var TypeScript = &core.Language{
	Name: "typescript", Extensions: []string{".ts", ".mts", ".cts"},
	Grammar: syntax.TypeScript, Shape: shape, Imports: imports,
	Read: Read, Call: callSite, Tests: tests, TestPath: IsTest, Repair: repair.Rewrite, Facts: factRules,
	Bodies: bodyRules, Steps: steps, Types: typeRules,
}

// TSX is TypeScript with JSX, in which <T>x is not a cast.
var TSX = &core.Language{
	Name: "typescript", Extensions: []string{".tsx"},
	Grammar: syntax.TSX, Shape: shape, Imports: imports,
	Read: Read, Call: callSite, Tests: tests, TestPath: IsTest, Repair: repair.Rewrite, Facts: factRules,
	Bodies: bodyRules, Steps: steps, Types: typeRules,
}

// JavaScript is JavaScript with JSX.
var JavaScript = &core.Language{
	Name: "javascript", Extensions: []string{".js", ".mjs", ".cjs", ".jsx"},
	Grammar: syntax.JavaScript, Shape: shape, Imports: imports,
	Read: Read, Call: callSite, Tests: tests, TestPath: IsTest, Facts: factRules,
	Bodies: bodyRules, Steps: steps,
}

var imports = []string{"import_statement"}

// shape makes hashes independent of changes that prettier makes.
var shape = &core.Shape{
	Transparent: core.SetOf("parenthesized_expression", "parenthesized_type", "required_parameter"),
	Flat:        core.SetOf("union_type", "intersection_type"),
	Drop:        core.SetOf("empty_statement"),
	Strings:     core.SetOf("string"),
	Numbers:     core.SetOf("number"),
	Special:     special,
}

func special(n syntax.Node) (drop bool, as string) {
	switch n.Kind() {
	case "arguments": // new Foo is equivalent to new Foo()
		return n.Parent().Is("new_expression") && len(syntax.NamedChildren(n)) == 0, ""
	case "string": // {"a": 1} is equivalent to {a: 1}
		if f := n.FieldName(); f == "key" || f == "name" {
			if text := strings.Trim(n.Text(), `'"`); plainKey(text) {
				return false, text
			}
		}
	case "identifier": // x => x is equivalent to (x) => x
		if n.FieldName() == "parameter" && n.Parent().Is("arrow_function") {
			return false, "(formal_parameters\x00" + n.Text() + "\x00)"
		}
	case "regex_flags": // /x/ig is equivalent to /x/gi
		flags := []byte(n.Text())
		slices.Sort(flags)
		return false, string(flags)
	case "jsx_text":
		text := srctext.OneLine(n.Text())
		return text == "", text
	case "jsx_expression": // {" "} is a space at the end of a line
		return srctext.OneLine(n.Text()) == `{" "}`, ""
	}
	return false, ""
}

func plainKey(text string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool {
		return c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) < 0
}

// IsTest reports whether a path matches the default patterns of jest, vitest, mocha and
// node:test.
func IsTest(file string) bool {
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
