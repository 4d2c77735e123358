package core

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// StepRule describes a language's statements: either nodes of certain kinds, or all children
// of blocks.
type StepRule struct {
	Kinds  Set // of statements; nil if every child of a block is one
	Blocks Set // kinds of nodes that hold statements
	Others Set // kinds of children of blocks that are not steps but may contain some
}

// readSteps adds the statements of tests to File.Bodies: all statements of a test file, and
// those inside tests elsewhere.
func (r *Reader) readSteps() {
	rule := r.Lang.Steps
	if rule == nil || !r.WantsBodies() || !r.File.Test && len(r.File.Tests) == 0 {
		return
	}
	s := &stepReader{Reader: r, StepRule: *rule, steps: r.doctests}
	past := 0 // end of the last step: steps do not nest
	for n := range r.Root().Descendants() {
		if n.Start() >= r.Length {
			break
		}
		if n.Is("catch_clause") && s.inTest(n) {
			s.caught(n)
		}
		if n.Start() >= past && s.is(n) && s.inTest(n) && s.step(n) {
			past = n.End()
		}
	}
	if len(s.steps) == 0 {
		return
	}
	if r.File.Bodies == nil {
		r.File.Bodies = &code.Bodies{}
	}
	r.File.Bodies.Steps = s.steps
}

// stepReader reads the steps of one file.
type stepReader struct {
	*Reader
	StepRule
	steps []code.Step
}

// is reports whether n is a statement.
func (s *stepReader) is(n syntax.Node) bool {
	if s.Kinds != nil {
		return s.Kinds[n.Kind()]
	}
	return n.Named() && s.Blocks[n.Parent().Kind()] && !s.Others[n.Kind()] && !strings.Contains(n.Kind(), "comment")
}

func (s *stepReader) inTest(n syntax.Node) bool {
	line := n.Line()
	return s.File.Test || slices.ContainsFunc(s.File.Tests, func(t code.Test) bool { return t.Line < line && line <= t.EndLine })
}

// step records a statement; it returns false if the statement contains steps.
func (s *stepReader) step(n syntax.Node) bool {
	if n.Is("with_statement") {
		s.add(n, s.text(n.Child("with_clause"), nil))
		return false
	}
	if n.Is("expression_statement") && n.First().Is("string", "concatenated_string") {
		return true // a docstring
	}
	text := n.Text()
	if opensTests(text) {
		return false
	}
	bodies := s.bodies(n)
	if checks(srctext.OneLine(text)) {
		bodies = nil
	}
	s.add(n, s.text(n, bodies))
	return len(bodies) == 0
}

// text returns the source of a node on one line, without comments, and with "…" instead of bodies.
func (s *stepReader) text(n syntax.Node, bodies []Span) string {
	text := []byte(n.Text())
	past := n.Start()
	for part := range n.Descendants() {
		if part.Start() >= n.End() {
			break
		}
		if part.Start() < past {
			continue
		}
		own := text[part.Start()-n.Start() : min(part.End(), n.End())-n.Start()]
		switch {
		case syntax.IsComment(part.Kind()):
			past = part.End()
			srctext.Blank(own)
		case escapesLines(part):
			past = part.End()
			for i := range own {
				if own[i] == '\n' {
					own[i] = lineInString
				}
			}
		}
	}
	return strings.ReplaceAll(oneLine(ElideBodies(string(text), n.Start(), bodies)), string(lineInString), `\n`)
}

// lineInString stands for the end of a line in a string while the lines of code are joined.
const lineInString = '\v'

// escapesLines reports whether a node is a string over several lines that means the same with "\n" for the end of each: a template of
// JavaScript, or three quotes of Python without a raw prefix.
func escapesLines(n syntax.Node) bool {
	head := n.Head(len(`f"""`))
	return n.Is("template_string") || n.Is("string") && (strings.Contains(head, `"""`) || strings.Contains(head, "'''")) && !strings.ContainsAny(head, "rR") &&
		n.Child("string_start").Ok()
}

// oneLine joins the lines of a text; a chain of calls over several lines is joined without spaces.
func oneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = code.Squeezed(line)
		chained := strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "..") || strings.HasPrefix(line, "?.") || strings.HasPrefix(line, "->") || strings.HasSuffix(b.String(), ".")
		if b.Len() > 0 && line != "" && !chained {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// caught records the exception that a test expects: one caught by a try that fails if nothing
// is thrown.
func (s *stepReader) caught(n syntax.Node) {
	if try := n.Parent(); !strings.Contains(try.Field("body").Text(), "fail(") && !strings.Contains(try.Field("body").Text(), "Fail(") {
		return
	}
	head, _, _ := strings.Cut(srctext.OneLine(n.Text()), "{")
	_, head, _ = strings.Cut(head, "(")
	if list := strings.Fields(strings.Trim(head, " )")); len(list) > 0 {
		s.add(n, "throws "+strings.TrimPrefix(strings.Join(list[:max(1, len(list)-1)], " "), "final "))
	}
}

// opensTests reports whether text is a call whose argument is the body of a test or a hook:
// it("…", …), test.each(…), describe "…" do.
func opensTests(text string) bool {
	name, _, _ := strings.Cut(text, "(")
	name = srctext.OneLine(name)
	first := cutName(name)
	rest := name[len(first):]
	return testBlocks[first] && (rest == "" || testWays[strings.TrimLeft(rest, ".!")] || strings.HasPrefix(strings.TrimLeft(rest, " "), "\"") ||
		strings.HasPrefix(rest, " '") || strings.HasPrefix(rest, " :") || strings.HasPrefix(rest, " do") || strings.HasPrefix(rest, " {")) ||
		testBlocks[name[strings.LastIndexByte(name, '.')+1:]]
}

func (s *stepReader) add(n syntax.Node, text string) {
	s.steps = append(s.steps, code.Step{Text: srctext.ClipStep(strings.TrimSpace(strings.TrimSuffix(text, ";"))), Nested: s.nested(n), Line: n.Line(), End: n.EndLine(), Until: s.group(n).EndLine()})
}

// nested reports whether a statement is in a function that is inside a test's own: a handler that the test registers.
func (s *stepReader) nested(n syntax.Node) bool {
	inside, handed := false, false
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		if s.Lang.Bodies == nil || !p.Named() || s.Lang.Bodies.Flow[p.Kind()] != FlowFunction {
			continue
		}
		call := callAround(p)
		name := calleeOf(call)
		switch {
		case groups[cutName(name)]:
			return inside && handed // a function that is declared in the group is one of the file
		case opensTests(name), name != "" && name == cutName(name) && !keeps(call): // runTest { … }
			return inside
		case inside:
			return true
		}
		inside, handed = true, call.Ok()
	}
	return false
}

