package cfamily

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// testForm describes the framework of a test macro and how the macro names its test.
type testForm struct {
	runner string
	form   int
}

const (
	suiteAndName = iota // (Suite, Name)
	oneName             // (name)
	quotedName          // ("name", ...)
)

// testMacros are the macros that define tests.
var testMacros = map[string]testForm{
	"TEST": {"gtest", suiteAndName}, "TEST_F": {"gtest", suiteAndName}, "TEST_P": {"gtest", suiteAndName},
	"TYPED_TEST": {"gtest", suiteAndName}, "TYPED_TEST_P": {"gtest", suiteAndName},
	"TEST_CASE": {"catch2", quotedName}, "SECTION": {"catch2", quotedName}, "DYNAMIC_SECTION": {"catch2", quotedName},
	"TEMPLATE_TEST_CASE": {"catch2", quotedName}, "SCENARIO": {"catch2", quotedName}, "GIVEN": {"catch2", quotedName},
	"WHEN": {"catch2", quotedName}, "THEN": {"catch2", quotedName}, "AND_WHEN": {"catch2", quotedName}, "AND_THEN": {"catch2", quotedName},
	"SUBCASE": {"doctest", quotedName}, "TEST_CASE_TEMPLATE": {"doctest", quotedName}, "TEST_SUITE": {"doctest", quotedName},
	"BOOST_AUTO_TEST_SUITE": {"boost", oneName}, "BOOST_AUTO_TEST_CASE": {"boost", oneName}, "BOOST_FIXTURE_TEST_CASE": {"boost", oneName},
	"BOOST_FIXTURE_TEST_SUITE": {"boost", oneName}, "BOOST_AUTO_TEST_CASE_TEMPLATE": {"boost", oneName}, "BOOST_DATA_TEST_CASE": {"boost", oneName},
	"START_TEST": {"check", oneName}, "RUN_TEST": {"unity", oneName}, "KUNIT_CASE": {"kunit", oneName}, "KUNIT_CASE_SLOW": {"kunit", oneName},
	"cmocka_unit_test": {"cmocka", oneName}, "cmocka_unit_test_setup": {"cmocka", oneName}, "cmocka_unit_test_teardown": {"cmocka", oneName},
	"cmocka_unit_test_setup_teardown": {"cmocka", oneName},
}

// testGroups are the macros that define a group of tests.
var testGroups = core.SetOf("TEST_SUITE", "BOOST_AUTO_TEST_SUITE", "BOOST_FIXTURE_TEST_SUITE")

// tests finds tests defined by macros. A test inside the block of another is named after it.
// The text is read, since macros are not part of the grammar.
func tests(r *core.Reader) {
	text := r.Source[:r.Length]
	likely := false
	for _, part := range []string{"TEST", "SCENARIO", "KUNIT_CASE", "cmocka_unit_test"} {
		likely = likely || bytes.Contains(text, []byte(part))
	}
	if !likely {
		return
	}
	t := &testReader{Reader: r, tokens: repair.Tokens(text, r.File.Language == "cpp"), doctest: bytes.Contains(text, []byte("doctest"))}
	t.pair()
	for i, k := range t.tokens {
		for len(t.groups) > 0 && t.groups[len(t.groups)-1].End <= k.Start {
			t.groups = t.groups[:len(t.groups)-1]
		}
		if k.Kind != repair.Word {
			continue
		}
		if form, ok := testMacros[t.at(i)]; ok && t.at(i+1) == "(" {
			t.test(i, form)
		} else if t.at(i) == "BOOST_AUTO_TEST_SUITE_END" && len(t.groups) > 0 {
			t.groups = t.groups[:len(t.groups)-1]
		}
	}
}

type testReader struct {
	*core.Reader
	tokens  []repair.Token
	close   []int // for each opening bracket, the index of the closing one
	doctest bool
	groups  []core.Span // the blocks and names of the enclosing tests
}

// pair matches the brackets, each kind separately.
func (t *testReader) pair() {
	t.close = make([]int, len(t.tokens))
	open := map[string][]int{}
	for i, k := range t.tokens {
		if k.Kind != repair.Punct {
			continue
		}
		switch text := t.at(i); text {
		case "(", "{":
			open[syntax.Closers[text]] = append(open[syntax.Closers[text]], i)
		case ")", "}":
			if stack := open[text]; len(stack) > 0 {
				t.close[stack[len(stack)-1]] = i
				open[text] = stack[:len(stack)-1]
			}
		}
	}
}

func (t *testReader) at(i int) string {
	if i < 0 || i >= len(t.tokens) {
		return ""
	}
	return string(t.Source[t.tokens[i].Start:t.tokens[i].End])
}

// test adds the test that the macro at i defines.
func (t *testReader) test(i int, form testForm) {
	end := t.close[i+1]
	name := testName(form, t.arguments(i+2, end))
	if name == "" || end == 0 {
		return
	}
	runner, macro := form.runner, t.at(i)
	if t.doctest && runner == "catch2" {
		runner = "doctest"
	}
	var path strings.Builder
	for _, g := range t.groups {
		path.WriteString(g.Name + " > ")
	}
	block := core.Span{Start: t.tokens[i].Start, Name: name}
	switch {
	case t.at(end+1) == "{" && t.close[end+1] > 0:
		block.End = t.tokens[t.close[end+1]].End
	case strings.HasSuffix(macro, "TEST_SUITE"):
		block.End = len(t.Source)
	}
	if block.End > 0 {
		t.groups = append(t.groups, block)
	}
	if !testGroups[macro] {
		first, last := t.body(name, t.tokens[i].Start, max(t.tokens[end].End, block.End))
		t.File.Tests = append(t.File.Tests, code.Test{Name: path.String() + name, Line: first, EndLine: last, Runner: runner})
	}
}

// body returns the lines of a test: those of the named function if the macro only names one,
// else those between two offsets.
func (t *testReader) body(name string, from, to int) (first, last int) {
	for i := range t.File.Symbols {
		if s := &t.File.Symbols[i]; s.Name == name && s.Kind == code.Function {
			return s.StartLine, s.EndLine
		}
	}
	return t.Line(from), t.Line(to - 1)
}

// arguments returns the tokens between two indexes, split at top-level commas.
func (t *testReader) arguments(from, to int) []string {
	var args []string
	arg, depth := "", 0
	for i := from; i < to; i++ {
		text := t.at(i)
		switch {
		case text == "(" || text == "{":
			depth++
		case text == ")" || text == "}":
			depth--
		case text == "," && depth == 0:
			args, arg = append(args, arg), ""
			continue
		}
		arg += text
	}
	return append(args, arg)
}

// testName returns the name of a test from the arguments of its macro.
func testName(form testForm, args []string) string {
	switch {
	case form.form == quotedName && strings.HasPrefix(args[0], `"`):
		return strings.Trim(args[0], `"`)
	case form.form == quotedName || form.form == suiteAndName && len(args) > 2:
		return ""
	case form.form == suiteAndName && len(args) == 2:
		return args[0] + " > " + args[1]
	}
	return args[0]
}
