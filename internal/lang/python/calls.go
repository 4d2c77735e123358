package python

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func call(n syntax.Node) (code.Call, bool) {
	if !n.Is("call") {
		return code.Call{}, false
	}
	f := n.Field("function")
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	switch f.Kind() {
	case "identifier":
		return code.Call{Name: f.Text()}, true
	case "attribute":
		before := strings.ReplaceAll(core.Receiver(f.Field("object")), " .", ".") // a chain over several lines
		before = strings.TrimLeft(before, "*")                                    // in f(*a.b()) the grammar may attach the star to a
		name := f.Field("attribute").Text()
		return code.Call{Name: name, Receiver: before}, name != ""
	}
	return code.Call{}, false
}

// findTests finds the tests in a test file, and the examples in docstrings.
func findTests(r *core.Reader) {
	if r.File.Test {
		testCases(r)
	}
	doctests(r)
}

// testCases finds what pytest and unittest collect by default. In files named
// test_x.py or x_test.py these are the functions test* and the methods test* of classes
// Test*. In other test files they are the methods test* of TestCase classes.
func testCases(r *core.Reader) {
	base := path.Base(r.File.Path)
	stem := strings.TrimSuffix(base, path.Ext(base))
	c := collector{
		collected: strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test"), cases: map[string]bool{},
	}
	c.collect(r.File.Symbols, "", "")
	r.File.Tests = c.tests
}

// collector gathers test cases.
type collector struct {
	tests     []code.Test
	collected bool            // pytest collects from this file
	cases     map[string]bool // classes of the file that derive from TestCase
}

// collect adds the tests among the symbols of one level. runner is the runner of the
// enclosing class, "" at module level.
func (c *collector) collect(list []code.Symbol, owner, runner string) {
	for i := range list {
		s := &list[i]
		name := s.Name
		if owner != "" {
			name = owner + " > " + name
		}
		switch s.Kind {
		case code.Function, code.Method:
			by := runner
			if owner == "" && c.collected {
				by = "pytest"
			}
			if strings.HasPrefix(s.Name, "test") && by != "" {
				c.tests = append(c.tests, code.Test{Name: name, Line: s.StartLine, EndLine: s.EndLine, Runner: by})
			}
		case code.Class:
			c.collect(s.Members, name, c.runner(s))
		default:
		}
	}
}

// runner returns the runner of the tests in a class, or "" if they are not collected.
func (c *collector) runner(class *code.Symbol) string {
	for _, base := range class.Bases {
		last := base[strings.LastIndexByte(base, '.')+1:]
		if strings.HasSuffix(last, "TestCase") || c.cases[base] {
			c.cases[class.Name] = true
			return "unittest"
		}
	}
	if c.collected && strings.HasPrefix(class.Name, "Test") {
		return "pytest"
	}
	return ""
}
