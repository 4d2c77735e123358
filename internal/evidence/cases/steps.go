package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// assertions are what the statements begin with that check something, and what may
// stand before.
var (
	assertions = []string{
		"assert", "expect", "self.assert", "self.fail", "self::assert", "static::assert", "$this->assert", "$this->expect", "this.assert",
		"Assert", "require.", "verify(", "pytest.raises", "pytest.warns", "with pytest", "prints ", "throws ", "XCTAssert", "#expect", "#require",
		"debug_assert", "EXPECT_", "ASSERT_", "CHECK", "REQUIRE", "TEST_ASSERT", "ck_assert", "BOOST_", "KUNIT_EXPECT", "munit_assert", "g_assert",
		"refute", "must_", "intercept", "should", "then(", "check(", "cmp_ok", "is_deeply",
	}
	// asserting are the methods of the object that tape, tap, ava and node:test hand to a test.
	asserting = setOf("is", "not", "equal", "equals", "notEqual", "deepEqual", "deepEquals", "notDeepEqual", "strictEqual", "same", "strictSame", "match",
		"true", "false", "ok", "notOk", "throws", "doesNotThrow", "rejects", "snapshot", "assert", "like", "truthy", "falsy", "looseEqual", "type", "compare",
		"fails", "isDeeply", "error", "ifError", "deepLooseEqual", "throwsAsync", "notThrows", "regex")
	awaits = []string{"await ", "try await ", "try ", "return ", "void "}
	// inAssertions stand in statements of which the subject comes first.
	inAssertions = []string{".should", ".must_", ".must(", ".to.", " shouldBe ", " should ", " shouldEqual ", " mustBe ", " must ", ".Should()", ".expect("}
)

// isAssertion tells a statement that checks something.
func isAssertion(s code.Step) bool {
	text := s.Text
	if _, value, ok := cutAssign(text); ok {
		text = value
	}
	for _, a := range awaits {
		text = strings.TrimPrefix(text, a)
	}
	if on, method, ok := strings.Cut(text, "."); ok && len(on) <= len("tst") && nameAt(on) == on && asserting[nameAt(method)] {
		return true
	}
	return s.FailsIf || slices.ContainsFunc(assertions, func(a string) bool { return strings.HasPrefix(text, a) }) ||
		slices.ContainsFunc(inAssertions, func(a string) bool { return strings.Contains(text, a) })
}

// noise are statements that say how a test runs and not what it is about.
var noise = []string{
	"t.Helper()", "t.Parallel()", "b.ReportAllocs()", "t.Log", "t.Skip", "t.Cleanup(", "t.Setenv(", "setParallel(", "ctx := ", "ctx, cancel", "log.", "fmt.Print",
	"defer ", "runtime.GC(", "runtime.Gosched(", "time.Sleep(", "testenv.", "wg.", "console.", "print(", "println", "jest.", "vi.", "t.plan(", "t.end(",
	"done()", "assert.expect(", "t.timeout(", "this.timeout(", "this.skip(", "self.addCleanup(", "self.skipTest(", "self.subTest(", "super()", "super(", "parent::", "return",
	"fail(", "Assert.fail(", "Assert.Fail(", "logger.", "logging.", "System.out.", "Console.Write", "tracing_subscriber", "env_logger", "global ", "pass", "echo ", "use ", "setlocal", "using namespace",
}

// isNoise tells a statement that a reader can do without.
func isNoise(s code.Step) bool {
	if left, right, ok := strings.Cut(s.Text, " := "); ok && left == right { // tt := tt
		return true
	}
	return slices.ContainsFunc(noise, func(n string) bool { return strings.HasPrefix(s.Text, n) })
}

// Acts are the statements of a test by their part in it.
type Acts struct {
	Calls             []string // qualified names of what the test is about, each once
	Given, When, Then []code.Step
}

// Acts sorts the steps of a test: what stands above the first use of a subject is
// set-up, what checks is outcome, what uses one is the event.
func (c *Case) Acts() Acts {
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

// sort puts a step where it belongs; calls tells that it uses a subject.
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

// isTable tells the statement that declares rows, which are told apart.
func isTable(s code.Step) bool {
	_, value, ok := cutAssign(s.Text)
	return ok && (strings.HasPrefix(value, "[") || strings.HasPrefix(value, "map["))
}

// checks tells the call of a function of the test's file that checks something.
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

// lastSteps are those of a test that uses nothing by name that do something: what
// it calls without keeping the result, behind its set-up.
func (c *Case) lastSteps(given []code.Step) (when, set []code.Step) {
	for _, s := range c.steps {
		if _, _, sets := cutAssign(s.Text); !sets && !isAssertion(s) && !isNoise(s) && strings.Contains(s.Text, "(") {
			when = append(when, s)
		}
	}
	return when, slices.DeleteFunc(given, func(s code.Step) bool { return slices.Contains(when, s) })
}

// event takes a condition of failure apart that begins with the statement whose
// result it looks at.
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

// opposites are the signs of comparison, each with what holds where it does not.
var opposites = [][2]string{{" != ", " == "}, {" == ", " != "}, {" <= ", " > "}, {" >= ", " < "}, {" < ", " >= "}, {" > ", " <= "}}

// expected is what holds where a test does not fail: the opposite of its condition,
// where that is plain.
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

// opposite negates a comparison or a name or call.
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

// in tells whether a text uses a thing by the name by which the test calls it.
func (t touch) in(text string) bool {
	name := t.call.Name
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i + len(name)
		before := byteAt(text, at-len(name)-1)
		if before != 0 && isNameByte(before) || t.call.Receiver != "" && !strings.ContainsRune(".>:", rune(before)) {
			continue
		}
		rest := text[at:]
		switch {
		case rest == "" && t.call.Receiver != "", rest != "" && strings.ContainsAny(rest[:1], "([<!?,)"), strings.HasPrefix(rest, "::<"):
			return true
		case rest != "" && strings.ContainsAny(rest[:1], "{ ") && (isTypeKind(t.sym.Kind) || t.call.Receiver != ""):
			return true // a literal; Ruby's calls and Scala's
		}
	}
	return false
}
