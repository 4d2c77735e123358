package prose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Check is what an assertion says of a value.
type Check struct {
	matcher
	Value string // source text
	Of    Part   // what of the value is meant
	Want  string // source text; "" for none
}

// Part is what a check is about.
type Part string

// The parts of a value. The zero value is the value itself.
const (
	Message Part = "message" // of an error
	Cause   Part = "cause"
)

// NotNull reports whether the check says nothing but that there is a value.
func (c *Check) NotNull() bool { return c.matcher == isNull.not() || c.matcher == isDefined }

// Fails reports whether the check is that the value, a call, fails.
func (c *Check) Fails() bool { return c.matcher == fails || c.matcher == failsWith }

// Checks returns what an assertion checks, in order; nil if it uses no matcher that is known.
func Checks(text string) []Check {
	text = cases.Bare(text)
	if c, ok := infix(text); ok {
		return []Check{c}
	}
	links := cases.Links(text)
	if links == nil {
		return nil
	}
	if list := chained(links); list != nil {
		return list
	}
	return called(links)
}

// starters are the functions that take the value under test and give something with matchers.
var starters = []string{"expect", "assertThat", "assert_that", "that", "That", "_", "value", "wrap", "Expect", "assertSoftly", "then", "assertWithMessage"}

// subjects are the members by which a value is asked for matchers.
var subjects = []string{"should", "should_not", "Should", "must", "to"}

// chained reads expect(v).not.toBe(w), v.should.equal(w), and v.must_equal w.
func chained(links []cases.Link) []Check {
	for i, l := range links {
		switch {
		case i < 2 && slices.Contains(starters, l.Name) && l.Called && len(l.Args) > 0:
			return started(links, i)
		case i > 0 && slices.Contains(subjects, l.Name) && i+1 < len(links):
			list := chain(links[i-1].Text, links[i+1:])
			if l.Name == "should_not" {
				list = inverted(list)
			}
			return list
		case i > 0 && l.Called && (strings.HasPrefix(l.Name, "must_") || strings.HasPrefix(l.Name, "wont_")):
			return chain(links[i-1].Text, links[i:])
		}
	}
	return nil
}

// started reads what follows a function that takes the value under test: matchers, or a constraint as its second argument.
func started(links []cases.Link, i int) []Check {
	l := links[i]
	if i+1 < len(links) {
		return chain(l.Args[0], links[i+1:])
	}
	if len(l.Args) > 1 && (i == 0 || slices.Contains([]string{"Assert", "MatcherAssert", "Assertions"}, links[0].Name)) {
		return constrained(l.Args)
	}
	return nil
}

// constrained reads what follows a value as a constraint: assertThat(v, is(w)), Assert.That(v, Is.EqualTo(w)).
func constrained(args []string) []Check {
	links := cases.Links(args[1])
	if links == nil {
		return nil
	}
	return chain(args[0], links)
}

// nouns are the words of a chain that are no matchers.
var nouns = wordSet("to be been have has resolves rejects an a that is with and at does deep own which same it its are strict loose asserttrue of number usingrecursivecomparison contains throw throws")

// negations are the words of a chain that negate the matcher after them.
var negations = wordSet("not tonot notto isnot never doesnot")

// ignored are the calls of a chain that say nothing of the value.
var ignored = wordSet("as describedas withfailmessage because withmessage named inorder")

// parts are the calls of a chain after which it is about a part of the value.
var parts = map[string]Part{"hasmessagethat": Message, "message": Message, "getmessage": Message, "hascausethat": Cause, "cause": Cause, "rootcause": Cause, "withmessagethat": Message}

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// chain reads matchers: .not.toBe(w), .isNotNull().hasSize(2), .to eq(w). It returns nil if a word in it is unknown.
func chain(value string, links []cases.Link) []Check {
	c := Check{Value: cases.Closure(value)}
	var out []Check
	negated := false
	for i, l := range links {
		name := folded(l.Name)
		m, known := matchers[name]
		last := i == len(links)-1
		switch {
		case negations[name]:
			negated = !negated
			if l.Called && len(l.Args) == 1 && last { // not(equalTo(w))
				return append(out, inverted(chain(value, cases.Links(l.Args[0])))...)
			}
		case ignored[name]:
		case parts[name] != "" && !last:
			c.Of = parts[name]
		case known && (l.Called || last || !nouns[name]):
			out = append(out, c.with(m, l, negated)...)
			negated = false
		case nouns[name]:
		default:
			return nil
		}
	}
	return out
}

