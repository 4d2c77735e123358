package prose

import (
	"regexp"
	"slices"
	"strings"
)

// matcher is an assertion of a test library: which of its parts are the value under test and what is expected, and the
// words between them.
type matcher struct {
	en, no, zh, noZh string // formats: of the value, and of what is expected if it is given
	alone            bool   // nothing is expected beside the matcher itself
}

var (
	isEqual    = matcher{"%s is %s", "%s is not %s", "%s 为 %s", "%s 不为 %s", false}
	isTrue     = matcher{"%s holds", "%s does not hold", "%s 成立", "%s 不成立", true}
	isTruthy   = matcher{"%s is truthy", "%s is falsy", "%s 为真值", "%s 为假值", true}
	isNull     = matcher{"%s is null", "%s is not null", "%s 为空值", "%s 不为空值", true}
	isEmpty    = matcher{"%s is empty", "%s is not empty", "%s 为空", "%s 不为空", true}
	contains   = matcher{"%s contains %s", "%s does not contain %s", "%s 包含 %s", "%s 不包含 %s", false}
	matches    = matcher{"%s matches %s", "%s does not match %s", "%s 匹配 %s", "%s 不匹配 %s", false}
	hasType    = matcher{"%s is of type %s", "%s is not of type %s", "%s 的类型为 %s", "%s 的类型不为 %s", false}
	hasSize    = matcher{"%s has %s elements", "%s does not have %s elements", "%s 有 %s 个元素", "%s 的元素个数不为 %s", false}
	fails      = matcher{"%s fails", "%s succeeds", "%s 失败", "%s 成功", true}
	failsWith  = matcher{"%s fails with %s", "%s does not fail with %s", "%s 失败并给出 %s", "%s 不以 %s 失败", false}
	isDefined  = matcher{"%s is defined", "%s is not defined", "%s 已定义", "%s 未定义", true}
	isCalled   = matcher{"%s is called", "%s is not called", "%s 被调用", "%s 未被调用", true}
	calledWith = matcher{"%s is called with %s", "%s is not called with %s", "%s 以 %s 被调用", "%s 未以 %s 被调用", false}
	isGreater  = matcher{"%s is greater than %s", "%s is not greater than %s", "%s 大于 %s", "%s 不大于 %s", false}
	isLess     = matcher{"%s is less than %s", "%s is not less than %s", "%s 小于 %s", "%s 不小于 %s", false}
)

// chained are the matchers that are called on the value under test: expect(v).toBe(w), assertThat(v).isEqualTo(w).
var chained = map[string]matcher{
	"toBe": isEqual, "toEqual": isEqual, "toStrictEqual": isEqual, "equal": isEqual, "eql": isEqual, "eq": isEqual, "isEqualTo": isEqual,
	"equals": isEqual, "be": isEqual, "toMatchObject": contains, "deep.equal": isEqual, "deepEqual": isEqual,
	"toBeTruthy": isTruthy, "toBeFalsy": isTruthy.not(), "isTrue": isTrue, "isFalse": isTrue.not(), "be_truthy": isTrue, "be_falsey": isTrue.not(),
	"toBeNull": isNull, "isNull": isNull, "be_nil": isNull, "isNotNull": isNull.not(), "toBeUndefined": isDefined.not(), "toBeDefined": isDefined,
	"toContain": contains, "toContainEqual": contains, "contains": contains, "include": contains, "containsExactly": contains,
	"toMatch": matches, "matches": matches, "match": matches, "toBeInstanceOf": hasType, "isInstanceOf": hasType, "toHaveLength": hasSize,
	"hasSize": hasSize, "isEmpty": isEmpty, "be_empty": isEmpty, "isNotEmpty": isEmpty.not(),
	"toThrow": failsWith, "toThrowError": failsWith, "raise_error": failsWith, "throw": failsWith, "hasMessage": failsWith,
	"toHaveBeenCalled": isCalled, "toHaveBeenCalledWith": calledWith, "toBeGreaterThan": isGreater, "toBeLessThan": isLess, "toHaveProperty": contains,
}

// not returns the opposite matcher.
func (m matcher) not() matcher { return matcher{m.no, m.en, m.noZh, m.zh, m.alone} }

// function is an assertion that takes the value under test as an argument.
type function struct {
	matcher
	value, want int // indexes of the arguments, after a first one that is the test's own handle
}

