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
	if rule == nil || r.Parts&Bodies == 0 || !r.File.Test && len(r.File.Tests) == 0 {
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
		s.add(n, srctext.OneLine(n.Child("with_clause").Text()))
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
	if len(bodies) == 0 || checks(srctext.OneLine(text)) {
		s.add(n, srctext.OneLine(text))
		return true
	}
	s.add(n, srctext.OneLine(ElideBodies(text, n.Start(), bodies)))
	return false
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
	s.steps = append(s.steps, code.Step{Text: srctext.ClipBody(strings.TrimSuffix(text, ";")), Line: n.Line()})
}

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
