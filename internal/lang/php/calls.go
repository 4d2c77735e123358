package php

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// phpCall tells a call of something that the text names. f(...), which makes a
// closure of f, counts as one; a call of what a variable holds does not.
func phpCall(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "function_call_expression":
		return phpFunctionCall(n)
	case "member_call_expression", "nullsafe_member_call_expression":
		return phpMethodCall(n.Field("name"), phpReceiver(n.Field("object")))
	case "scoped_call_expression":
		return phpMethodCall(n.Field("name"), phpReceiver(n.Field("scope")))
	case "object_creation_expression":
		return phpNew(n.First())
	}
	return code.Call{}, false
}

func phpFunctionCall(n syntax.Node) (code.Call, bool) {
	f := n.Field("function")
	if createsNew(n) {
		return phpNew(f)
	}
	if !f.Is("name", "qualified_name") || phpConstructs[strings.ToLower(f.Short())] {
		return code.Call{}, false
	}
	call := phpQualified(f)
	if object := objectOfSum(n); object.Ok() {
		call.Receiver = core.Receiver(object)
	}
	return call, true
}

// phpConstructs are part of the language though they look like functions.
var phpConstructs = core.SetOf("isset", "empty", "unset", "exit", "die", "eval", "list", "array", "__halt_compiler")

func phpMethodCall(name syntax.Node, object string) (code.Call, bool) {
	if !name.Is("name") || name.Begins("$") || name.Begins("{") {
		return code.Call{}, false
	}
	return code.Call{Name: name.Text(), Receiver: object, Line: name.Line()}, true
}

// phpReceiver returns the text before a called name; (new A) is new A.
func phpReceiver(n syntax.Node) string {
	for n.Is("parenthesized_expression") && n.First().Is("object_creation_expression") {
		n = n.First()
	}
	head := n
	for phpChains[head.Kind()] && !isNewHead(head) && n.End()-head.End() <= core.MaxReceiver {
		head = head.First()
	}
	if n.End()-n.Start() <= core.LongReceiver && isNewHead(head) {
		return core.ClipReceiver("new " + core.OneLine(n.Text()))
	}
	return core.Receiver(n)
}

// phpChains are the expressions that go on from the one they begin with.
var phpChains = core.SetOf("member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression", "member_access_expression",
	"nullsafe_member_access_expression", "scoped_property_access_expression", "class_constant_access_expression",
	"subscript_expression", "function_call_expression")

// phpNew is the call of the constructor of the class that a name says.
func phpNew(class syntax.Node) (code.Call, bool) {
	if !class.Is("name", "qualified_name") {
		return code.Call{}, false
	}
	call := phpQualified(class)
	call.New = true
	return call, true
}

// phpQualified splits a name into that of the called thing and its namespace, the
// backslash before a full name kept.
func phpQualified(n syntax.Node) code.Call {
	text := strings.Join(strings.Fields(n.Text()), "")
	i := strings.LastIndexByte(text, '\\')
	if i < 0 {
		return code.Call{Name: text}
	}
	return code.Call{Name: text[i+1:], Receiver: text[:max(i, 1)]}
}

// isNewHead tells the A() of new A()->b(), which the parser was shown as @A()->b().
func isNewHead(n syntax.Node) bool { return n.Is("function_call_expression") && createsNew(n) }

// longNew is how many links of a chain are followed to the new that it begins with.
const longNew = 64

// createsNew tells whether the call n stands behind a new that was shown as @.
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

// textStart returns the first bytes of a node's text.
func textStart(n syntax.Node) string {
	for c := range n.Children() {
		if c.Named() {
			return n.Text()[:c.Start()-n.Start()]
		}
	}
	return ""
}

// objectOfSum returns the object whose method the call n is, when -> was shown
// to the parser as a dot: new class {}->n().
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

// pestGroups and pestCases are Pest's functions for tests.
var (
	pestCases  = core.SetOf("it", "test", "todo", "arch")
	pestGroups = core.SetOf("describe")
)

// finishPHP finds tests, of PHPUnit and of Pest, and puts the calls in hooks in
// their places.
func finishPHP(r *core.Reader) {
	if !sameText(r.Rewritten, r.Source) {
		sortCalls(r.File.Calls)
	}
	phpunit(r)
	if r.File.Test {
		pest(r)
	}
}

// phpunit finds the test methods of classes that can be run.
func phpunit(r *core.Reader) {
	for _, s := range r.File.Symbols {
		if s.Kind != code.Class || s.Abstract || !isPHPTestCase(s) {
			continue
		}
		for _, m := range s.Members {
			if m.Kind == code.Method && m.Visibility == code.Public && isTestMethod(m) {
				r.File.Tests = append(r.File.Tests, code.Test{Name: s.Name + " > " + m.Name, Line: m.StartLine, EndLine: m.EndLine, Runner: "phpunit"})
			}
		}
	}
}

// isPHPTestCase tells a class by the names that test cases have: PHPUnit wants
// them to extend its TestCase, as a rule through a class of the project's own.
func isPHPTestCase(s code.Symbol) bool {
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

// pest finds it('…', …), test('…', …) and those in describe('…', …).
func pest(r *core.Reader) {
	var groups []core.Span
	for n := range r.Root().Within() {
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
			title = "it " + title // as Pest names it
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