// with returns the checks of a matcher.
func (c Check) with(m matcher, l cases.Link, negated bool) []Check {
	if inner := nested(c.Value, l); inner != nil {
		return inner
	}
	if negated {
		m = m.not()
	}
	return []Check{{m, c.Value, c.Of, strings.Join(l.Args, ", ")}}
}

// nested reads a matcher whose argument is one: is(equalTo(w)).
func nested(value string, l cases.Link) []Check {
	if len(l.Args) != 1 || folded(l.Name) != "is" {
		return nil
	}
	inner := cases.Links(l.Args[0])
	if len(inner) == 0 || !inner[len(inner)-1].Called {
		return nil
	}
	if _, known := matchers[folded(inner[len(inner)-1].Name)]; !known {
		return nil
	}
	return chain(value, inner)
}

func inverted(list []Check) []Check {
	for i := range list {
		list[i].matcher = list[i].not()
	}
	return list
}

// handles are first arguments by which an assertion reports its failure.
var handles = []string{"t", "tb", "b", "c", "assert", "self", "s.T()", "suite.T()", "ctx"}

// called reads assert.Equal(t, want, got), assertEquals(want, got) and c.Assert(got, qt.Equals, want).
func called(links []cases.Link) []Check {
	l := links[len(links)-1]
	if !l.Called || len(links) > 3 {
		return nil
	}
	args := l.Args
	if len(args) > 1 && slices.Contains(handles, args[0]) {
		args = args[1:]
	}
	name := folded(l.Name)
	if (name == "assert" || name == "check") && len(args) > 1 {
		if list := asserted(args); list != nil {
			return list
		}
	}
	f, known := functions[name]
	if !known || len(links) == 1 && !slices.ContainsFunc(unqualified, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return nil
	}
	if len(links) == 2 && slices.Contains(goPackages, links[0].Name) {
		f.value, f.want = 0, 1
	}
	return f.of(args, typeArgument(l.Text))
}

// unqualified are prefixes of assertions that are called without the name of a library, in lower case.
var unqualified = []string{"assert", "xct", "expect", "refute", "debugassert", "ok"}

// goPackages have functions that compare what was got with what is wanted, in this order.
var goPackages = []string{"reflect", "bytes", "slices", "maps", "cmp", "is", "strings"}

// typeArgument returns the type argument of a call: E of Throws<E>(…).
func typeArgument(text string) string {
	open := strings.IndexByte(text, '(')
	if open < 1 || text[open-1] != '>' {
		return ""
	}
	at := strings.IndexByte(text[:open], '<')
	return strings.TrimSuffix(text[max(at+1, 0):open-1], "?")
}

// of reads the arguments of an assertion; typed is its type argument.
func (f function) of(args []string, typed string) []Check {
	if typed != "" && !f.alone {
		if len(args) == 0 {
			return nil
		}
		return []Check{{f.matcher, cases.Closure(args[0]), "", typed}}
	}
	if max(f.value, f.want) >= len(args) {
		return f.short(args)
	}
	if f.isCondition() && isComparison(args[f.value]) {
		return nil
	}
	value, want := f.compared(args)
	c := Check{matcher: f.matcher, Value: cases.Closure(value)}
	if !f.alone {
		c.Want = want
	}
	if f.matcher == failsWith && f.value == 1 {
		c.Value = raising(c.Value, args)
	}
	return []Check{c}
}

// short reads an assertion with fewer arguments than its function takes: one that a closure fails may leave out the error.
func (f function) short(args []string) []Check {
	if f.matcher != failsWith || len(args) == 0 {
		return nil
	}
	return failing(args[0])
}

// compared returns the argument that is checked and the one that is expected. A literal is expected, in whatever order they
// are given.
func (f function) compared(args []string) (value, want string) {
	value, want = args[f.value], args[f.want]
	if f.value != f.want && isLiteral(value) && !isLiteral(want) {
		return want, value
	}
	return value, want
}

// isCondition reports whether the assertion is that its argument holds, or does not.
func (f function) isCondition() bool { return f.matcher == isTrue || f.matcher == isTrue.not() }

// raising returns the call that assertRaises(E, f, x) makes; other values are returned unchanged.
func raising(value string, args []string) string {
	if len(args) > 2 && !strings.ContainsAny(args[1], "(){}") {
		return args[1] + "(" + strings.Join(args[2:], ", ") + ")"
	}
	return value
}

// failing returns the check that a closure fails; nil for the type of an error, which a with statement names.
func failing(arg string) []Check {
	if strings.HasSuffix(arg, "Error") || strings.HasSuffix(arg, "Exception") {
		return nil
	}
	return []Check{{fails, cases.Closure(arg), "", ""}}
}

