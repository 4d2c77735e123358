package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// assertions are prefixes of statements that check something, and what may precede them.
var (
	assertions = []string{
		"assert", "expect", "self.assert", "self.fail", "self::assert", "static::assert", "$this->assert", "$this->expect", "self::expect", "static::expect", "this.assert",
		"Assert", "require.", "verify(", "pytest.raises", "pytest.warns", "with pytest", "prints ", "throws ", "XCTAssert", "#expect", "#require",
		"debug_assert", "EXPECT_", "ASSERT_", "CHECK", "REQUIRE", "TEST_ASSERT", "ck_assert", "BOOST_", "KUNIT_EXPECT", "munit_assert", "g_assert",
		"refute", "must_", "intercept", "should", "then(", "check(", "cmp_ok", "is_deeply",
	}
	// asserting are assertion methods of the object that tape, tap, ava and node:test pass to a
	// test.
	asserting = setOf("is", "not", "equal", "equals", "notEqual", "deepEqual", "deepEquals", "notDeepEqual", "strictEqual", "same", "strictSame", "match",
		"true", "false", "ok", "notOk", "throws", "doesNotThrow", "rejects", "snapshot", "assert", "like", "truthy", "falsy", "looseEqual", "type", "compare",
		"fails", "isDeeply", "error", "ifError", "deepLooseEqual", "throwsAsync", "notThrows", "regex")
	awaits = []string{"await ", "try await ", "try ", "return ", "void "}
	// inAssertions appear inside assertions that begin with their subject.
	inAssertions = []string{".should", ".must_", ".must(", ".to.", " shouldBe ", " should ", " shouldEqual ", " mustBe ", " must ", ".Should()", ".expect("}
)

// isAssertion reports whether a statement checks something.
func isAssertion(s code.Step) bool {
	text := s.Text
	if _, value, ok := cutAssign(text); ok {
		text = value
	}
	for _, a := range awaits {
		text = strings.TrimPrefix(text, a)
	}
	if strings.HasPrefix(text, "expectation(") { // XCTest's, which a later statement waits for
		return false
	}
	if on, method, ok := strings.Cut(text, "."); ok && len(on) <= len("tst") && nameAt(on) == on && asserting[nameAt(method)] {
		return true
	}
	return s.FailsIf || slices.ContainsFunc(assertions, func(a string) bool { return strings.HasPrefix(text, a) }) ||
		slices.ContainsFunc(inAssertions, func(a string) bool { return strings.Contains(text, a) })
}

// noise are statements about how a test runs, not about its subject.
var noise = []string{
	"t.Helper()", "t.Parallel()", "b.ReportAllocs()", "t.Log", "t.Skip", "t.Cleanup(", "t.Setenv(", "setParallel(", "ctx := ", "ctx, cancel", "log.", "fmt.Print",
	"defer ", "runtime.GC(", "runtime.Gosched(", "time.Sleep(", "testenv.", "wg.", "console.", "print(", "println", "jest.", "vi.", "t.plan(", "t.end(",
	"done()", "assert.expect(", "t.timeout(", "this.timeout(", "this.skip(", "self.addCleanup(", "self.skipTest(", "self.subTest(", "super()", "super(", "parent::", "return",
	"fail(", "XCTFail(", "Issue.record(", "Assert.fail(", "Assert.Fail(", "logger.", "logging.", "System.out.", "Console.Write", "tracing_subscriber", "env_logger", "global ", "pass", "echo ", "use ", "setlocal", "using namespace",
}

// isNoise reports whether a statement is of no interest to a reader.
func isNoise(s code.Step) bool {
	if left, right, ok := strings.Cut(s.Text, " := "); ok && left == right { // tt := tt
		return true
	}
	return slices.ContainsFunc(noise, func(n string) bool { return strings.HasPrefix(s.Text, n) })
}

// mocking matches a statement that says what a mock does or expects: of PHPUnit, Prophecy and Mockery, Mockito, jest, vitest and sinon,
// Moq and NSubstitute.
var mocking = lazyregexp.New(`(?:->|\.)(?:expects|will(?:Return|Throw)\w*|shouldReceive|andReturn\w*|then(?:Return|Throw|Answer)|mock(?:Return|Resolved|Rejected)Value\w*|mockImplementation\w*|Returns(?:Async)?)\(`)

// Reassigns reports whether a test gives a variable more than one value.
func (c *Case) Reassigns(name string) bool {
	count := 0
	for _, s := range c.steps {
		names, _, ok := cutAssign(s.Text)
		if ok && slices.ContainsFunc(strings.Split(names, ","), func(n string) bool { return lastWord(n) == name }) {
			count++
		}
	}
	return count > 1
}

// lastWord returns the last word of a text: the name in "let mut x", "var x".
func lastWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// Acts are the statements of a test grouped by role.
type Acts struct {
	Calls             []string // qualified names of the test's subjects, without duplicates
	Given, When, Then []code.Step
}

// Acts groups the steps of a test. Steps before the first use of a subject are set-up, checks
// are outcome, and uses of a subject are the event.
func (c *Case) Acts() Acts {
	if c.acts == nil {
		acts := c.sorted()
		c.acts = &acts
	}
	return *c.acts
}

