package php

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// callOf returns the call that n makes, if the called thing has a name in the text.
// The closure syntax f(...) counts as a call of f; a call of a value in a variable does
// not.
func callOf(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "function_call_expression":
		return functionCall(n)
	case "member_call_expression", "nullsafe_member_call_expression":
		return methodCall(n.Field("name"), receiver(n.Field("object")))
	case "scoped_call_expression":
		return methodCall(n.Field("name"), receiver(n.Field("scope")))
	case "object_creation_expression":
		return newCall(n.First())
	}
	return code.Call{}, false
}

func functionCall(n syntax.Node) (code.Call, bool) {
	f := n.Field("function")
	if createsNew(n) {
		return newCall(f)
	}
	if !f.Is("name", "qualified_name") || constructs[strings.ToLower(f.Short())] {
		return code.Call{}, false
	}
	call := qualifiedCall(f)
	if object := objectOfSum(n); object.Ok() {
		call.Receiver = core.Receiver(object)
	}
	return call, true
}

// constructs are language constructs that look like function calls.
var constructs = core.SetOf("isset", "empty", "unset", "exit", "die", "eval", "list", "array", "__halt_compiler")

func methodCall(name syntax.Node, object string) (code.Call, bool) {
	if !name.Is("name") || name.Begins("$") || name.Begins("{") {
		return code.Call{}, false
	}
	return code.Call{Name: name.Text(), Receiver: object, Line: name.Line()}, true
}

// receiver returns the text before a called name. Parentheses around new A are
// dropped.
func receiver(n syntax.Node) string {
	for n.Is("parenthesized_expression") && n.First().Is("object_creation_expression") {
		n = n.First()
	}
	head := n
	for chains[head.Kind()] && !isNewHead(head) && n.End()-head.End() <= srctext.MaxReceiver {
		head = head.First()
	}
	if n.End()-n.Start() <= srctext.LongReceiver && isNewHead(head) {
		return srctext.ClipReceiver("new " + srctext.OneLine(n.Text()))
	}
	return core.Receiver(n)
}

// chains are the kinds of expressions that extend their first child: a->b, a[b],
// a().
var chains = core.SetOf("member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression", "member_access_expression",
	"nullsafe_member_access_expression", "scoped_property_access_expression", "class_constant_access_expression",
	"subscript_expression", "function_call_expression")

// newCall returns the constructor call of a class that is given by name.
func newCall(class syntax.Node) (code.Call, bool) {
	if !class.Is("name", "qualified_name") {
		return code.Call{}, false
	}
	call := qualifiedCall(class)
	call.New = true
	return call, true
}

// qualifiedCall splits a name into its last part and its namespace. The leading
// backslash of a fully qualified name is kept.
func qualifiedCall(n syntax.Node) code.Call {
	text := strings.Join(strings.Fields(n.Text()), "")
	i := strings.LastIndexByte(text, '\\')
	if i < 0 {
		return code.Call{Name: text}
	}
	return code.Call{Name: text[i+1:], Receiver: text[:max(i, 1)]}
}

// isNewHead reports whether n is the A() of new A()->b(), which was rewritten to
// @A()->b().
func isNewHead(n syntax.Node) bool { return n.Is("function_call_expression") && createsNew(n) }

// longNew is the maximum number of chain links followed back to the new at the start.
const longNew = 64

// createsNew reports whether the call n follows a new that was rewritten to @.
func createsNew(n syntax.Node) bool {
	around := n.Parent()
	for range longNew {
		if !around.Ok() || around.First() != n {
			break
		}
		if around.Is("error_suppression_expression") {
			return strings.HasPrefix(strings.ToLower(textStart(around)), "new")
		}
		if around.Is("function_call_expression") && n.Is("parenthesized_expression") {
			return false
		}
		n, around = around, around.Parent()
	}
	return false
}

