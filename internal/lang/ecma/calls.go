package ecma

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func callSite(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "call_expression":
		return target(n.Field("function"), false)
	case "new_expression":
		return target(n.Field("constructor"), true)
	case "jsx_self_closing_element", "jsx_opening_element":
		name := n.Field("name").Text()
		if name == "" || name[0] >= 'a' && name[0] <= 'z' && !strings.Contains(name, ".") {
			return code.Call{}, false // an HTML element
		}
		return target(n.Field("name"), false)
	}
	return code.Call{}, false
}

// target splits a called expression into receiver and name.
func target(f syntax.Node, isNew bool) (code.Call, bool) {
	for f.Is("non_null_expression", "parenthesized_expression", "await_expression") {
		f = f.First()
	}
	switch f.Kind() {
	case "identifier", "super", "property_identifier":
		return code.Call{Name: f.Text(), New: isNew}, true
	case "member_expression", "nested_identifier":
		return code.Call{Name: f.Field("property").Text(), Receiver: core.Receiver(f.Field("object")), New: isNew}, true
	}
	return code.Call{}, false
}

// tests finds the test cases of jest, vitest, mocha, node:test and similar frameworks, and
// dynamic imports. Both are calls.
func tests(r *core.Reader) {
	var groups []core.Span
	for n := range r.Root().Descendants() {
		if !n.Is("call_expression") {
			continue
		}
		dynamicImport(r, n)
		if r.Parts&core.Bare != 0 {
			continue
		}
		kind, title := testCall(n)
		if kind == "" || !r.File.Test {
			continue
		}
		for len(groups) > 0 && groups[len(groups)-1].End <= n.Start() {
			groups = groups[:len(groups)-1]
		}
		full := title
		if len(groups) > 0 {
			full = groups[len(groups)-1].Name + " > " + title
		}
		if kind == "group" {
			groups = append(groups, core.Span{Start: n.Start(), End: n.End(), Name: full})
			continue
		}
		r.File.Tests = append(r.File.Tests, code.Test{Name: full, Line: n.Line(), EndLine: n.EndLine(), Rows: eachRows(n), Runner: "js"})
		groups = append(groups, core.Span{Start: n.Start(), End: n.End(), Name: full}) // with t.test(…) inside
	}
}

// maxTestLinks is the maximum length of a call chain that defines a test.
const maxTestLinks = 16

// testCall returns the kind of a call that defines a test case ("case") or a group of tests
// ("group"), and its title.
func testCall(n syntax.Node) (kind, title string) {
	f := n.Field("function")
	for range maxTestLinks { // it.each(table)("title", …)
		if !f.Is("call_expression") {
			break
		}
		f = f.Field("function")
	}
	name := f
	for range maxTestLinks { // it.only, describe.skip, test.describe
		if !name.Is("member_expression") {
			break
		}
		name = name.Field("object")
	}
	switch name.Short() {
	case "it", "test", "specify":
		kind = "case"
	case "describe", "suite", "context":
		kind = "group"
	default:
		if !isInnerTest(n, f) {
			return "", ""
		}
		kind = "case"
	}
	if f.Ends(".describe") {
		kind = "group"
	}
	first := n.Field("arguments").First()
	if !first.Is("string", "template_string") {
		return "", ""
	}
	quoted := first.Text()
	return kind, quoted[1:max(len(quoted)-1, 1)]
}

// isInnerTest reports whether n is t.test("title", function …), a nested test of tape, tap and
// node:test.
func isInnerTest(n, f syntax.Node) bool {
	if !f.Is("member_expression") || !f.Field("property").TextIs("test") || !f.Field("object").Is("identifier") {
		return false
	}
	for a := range n.Field("arguments").NamedSeq() {
		if a.Is("arrow_function", "function_expression", "function") {
			return true
		}
	}
	return false
}

// eachRows returns the rows of it.each([…])("title", …).
func eachRows(n syntax.Node) []string {
	each := n.Field("function")
	if !each.Is("call_expression") || !each.Field("function").Ends(".each") {
		return nil
	}
	table := each.Field("arguments").First()
	if !table.Is("array") {
		return nil
	}
	var out []string
	for row := range table.NamedSeq() {
		out = append(out, srctext.ClipRow(srctext.OneLine(row.Text())))
	}
	return out
}

// dynamicImport adds import("x") and require("x").
func dynamicImport(r *core.Reader, n syntax.Node) {
	f := n.Field("function")
	kind := code.DynamicImport
	switch f.Short() {
	case "import":
	case "require":
		kind = code.RequireImport
	default:
		return
	}
	first := n.Field("arguments").First()
	if !first.Is("string") {
		return
	}
	imp := newImport(n, first)
	imp.Kind = kind
	if d := n.Parent(); d.Is("variable_declarator") {
		switch name := d.Field("name"); name.Kind() {
		case "identifier":
			imp.Namespace = name.Text()
		case "object_pattern":
			for p := range name.NamedSeq() {
				key, alias := p.Text(), ""
				if p.Is("pair_pattern") {
					key, alias = p.Field("key").Text(), p.Field("value").Text()
				}
				imp.Named, imp.Aliases = append(imp.Named, key), append(imp.Aliases, alias)
			}
		}
	}
	r.File.Imports = append(r.File.Imports, imp)
}