// asserted reads the matcher between the value and what is expected, of quicktest and gocheck.
func asserted(args []string) []Check {
	negated := false
	name := args[1]
	if inner, ok := strings.CutSuffix(name, ")"); ok {
		head, rest, found := strings.Cut(inner, "(")
		if !found || folded(head[strings.LastIndexByte(head, '.')+1:]) != "not" {
			return nil
		}
		negated, name = true, rest
	}
	m, known := matchers[folded(name[strings.LastIndexByte(name, '.')+1:])]
	if !known {
		return nil
	}
	if negated {
		m = m.not()
	}
	c := Check{matcher: m, Value: args[0]}
	if len(args) > 2 && !m.alone {
		c.Want = args[2]
	}
	return []Check{c}
}

// isLiteral reports whether an argument is a value that is written out.
func isLiteral(text string) bool {
	text = strings.TrimSpace(strings.TrimLeft(text, "&-"))
	switch {
	case text == "":
		return false
	case isNothing(text), slices.Contains([]string{"true", "false", "True", "False"}, text):
		return true
	}
	for _, prefix := range []string{"b\"", "b'", "r\"", "f\"", "f'", "@\"", "$\"", "[]byte(", "[]string{", "map["} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return strings.IndexByte("\"'`[{0123456789:/", text[0]) >= 0
}

// infixes are operators of test libraries that compare the values on both sides.
var infixes = []struct {
	operator string
	matcher
}{{" shouldBe ", isEqual}, {" shouldNotBe ", isEqual.not()}, {" shouldEqual ", isEqual}, {" shouldContain ", contains}, {" should equal ", isEqual}, {" should be ", isEqual}, {" must be ", isEqual}, {" mustBe ", isEqual}}

// infix reads x shouldBe y.
func infix(text string) (Check, bool) {
	for _, i := range infixes {
		left, right, ok := code.CutOutside(text, i.operator)
		if ok && right != "" {
			return Check{i.matcher, left, "", right}, true
		}
	}
	return Check{}, false
}

// Assertion puts what a test checks into words; text is the statement, or the condition under which it passes.
func (w Writer) Assertion(text string) string {
	text = cases.Bare(text)
	if list := Checks(text); list != nil {
		var out []string
		for i := range list {
			out = append(out, w.Check(&list[i]))
		}
		return w.and(out)
	}
	if out := w.raises(text); out != "" {
		return out
	}
	text = conditionOf(text)
	if left, _, ok := code.CutOutside(text, ", "); ok { // assert x, "message"
		text = left
	}
	a := atom{Writer: w}
	return a.say1(text, true)
}

// AssertionOf is [Writer.Assertion] for a condition whose left side has words of its own.
func (w Writer) AssertionOf(text string, value func(text string) string) string {
	condition := conditionOf(cases.Bare(text))
	for _, c := range comparisons {
		left, right, ok := code.CutOutside(condition, c.operator)
		if !ok || strings.Contains(right, " and ") || strings.Contains(condition, "&&") || strings.Contains(condition, "||") {
			continue
		}
		if words := value(left); words != span(left) {
			return w.CheckOf(&Check{matcher: c.matcher, Value: left, Want: right}, value)
		}
		if words := value(right); words != span(right) && c.matcher == isEqual {
			return w.fill(c.matcher, words, span(left))
		}
		break
	}
	return w.Assertion(text)
}

// comparisons are operators with the matchers that they are.
var comparisons = []struct {
	operator string
	matcher
}{{" == ", isEqual}, {" === ", isEqual}, {" != ", isEqual.not()}, {" is not ", isEqual.not()}, {" is ", isEqual}}

// isComparison reports whether a condition compares two values.
func isComparison(text string) bool {
	return slices.ContainsFunc([]string{" == ", " != ", " === ", " !== ", " is ", " in ", " not in ", " < ", " > ", " <= ", " >= ", " && ", " || ", " and ", " or "}, func(sign string) bool {
		return outside(text, sign)
	})
}

// conditionOf returns the condition of an assertion without a matcher.
func conditionOf(text string) string {
	if links := cases.Links(text); len(links) > 0 {
		l := links[len(links)-1]
		f, known := functions[folded(l.Name)]
		if l.Called && len(l.Args) > 0 && known && f.matcher == isTrue {
			return l.Args[0]
		}
		if l.Called && len(l.Args) > 0 && known && f.matcher == isTrue.not() {
			return "!(" + l.Args[0] + ")"
		}
	}
	for _, word := range []string{"#expect(", "#require(", "expect(", "CHECK(", "REQUIRE(", "ASSERT("} {
		if rest, ok := strings.CutPrefix(text, word); ok && strings.HasSuffix(rest, ")") {
			return strings.TrimSuffix(rest, ")")
		}
	}
	return strings.TrimPrefix(text, "assert ")
}