// textStart returns the text of n before its first named child.
func textStart(n syntax.Node) string {
	for c := range n.Children() {
		if c.Named() {
			return n.Text()[:c.Start()-n.Start()]
		}
	}
	return ""
}

// objectOfSum returns the object whose method n calls, if -> was rewritten to a dot:
// new class {}->n().
func objectOfSum(n syntax.Node) syntax.Node {
	sum := n.Parent()
	if !sum.Is("binary_expression") || sum.Field("right") != n {
		return syntax.Node{}
	}
	if text := sum.Field("operator").Text(); text != "-" && text != "?" {
		return syntax.Node{}
	}
	left := sum.Field("left")
	if !left.Is("object_creation_expression") && !isNewHead(left) {
		return syntax.Node{}
	}
	between := sum.Text()[left.End()-sum.Start() : n.Start()-sum.Start()]
	if strings.Contains(between, "->") {
		return left
	}
	return syntax.Node{}
}

// pestCases and pestGroups are the functions of Pest that declare tests and groups of
// tests.
var (
	pestCases  = core.SetOf("it", "test", "todo", "arch")
	pestGroups = core.SetOf("describe")
)

// finish finds PHPUnit and Pest tests, and sorts calls by line if the text was
// rewritten (calls in hooks are read last).
func finish(r *core.Reader) {
	if !sameText(r.Rewritten, r.Source) {
		sortCalls(r.File.Calls)
	}
	phpunit(r)
	if r.File.Test {
		pest(r)
	}
}

// phpunit adds the test methods of concrete test classes.
func phpunit(r *core.Reader) {
	for _, s := range r.File.Symbols {
		if s.Kind != code.Class || s.Abstract || !isTestCase(s) {
			continue
		}
		for _, m := range s.Members {
			if m.Kind == code.Method && m.Visibility == code.Public && isTestMethod(m) {
				r.File.Tests = append(r.File.Tests, code.Test{Name: s.Name + " > " + m.Name, Line: m.StartLine, EndLine: m.EndLine, Runner: "phpunit"})
			}
		}
	}
}

// isTestCase reports whether s is named like a test case. PHPUnit requires test
// cases to extend its TestCase, usually through a class of the project.
func isTestCase(s code.Symbol) bool {
	if len(s.Bases) == 0 {
		return false
	}
	base := s.Bases[0]
	return strings.HasSuffix(base, "TestCase") || strings.HasSuffix(s.Name, "Test")
}

func isTestMethod(m code.Symbol) bool {
	if strings.HasPrefix(m.Name, "test") {
		return true
	}
	for _, d := range m.Decorators {
		name, _, _ := strings.Cut(d, "(")
		if name = strings.TrimSpace(name); name[strings.LastIndexByte(name, '\\')+1:] == "Test" {
			return true
		}
	}
	for row := range strings.Lines(m.Doc) {
		if strings.TrimSpace(row) == "@test" {
			return true
		}
	}
	return false
}

// pest adds the tests it('…', …) and test('…', …), also inside describe('…', …).
func pest(r *core.Reader) {
	var groups []core.Span
	for n := range r.Root().Descendants() {
		if !n.Is("function_call_expression") {
			continue
		}
		name := strings.TrimPrefix(n.Field("function").Text(), `\`)
		title, ok := literal(n.Field("arguments").Child("argument").First())
		if !ok || !pestCases[name] && !pestGroups[name] {
			continue
		}
		for len(groups) > 0 && groups[len(groups)-1].End <= n.Start() {
			groups = groups[:len(groups)-1]
		}
		if name == "it" {
			title = "it " + title // Pest's own naming
		}
		if len(groups) > 0 {
			title = groups[len(groups)-1].Name + " > " + title
		}
		if pestGroups[name] {
			groups = append(groups, core.Span{Start: n.Start(), End: n.End(), Name: title})
			continue
		}
		r.File.Tests = append(r.File.Tests, code.Test{Name: title, Line: n.Line(), EndLine: n.EndLine(), Runner: "pest"})
	}
}