// group returns the call whose function has the tests that a statement is for; the zero Node for none.
func (s *stepReader) group(n syntax.Node) syntax.Node {
	for p := n.Parent(); p.Ok() && s.Lang.Bodies != nil; p = p.Parent() {
		if !p.Named() || s.Lang.Bodies.Flow[p.Kind()] != FlowFunction {
			continue
		}
		if call := callAround(p); groups[cutName(calleeOf(call))] {
			return call
		}
	}
	return syntax.Node{}
}

// callAround returns the call that a function is an argument of; the zero Node for none.
func callAround(n syntax.Node) syntax.Node {
	for range 4 {
		n = n.Parent()
		kind := n.Kind()
		switch {
		case strings.Contains(kind, "argument") || strings.Contains(kind, "suffix") || strings.Contains(kind, "lambda"):
		case strings.Contains(kind, "call") || strings.Contains(kind, "invocation"):
			return n
		default:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

// calleeOf returns what a call calls as written: "it", "app.get".
func calleeOf(call syntax.Node) string {
	head := call.Head(srctext.MaxBodyText)
	return head[:max(0, strings.IndexAny(head, "({\"' \n"))]
}

// keeps reports whether the result of a call is used.
func keeps(call syntax.Node) bool {
	at := call.Parent()
	for at.Is("await_expression", "await", "try_expression") {
		at = at.Parent()
	}
	return strings.Contains(at.Kind(), "declarat") || strings.Contains(at.Kind(), "assign") || strings.Contains(at.Kind(), "argument") || strings.Contains(at.Kind(), "init")
}

// groups are the functions whose argument has tests.
var groups = SetOf("describe", "suite", "context", "fdescribe", "xdescribe", "shared_examples", "shared_context", "feature")

// cutName returns the name that a text begins with: "it" of "it.each".
func cutName(text string) string {
	if i := strings.IndexFunc(text, func(c rune) bool { return !isWordRune(c) }); i >= 0 {
		return text[:i]
	}
	return text
}

func isWordRune(c rune) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// bodies returns the outermost multi-line blocks of a statement.
func (s *stepReader) bodies(n syntax.Node) []Span {
	var out []Span
	end := n.End()
	if n.Line() == n.EndLine() {
		return nil
	}
	past := 0
	for part := range n.Descendants() {
		if part.Start() >= end {
			break
		}
		if part.Start() >= past && s.Blocks[part.Kind()] && (part.Line() < part.EndLine() || s.Kinds == nil && part.Line() > n.Line()) {
			out = append(out, Span{Start: part.Start(), End: part.End()})
			past = part.End()
		}
	}
	return out
}

// ElideBodies replaces the bodies in text by "…"; start is the offset of text in the source.
func ElideBodies(text string, start int, bodies []Span) string {
	var b strings.Builder
	for _, body := range bodies {
		inner := text[min(body.Start-start, len(text)):min(body.End-start, len(text))]
		before, after := "", ""
		if strings.HasPrefix(inner, "{") {
			before, after = "{ ", " }"
		}
		b.WriteString(text[:min(body.Start-start, len(text))] + before + "…" + after)
		text, start = text[min(body.End-start, len(text)):], body.End
	}
	b.WriteString(text)
	return b.String()
}

// checks reports whether a statement is an assertion: its blocks are kept as part of its text.
func checks(text string) bool {
	for _, before := range []string{"await ", "try ", "return ", "self.", "this.", "$this->", "Assert.", "Assertions.", "self::", "static::", "t."} {
		text = strings.TrimPrefix(text, before)
	}
	for _, word := range []string{"expect", "assert", "Assert", "should", "throws", "rejects", "ASSERT_", "EXPECT_", "CHECK", "REQUIRE", "XCTAssert", "shouldThrow", "intercept", "Throws"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// testWays are the modifiers of a test: it.only(…), let!(…).
var testWays = SetOf("", "each", "only", "skip", "todo", "concurrent", "failing", "fails", "sequential", "serial", "runIf", "skipIf", "describe", "step")

// testBlocks are the functions of test frameworks whose argument is a body.
var testBlocks = SetOf(
	"describe", "it", "test", "suite", "context", "specify", "before", "after",
	"beforeEach", "afterEach", "beforeAll", "afterAll", "setup", "teardown", "subtest", "step", "let", "let!", "subject",
	"fdescribe", "xdescribe", "fit", "xit", "shared_examples", "shared_context", "scenario", "feature", "example", "should", "concern",
)