// Check puts a check into words.
func (w Writer) Check(c *Check) string {
	return w.CheckOf(c, w.Value)
}

// Value marks source text as code, with the part that is meant of it.
func (w Writer) Value(text string) string { return span(text) }

// CheckOf puts a check into words, given the words of values.
func (w Writer) CheckOf(c *Check, name func(text string) string) string {
	value := name(c.Value)
	switch c.Of {
	case Message:
		value = wording.In(w.Lang, "the message", "消息")
	case Cause:
		value = wording.In(w.Lang, "the cause", "原因")
	}
	if text := w.ofError(c); text != "" {
		return text
	}
	m, want := c.matcher, c.Want
	if want == "" && !m.alone {
		m = alone(m)
	}
	if (m == isTrue || m == isTrue.not()) && value == span(c.Value) {
		a := atom{Writer: w}
		return a.say1(c.Value, m == isTrue)
	}
	if m.alone {
		return w.fill(m, value, "")
	}
	if m == failsWith || m == failsWith.not() || m == hasType || m == hasType.not() {
		want = TypeName(want)
	}
	return w.fill(m, value, name(want))
}

// ofError says whether there is an error; "" for checks of anything else.
func (w Writer) ofError(c *Check) string {
	switch {
	case !code.IsErrorName(c.Value):
	case c.matcher == isError.not(), c.matcher == isNull, c.matcher == isEqual && c.Want == "nil":
		return wording.In(w.Lang, "no error is returned", "不返回错误")
	case c.matcher == isError, c.matcher == isNull.not(), c.matcher == isEqual.not() && c.Want == "nil":
		return wording.In(w.Lang, "an error is returned", "返回错误")
	}
	return ""
}

// fill writes a matcher's words.
func (w Writer) fill(m matcher, value, want string) string {
	format := wording.In(w.Lang, m.en, m.zh)
	if m.alone {
		return fmt.Sprintf(format, value)
	}
	return fmt.Sprintf(format, value, want)
}

// TypeName returns a type without the syntax that names it as a value: E of E.class, typeof(E), E::class.
func TypeName(text string) string {
	if inner, ok := strings.CutPrefix(text, "typeof("); ok {
		text = strings.TrimSuffix(inner, ")")
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(text, ".class.java"), ".class"), "::class")
}

// raised reads what a block is expected to raise, as pytest.raises(E, match="…") does.
var raised = lazyregexp.New(`^(?:pytest\.raises|pytest\.warns|pytest\.deprecated_call|self\.assertRaises|self\.assertRaisesRegex|assert_raises|assert_raise|assertRaises)\((.*)\)(?: as \w+)?$`)

// raises reads an expected exception; "" if the text is something else.
func (w Writer) raises(text string) string {
	error, message := Raised(text)
	switch {
	case error == "":
		return ""
	case Warns(text) && message == "":
		return w.say("it warns with %s", "发出警告 %s", error)
	case Warns(text):
		return w.say("it warns with %s, whose message matches %s", "发出警告 %s，消息匹配 %s", error, message)
	case message == "":
		return w.say("it raises %s", "抛出 %s", error)
	}
	return w.say("it raises %s with %s", "抛出 %s：%s", error, message)
}

// Warns reports whether what a block is expected to raise is a warning, after which it goes on.
func Warns(text string) bool {
	return strings.HasPrefix(text, "pytest.warns(") || strings.HasPrefix(text, "pytest.deprecated_call(")
}

// Raised returns the exception that a with statement or a block is expected to raise, and its message or a pattern of it, as
// written; "" for other texts.
func Raised(text string) (error, message string) {
	found := raised.FindStringSubmatch(text)
	if found == nil {
		return "", ""
	}
	args := arguments("f(" + found[1] + ")")
	if len(args) == 0 {
		return "", ""
	}
	if len(args) > 1 {
		message = strings.TrimSpace(args[1])
		if name, value, ok := strings.Cut(message, "="); ok {
			if message = ""; strings.TrimSpace(name) == "match" {
				message = strings.TrimSpace(value)
			}
		}
		if strings.Contains(message, "->") || strings.Contains(message, "lambda") {
			message = ""
		}
	}
	return args[0], message
}

// alone returns the matcher that expects nothing in particular.
func alone(m matcher) matcher {
	switch m {
	case failsWith:
		return fails
	case failsWith.not():
		return fails.not()
	}
	return isTrue
}
