package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/jvm/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinTests finds the functions marked as tests (JUnit, kotlin.test, TestNG) and the
// cases of Kotest's specs.
func kotlinTests(r *core.Reader) {
	kotlinMarked(r, r.File.Symbols, "")
	if r.File.Test {
		kotest(r)
	}
}

func kotlinMarked(r *core.Reader, list []code.Symbol, around string) {
	for _, s := range list {
		if isKtCallable(&s) && slices.ContainsFunc(s.Decorators, isTestMark) {
			r.File.Tests = append(r.File.Tests, code.Test{Name: around + strings.Trim(s.Name, "`"), Line: s.StartLine, EndLine: s.EndLine, Runner: "junit"})
		}
		kotlinMarked(r, s.Members, around+strings.Trim(s.Name, "`")+" > ")
	}
}

// kotestCase is a case or a group of cases.
type kotestCase struct {
	core.Span
	line  int
	inner bool // it contains cases
}

// kotest finds the cases of classes that extend one of Kotest's specs. The name of a
// case includes the groups around it.
func kotest(r *core.Reader) {
	var all []kotestCase
	var open []int
	for n := range r.Root().Descendants() {
		title, ok := kotestTitle(n)
		if !ok || !inSpec(n) {
			continue
		}
		for len(open) > 0 && all[open[len(open)-1]].End <= n.Start() {
			open = open[:len(open)-1]
		}
		full := title
		if len(open) > 0 {
			around := open[len(open)-1]
			all[around].inner = true
			full = all[around].Name + " > " + title
		}
		open = append(open, len(all))
		all = append(all, kotestCase{Span: core.Span{Start: n.Start(), End: n.End(), Name: full}, line: n.Line()})
	}
	for _, c := range all {
		if !c.inner {
			r.File.Tests = append(r.File.Tests, code.Test{Name: c.Name, Line: c.line, EndLine: r.Line(max(c.Start, c.End-1)), Runner: "kotest"})
		}
	}
}

// kotestWords are the functions of Kotest's styles that begin a case or a group.
var kotestWords = core.SetOf(
	"test", "xtest", "should", "xshould", "it", "xit", "describe", "xdescribe", "context", "xcontext", "expect", "xexpect",
	"given", "xgiven", "Given", "when", "`when`", "xwhen", "When", "and", "And", "then", "xthen", "Then", "feature", "xfeature",
	"scenario", "xscenario",
)

// kotestTitle returns the title of a case: test("a") { }, "a" { }, "a" should { } and
// "a" - { }.
func kotestTitle(n syntax.Node) (string, bool) {
	switch n.Kind() {
	case "call_expression":
		return kotestCall(n)
	case "infix_expression", "additive_expression":
		parts := syntax.NamedChildren(n)
		if len(parts) < 2 || !parts[len(parts)-1].Is("lambda_literal") {
			return "", false
		}
		if n.Is("infix_expression") && !kotestWords[parts[1].Text()] || n.Is("additive_expression") && !n.Has("-") {
			return "", false
		}
		return stringTitle(parts[0])
	}
	return "", false
}

// kotestCall returns the title of a case that is a call with a lambda.
func kotestCall(n syntax.Node) (string, bool) {
	suffix := n.Child("call_suffix")
	if !suffix.Has("annotated_lambda") {
		return "", false
	}
	callee := n.First()
	if callee.Is("call_expression") { // test("a") { } is a call of test("a")
		callee, suffix = callee.First(), callee.Child("call_suffix")
	}
	switch {
	case callee.Is("navigation_expression"): // "a".config(…) { }
		return stringTitle(callee.First())
	case callee.Is("string_literal"):
		return stringTitle(callee)
	case callee.Is("simple_identifier") && kotestWords[callee.Text()]:
		return stringTitle(suffix.Child("value_arguments").First().First())
	}
	return "", false
}

// stringTitle returns the content of a string literal.
func stringTitle(n syntax.Node) (string, bool) {
	if !n.Is("string_literal") {
		return "", false
	}
	return strings.TrimSpace(strings.Trim(n.Text(), `"`)), true
}

// inSpec reports whether n is in the constructor arguments or the initializers of a
// Kotest spec.
func inSpec(n syntax.Node) bool {
	p := n.Parent()
	for range repair.MaxArguments {
		switch p.Kind() {
		case "class_declaration", "object_declaration":
			return slices.ContainsFunc(kotlinBases(p), func(base string) bool { return strings.HasSuffix(base, "Spec") })
		case "function_declaration", "":
			return false
		}
		p = p.Parent()
	}
	return false
}
