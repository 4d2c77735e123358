package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaTests finds JUnit's methods by their annotations and, in test files, the cases
// that ScalaTest, MUnit, specs2 and uTest write as calls.
func scalaTests(r *core.Reader) {
	junit(r, r.File.Symbols, "", false)
	if !r.File.Test {
		return
	}
	runner := scalaRunner(r.File)
	var groups []core.Span
	jump := 0
	for n := range r.Root().Descendants() {
		if n.Index() < jump {
			continue
		}
		name, group, ok := scalaCase(n)
		if !ok {
			continue
		}
		for len(groups) > 0 && groups[len(groups)-1].End <= n.Start() {
			groups = groups[:len(groups)-1]
		}
		var around []string
		for _, g := range groups {
			around = append(around, g.Name)
		}
		if group {
			groups = append(groups, core.Span{Start: n.Start(), End: n.End(), Name: name})
			continue
		}
		r.File.Tests = append(r.File.Tests, code.Test{Name: strings.Join(append(around, name), " > "), Line: n.Line(), EndLine: n.EndLine(), Runner: runner})
	}
}

// scalaRunner returns the test library of a file by its imports, or else by its
// classes.
func scalaRunner(f *code.File) string {
	libraries := []struct{ root, runner string }{
		{"munit", "munit"}, {"utest", "utest"}, {"org.specs2", "specs2"}, {"org.scalatest", "scalatest"}, {"org.scalatestplus", "scalatest"},
	}
	for _, l := range libraries {
		for _, i := range f.Imports {
			if i.Module == l.root || strings.HasPrefix(i.Module, l.root+".") {
				return l.runner
			}
		}
		for _, s := range f.Symbols {
			if slices.ContainsFunc(s.Bases, func(b string) bool { return strings.HasPrefix(b, l.root+".") }) {
				return l.runner
			}
		}
	}
	for _, s := range f.Symbols {
		if slices.ContainsFunc(s.Bases, func(b string) bool { return b == "Specification" || strings.HasSuffix(b, "Specification") }) {
			return "specs2"
		}
	}
	return "scalatest"
}

// Functions that begin a case or a group of cases when called with a text, and the
// infix words between a text and its body.
var (
	scalaCaseCalls  = core.SetOf("test", "it", "they", "property", "scenario", "Scenario", "ignore", "testAsync")
	scalaGroupCalls = core.SetOf("describe", "feature", "Feature")
	scalaCaseWords  = core.SetOf("in", ">>", "!", "is")
	scalaGroupWords = core.SetOf("should", "must", "can", "when", "that", "which", "-")
)

// scalaCase reads a test case or a group of cases.
func scalaCase(n syntax.Node) (name string, group, ok bool) {
	switch n.Kind() {
	case "call_expression":
		return scalaCaseCall(n)
	case "infix_expression":
		word, left, body := n.Field("operator").Text(), n.Field("left"), n.Field("right")
		switch {
		case word == "-" && left.Is("call_expression"): // uTest's test("name") - { … }
			name, ok = literalText(left.Field("arguments").First())
			return name, holdsCases(body), ok && left.Field("function").TextIs("test")
		case scalaGroupWords[word]:
			return scalaGroup(word, left, body)
		case scalaCaseWords[word] && (word == "!" || isBody(body) || body.Is("identifier")):
			name, ok = sentence(left)
			return name, word == ">>" && holdsCases(body), ok
		}
	}
	return "", false, false
}

// scalaCaseCall reads test("adds") { … }.
func scalaCaseCall(n syntax.Node) (name string, group, ok bool) {
	inner := n.Field("function")
	callee := inner.Field("function")
	if !inner.Is("call_expression") || !callee.Is("identifier") {
		return "", false, false
	}
	word := callee.Text()
	name, ok = literalText(inner.Field("arguments").First())
	return name, scalaGroupCalls[word], ok && (scalaCaseCalls[word] || scalaGroupCalls[word])
}

// scalaGroup reads "a stack" should { … }.
func scalaGroup(word string, left, body syntax.Node) (name string, group, ok bool) {
	name, ok = sentence(left)
	if word != "-" {
		name += " " + word
	}
	return name, true, ok && isBody(body)
}

func isBody(n syntax.Node) bool {
	return n.Is("block", "case_block", "colon_argument", "indented_block")
}

// holdsCases reports whether a body contains cases.
func holdsCases(body syntax.Node) bool {
	for c := range body.NamedSeq() {
		if _, _, ok := scalaCase(c); ok {
			return true
		}
	}
	return false
}

// maxSentence is the maximum number of words in the name of a case.
const maxSentence = 8

// sentence returns the name in "a stack" should "pop". The first word may be "it".
func sentence(n syntax.Node) (string, bool) {
	var parts []string
	for range maxSentence {
		if !n.Is("infix_expression") {
			break
		}
		right, ok := literalText(n.Field("right"))
		if !ok {
			return "", false
		}
		parts = append(parts, right, n.Field("operator").Text())
		n = n.Field("left")
	}
	first, ok := literalText(n)
	if !ok {
		if len(parts) == 0 || !n.Is("identifier") {
			return "", false
		}
		first = n.Text()
	}
	parts = append(parts, first)
	slices.Reverse(parts)
	return strings.Join(parts, " "), true
}

// literalText returns the content of a string literal.
func literalText(n syntax.Node) (string, bool) {
	if !n.Is("string") {
		return "", false
	}
	text := strings.Trim(n.Text(), `"`)
	return srctext.OneLine(text), text != ""
}