// functions are the assertions that are called with the value under test, by their names in lower case without "_" and "!".
var functions = map[string]function{
	"assertequal": {isEqual, 0, 1}, "assertequals": {isEqual, 1, 0}, "equal": {isEqual, 1, 0}, "areequal": {isEqual, 1, 0}, "asserteq": {isEqual, 0, 1},
	"assertsame": {isEqual, 1, 0}, "strictequal": {isEqual, 0, 1}, "deepequal": {isEqual, 0, 1}, "deepstrictequal": {isEqual, 0, 1},
	"xctassertequal": {isEqual, 0, 1}, "assertlistequal": {isEqual, 0, 1}, "assertdictequal": {isEqual, 0, 1}, "equalvalues": {isEqual, 1, 0},
	"assertne": {isEqual.not(), 0, 1}, "assertnotequal": {isEqual.not(), 0, 1}, "assertnotequals": {isEqual.not(), 1, 0}, "notequal": {isEqual.not(), 1, 0},
	"xctassertnotequal": {isEqual.not(), 0, 1},
	"asserttrue":        {isTrue, 0, 0}, "assert": {isTrue, 0, 0}, "true": {isTrue, 0, 0}, "istrue": {isTrue, 0, 0}, "xctasserttrue": {isTrue, 0, 0}, "ok": {isTrue, 0, 0},
	"assertfalse": {isTrue.not(), 0, 0}, "false": {isTrue.not(), 0, 0}, "isfalse": {isTrue.not(), 0, 0}, "xctassertfalse": {isTrue.not(), 0, 0},
	"assertnull": {isNull, 0, 0}, "assertnone": {isNull, 0, 0}, "assertisnone": {isNull, 0, 0}, "nil": {isNull, 0, 0}, "xctassertnil": {isNull, 0, 0}, "null": {isNull, 0, 0}, "assertnil": {isNull, 0, 0},
	"assertnotnull": {isNull.not(), 0, 0}, "assertisnotnone": {isNull.not(), 0, 0}, "notnil": {isNull.not(), 0, 0}, "notnull": {isNull.not(), 0, 0}, "xctassertnotnil": {isNull.not(), 0, 0}, "assertnotnil": {isNull.not(), 0, 0},
	"noerror": {fails.not(), 0, 0}, "error": {fails, 0, 0}, "errorcontains": {failsWith, 0, 1}, "erroris": {isEqual, 0, 1}, "errorequal": {failsWith, 0, 1}, "eqerror": {failsWith, 0, 1},
	"contains": {contains, 0, 1}, "assert" + "in": {contains, 1, 0}, "notcontains": {contains.not(), 0, 1}, "assertnotin": {contains.not(), 1, 0}, "assertcontains": {contains, 1, 0},
	"len": {hasSize, 0, 1}, "assertcount": {hasSize, 1, 0}, "empty": {isEmpty, 0, 0}, "assertempty": {isEmpty, 0, 0}, "notempty": {isEmpty.not(), 0, 0},
	"assertisinstance": {hasType, 0, 1}, "assertinstanceof": {hasType, 1, 0}, "assertregex": {matches, 0, 1}, "assertmatch": {matches, 1, 0},
	"assertraises": {failsWith, 1, 0}, "assertthrows": {failsWith, 1, 0}, "throws": {failsWith, 0, 1}, "rejects": {failsWith, 0, 1}, "panics": {fails, 0, 0},
	"assertgreater": {isGreater, 0, 1}, "greater": {isGreater, 0, 1}, "assertless": {isLess, 0, 1}, "less": {isLess, 0, 1},
}

// handles are first arguments by which an assertion reports its failure.
var handles = []string{"t", "tb", "b", "c", "assert", "self"}

// Assertion puts what a test checks into words; text is the statement, or the condition under which it passes.
func (w Writer) Assertion(text string) string {
	text = strings.TrimSuffix(strings.TrimSpace(text), ";")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "await "), "return ")
	for _, read := range []func(string) string{w.chainedAssertion, w.functionAssertion, w.raises} {
		if out := read(text); out != "" {
			return out
		}
	}
	for _, word := range []string{"assert ", "#expect(", "expect("} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			text = strings.TrimSuffix(rest, ")")
			if word == "assert " {
				text = rest
			}
			break
		}
	}
	if left, _, ok := cutOutside(text, ", "); ok && strings.HasPrefix(text, left) { // assert x, "message"
		text = left
	}
	a := atom{Writer: w}
	return a.say1(text, true)
}

// chainedAssertion reads expect(v).not.toBe(w); "" if the text is something else.
func (w Writer) chainedAssertion(text string) string {
	start := ""
	for _, name := range []string{"expect", "assertThat", "assert.that", "Assert.That"} {
		if strings.HasPrefix(text, name+"(") {
			start = name
		}
	}
	if start == "" {
		return ""
	}
	end := closingOf(text, len(start))
	if end < 0 {
		return ""
	}
	value, rest := text[len(start)+1:end], text[end+1:]
	m, want, ok := chain(rest)
	if !ok {
		return ""
	}
	return w.matched(m, called(value), want)
}

