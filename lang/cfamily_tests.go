package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// cTestForm is how a macro of a test runner names its test.
type cTestForm struct {
	runner string
	form   int
}

const (
	suiteAndName = iota // (Suite, Name)
	oneName             // (name)
	quotedName          // ("name", ...)
)

// cTestMacros are the macros that make tests, by runner.
var cTestMacros = map[string]cTestForm{
	"TEST": {"gtest", suiteAndName}, "TEST_F": {"gtest", suiteAndName}, "TEST_P": {"gtest", suiteAndName},
	"TYPED_TEST": {"gtest", suiteAndName}, "TYPED_TEST_P": {"gtest", suiteAndName},
	"TEST_CASE": {"catch2", quotedName}, "SECTION": {"catch2", quotedName}, "SCENARIO": {"catch2", quotedName},
	"TEMPLATE_TEST_CASE": {"catch2", quotedName}, "DYNAMIC_SECTION": {"catch2", quotedName}, "SUBCASE": {"doctest", quotedName},
	"GIVEN": {"catch2", quotedName}, "WHEN": {"catch2", quotedName}, "THEN": {"catch2", quotedName}, "AND_WHEN": {"catch2", quotedName},
	"AND_THEN": {"catch2", quotedName}, "TEST_CASE_TEMPLATE": {"doctest", quotedName}, "TEST_SUITE": {"doctest", quotedName},
	"BOOST_AUTO_TEST_SUITE": {"boost", oneName}, "BOOST_AUTO_TEST_CASE": {"boost", oneName}, "BOOST_FIXTURE_TEST_CASE": {"boost", oneName},
	"BOOST_AUTO_TEST_CASE_TEMPLATE": {"boost", oneName}, "BOOST_DATA_TEST_CASE": {"boost", oneName},
	"START_TEST": {"check", oneName}, "RUN_TEST": {"unity", oneName}, "KUNIT_CASE": {"kunit", oneName}, "KUNIT_CASE_SLOW": {"kunit", oneName},
	"cmocka_unit_test": {"cmocka", oneName}, "cmocka_unit_test_setup": {"cmocka", oneName}, "cmocka_unit_test_teardown": {"cmocka", oneName},
	"cmocka_unit_test_setup_teardown": {"cmocka", oneName},
}

// parts are the macros that make no test of their own but a group of them.
var cTestGroups = setOf("TEST_SUITE", "BOOST_AUTO_TEST_SUITE")

// cTests finds the tests that macros make. Tests inside a test's block are named
// after it.
func cTests(r *reader) {
	t := &cTestReader{reader: r, doctest: includes(r.file, "doctest")}
	if !t.likely() {
		return
	}
	leaves := tokensOf(r.Root())
	for i, n := range leaves {
		t.leave(n.Start())
		form, ok := cTestMacros[n.Text()]
		if !ok || i+1 >= len(leaves) || leaves[i+1].Text() != "(" || n.Parent().Is("preproc_function_def") {
			if n.Text() == "BOOST_AUTO_TEST_SUITE_END" && len(t.groups) > 0 {
				t.groups = t.groups[:len(t.groups)-1]
			}
			continue
		}
		t.test(n, form, leaves[i+1:])
	}
}

type cTestReader struct {
	*reader
	doctest bool
	groups  []span // the tests around: their blocks and names
}

// likely tells whether a macro's name is in the text at all.
func (t *cTestReader) likely() bool {
	text := string(t.Source)
	for _, part := range []string{"TEST", "SCENARIO", "KUNIT_CASE", "cmocka_unit_test"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

func includes(f *code.File, part string) bool {
	for _, i := range f.Imports {
		if strings.Contains(i.Module, part) {
			return true
		}
	}
	return false
}

// leave forgets the blocks that end before offset.
func (t *cTestReader) leave(offset int) {
	for len(t.groups) > 0 && t.groups[len(t.groups)-1].end <= offset {
		t.groups = t.groups[:len(t.groups)-1]
	}
}

// test adds the test that the macro at n makes; rest are the tokens after it.
func (t *cTestReader) test(n syntax.Node, form cTestForm, rest []syntax.Node) {
	args, after := arguments(rest)
	name := testName(form, args)
	if name == "" {
		return
	}
	runner := form.runner
	if t.doctest && runner == "catch2" {
		runner = "doctest"
	}
	block := span{start: n.Start(), end: n.End(), name: name}
	if len(after) > 0 && after[0].Text() == "{" {
		block.end = blockEnd(after)
	} else if n.Text() == "BOOST_AUTO_TEST_SUITE" {
		block.end = len(t.Source)
	}
	var path []string
	for _, g := range t.groups {
		path = append(path, g.name)
	}
	if block.end > n.End() {
		t.groups = append(t.groups, block)
	}
	if !cTestGroups[n.Text()] {
		t.file.Tests = append(t.file.Tests, code.Test{Name: strings.Join(append(path, name), " > "), Line: n.Line(), Runner: runner})
	}
}

// arguments splits the tokens of a call's brackets at its commas and returns
// what comes after them.
func arguments(leaves []syntax.Node) (args []string, after []syntax.Node) {
	depth, arg := 0, ""
	for i, n := range leaves {
		text := n.Text()
		switch {
		case i > maxTestTokens:
			return nil, nil
		case closers[text] != "":
			depth++
			if depth == 1 {
				continue
			}
		case text == ")" || text == "]" || text == "}":
			depth--
			if depth == 0 {
				return append(args, arg), leaves[i+1:]
			}
		case text == "," && depth == 1:
			args, arg = append(args, arg), ""
			continue
		}
		arg += text
	}
	return nil, nil
}

// maxTestTokens is how far the closing bracket of a test's macro is looked for.
const maxTestTokens = 2000

// blockEnd is where the block that the tokens start with ends.
func blockEnd(leaves []syntax.Node) int {
	depth := 0
	for _, n := range leaves {
		switch n.Text() {
		case "{":
			depth++
		case "}":
			depth--
			if depth == 0 {
				return n.End()
			}
		}
	}
	return leaves[0].End()
}

// testName returns the name of a test from the arguments of its macro.
func testName(form cTestForm, args []string) string {
	if len(args) == 0 || args[0] == "" {
		return ""
	}
	if form.form == quotedName {
		return strings.Trim(args[0], `"`)
	}
	if form.form == suiteAndName && len(args) == 2 {
		return args[0] + " > " + args[1]
	}
	if form.form == suiteAndName && len(args) > 2 {
		return ""
	}
	return args[0]
}