func (c *Case) sorted() Acts {
	subjects := c.subjects()
	a := Acts{Calls: namesOf(subjects)}
	for _, s := range c.steps {
		c.sort(&a, s, slices.ContainsFunc(subjects, func(t touch) bool { return t.in(s.Text) }))
	}
	if len(subjects) == 0 && len(a.When) == 0 {
		a.When, a.Given = c.lastSteps(a.Given)
	}
	a.Given = append(c.needed(a), a.Given...)
	return a
}

// sort adds a step to its group; calls says that the step uses a subject.
func (c *Case) sort(a *Acts, s code.Step, calls bool) {
	setUpFailed := s.FailsIf && strings.HasSuffix(s.Text, "err != nil") && len(a.When) == 0
	switch {
	case s.FailsIf && calls: // if got := f(); got != want
		a.event(s)
	case isNoise(s) && !calls, setUpFailed:
	case isAssertion(s), c.checks(s) && !calls:
		a.Then = append(a.Then, expected(s)...)
	case calls:
		a.When = append(a.When, s)
	case len(c.Rows) > 0 && isTable(s):
	case len(a.When) == 0 && len(a.Then) == 0:
		a.Given = append(a.Given, s)
	}
}

// isTable reports whether a statement declares the rows of a table test, which are shown
// separately.
func isTable(s code.Step) bool {
	_, value, ok := cutAssign(s.Text)
	return ok && (strings.HasPrefix(value, "[") || strings.HasPrefix(value, "map["))
}

// checks reports whether a statement calls a function of the test's file that checks
// something.
func (c *Case) checks(s code.Step) bool {
	name, _, called := strings.Cut(s.Text, "(")
	for _, own := range []string{"self.", "this.", "$this->", "await "} {
		name = strings.TrimPrefix(name, own)
	}
	if !called || nameAt(name) != name {
		return false
	}
	fn := c.file.functions[c.owner()+name]
	if fn == nil {
		fn = c.file.byLast[name]
	}
	return fn != nil && slices.ContainsFunc(fn.steps, isAssertion)
}

// lastSteps returns the acting steps of a test without resolved subjects: calls after the
// set-up whose result is not kept.
func (c *Case) lastSteps(given []code.Step) (when, set []code.Step) {
	for _, s := range c.steps {
		if _, _, sets := cutAssign(s.Text); !sets && !isAssertion(s) && !isNoise(s) && strings.Contains(s.Text, "(") {
			when = append(when, s)
		}
	}
	return when, slices.DeleteFunc(given, func(s code.Step) bool { return slices.Contains(when, s) })
}

// event splits off the statement at the start of a failure condition.
func (a *Acts) event(s code.Step) {
	if did, condition, ok := cutStatement(s.Text); ok {
		a.When = append(a.When, code.Step{Text: did, Line: s.Line})
		s.Text = condition
	}
	a.Then = append(a.Then, expected(s)...)
}

// cutStatement splits "x := f(); x != y" at the semicolon outside brackets.
func cutStatement(text string) (did, condition string, ok bool) {
	i := outside(text, ';')
	if i < 0 {
		return "", text, false
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:]), true
}

// opposites maps comparison operators to their negation.
var opposites = [][2]string{{" != ", " == "}, {" == ", " != "}, {" <= ", " > "}, {" >= ", " < "}, {" < ", " >= "}, {" > ", " <= "}}

// expected returns the condition under which a test passes, the negation of its failure
// condition, if that is simple.
func expected(s code.Step) []code.Step {
	if !s.FailsIf {
		return []code.Step{s}
	}
	if _, condition, ok := cutStatement(s.Text); ok {
		s.Text = condition
	}
	var out []code.Step
	for part := range strings.SplitSeq(s.Text, " || ") {
		text, ok := opposite(strings.TrimSpace(part))
		if !ok {
			return []code.Step{s}
		}
		out = append(out, code.Step{Text: text, Line: s.Line})
	}
	return out
}

// opposite negates a comparison, a name or a call.
func opposite(text string) (string, bool) {
	if strings.Contains(text, "&&") || strings.Count(text, "(") != strings.Count(text, ")") || strings.HasSuffix(text, "…") {
		return "", false
	}
	for _, o := range opposites {
		if left, right, ok := strings.Cut(text, o[0]); ok {
			return left + o[1] + right, !strings.ContainsAny(right, "=<>")
		}
	}
	if rest, ok := strings.CutPrefix(text, "!"); ok {
		return rest, true
	}
	return "!" + text, !strings.Contains(text, " ")
}

// in reports whether a text uses a symbol by the name that the test calls it by.
func (t touch) in(text string) bool {
	for at := 0; t.as != ""; {
		i := strings.Index(text[at:], t.as)
		if i < 0 {
			return false
		}
		at += i + len(t.as)
		before := byteAt(text, at-len(t.as)-1)
		if before != 0 && isNameByte(before) || t.selected && !strings.ContainsRune(".>:", rune(before)) {
			continue
		}
		rest := text[at:]
		switch {
		case rest == "" && t.selected, rest != "" && strings.ContainsAny(rest[:1], "([<!?,)"), strings.HasPrefix(rest, "::<"):
			return true
		case rest != "" && strings.ContainsAny(rest[:1], "{ ") && (isTypeKind(t.sym.Kind) || t.selected):
			return true // a literal, or a call in Ruby or Scala
		}
	}
	return false
}