// links are the words of a chain that are no matchers.
var links = []string{"to", "be", "been", "have", "resolves", "rejects", "a", "an", "that", "is"}

// chain reads ".not.toBe(w)" and " to eq(w)".
func chain(rest string) (m matcher, want string, ok bool) {
	negated := false
	for rest != "" {
		rest = strings.TrimLeft(rest, ". ")
		end := strings.IndexAny(rest, ".( ")
		name, tail := rest, ""
		if end >= 0 {
			name, tail = rest[:end], rest[end:]
		}
		known, found := chained[name]
		switch {
		case name == "not" || name == "not_to" || name == "to_not":
			negated = !negated
		case found && (tail == "" || tail[0] != '.' || !slices.Contains(links, name)):
			if negated {
				known = known.not()
			}
			args := strings.TrimSpace(tail)
			if strings.HasPrefix(args, "(") {
				if args = args[1:]; strings.HasSuffix(args, ")") {
					args = args[:len(args)-1]
				}
			}
			return known, strings.TrimSuffix(strings.TrimSpace(args), ","), true
		case !slices.Contains(links, name):
			return m, "", false
		}
		rest = tail
	}
	return m, "", false
}

// functionAssertion reads assert.Equal(t, want, got) and assertEquals(want, got); "" if the text is something else.
func (w Writer) functionAssertion(text string) string {
	open := strings.IndexByte(text, '(')
	if open <= 0 || closingOf(text, open) != len(text)-1 {
		return ""
	}
	name := text[strings.LastIndexAny(text[:open], ".>: ")+1 : open]
	f, known := functions[strings.ToLower(strings.NewReplacer("_", "", "!", "").Replace(name))]
	qualified := strings.ContainsAny(text[:open], ".>:")
	if !known || !qualified && !strings.HasPrefix(strings.ToLower(name), "assert") && !strings.HasPrefix(name, "XCT") {
		return ""
	}
	args := arguments(text)
	if len(args) > 1 && slices.Contains(handles, args[0]) {
		args = args[1:]
	}
	if max(f.value, f.want) >= len(args) {
		return ""
	}
	want := ""
	if !f.alone {
		want = args[f.want]
	}
	if f.alone && (f.matcher == isTrue || f.matcher == isTrue.not()) {
		a := atom{Writer: w}
		return a.say1(called(args[f.value]), f.matcher == isTrue)
	}
	return w.matched(f.matcher, called(args[f.value]), want)
}

// raised reads what a block is expected to raise, as pytest.raises(E, match="…") does.
var raised = regexp.MustCompile(`(?:pytest\.raises|assertRaises|assertRaisesRegex|assertThrows|assert_raises|assert_raise)\(([\w.:]+)(?:\.class)?(?:, *(?:match *= *)?(.+))?\)`)

// raises reads an expected exception; "" if the text is something else.
func (w Writer) raises(text string) string {
	found := raised.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	if found[2] == "" || strings.Contains(found[2], "->") || strings.Contains(found[2], "lambda") {
		return w.say("it raises %s", "抛出 %s", found[1])
	}
	return w.say("it raises %s with %s", "抛出 %s：%s", found[1], strings.TrimSuffix(found[2], ")"))
}

// matched fills a matcher's words.
func (w Writer) matched(m matcher, value, want string) string {
	if want == "" && !m.alone {
		m = alone(m)
	}
	if m.alone {
		return w.say(m.en, m.zh, value)
	}
	return w.say(m.en, m.zh, value, want)
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

// called returns what a function without parameters does: () => f(x) is f(x).
func called(text string) string {
	text = strings.TrimSpace(text)
	for _, arrow := range []string{"() =>", "async () =>", "() ->", "lambda:", "function() {", "function () {"} {
		if rest, ok := strings.CutPrefix(text, arrow); ok {
			rest = strings.TrimSpace(rest)
			if strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}") {
				rest = rest[1 : len(rest)-1]
			}
			return lastCall(strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(rest, "}")), ";"))
		}
	}
	return text
}

// lastCall returns the call that ends a statement, without the comment that was joined to its line.
func lastCall(text string) string {
	open := openingOf(text)
	if !strings.HasPrefix(text, "//") || open < 0 {
		return text
	}
	start := strings.LastIndexByte(text[:open], ' ') + 1
	return text[start:]
}

// closingOf returns the index of the bracket that closes the one at open; -1 for none.
func closingOf(text string, open int) int {
	for end := open + 1; end <= len(text); end++ {
		if end < len(text) && text[end] == ')' && openingOf(text[:end+1]) == open {
			return end
		}
	}
	return -1
}
