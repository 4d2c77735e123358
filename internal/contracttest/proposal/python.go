package proposal

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// pythonCall is the function by which the tests call others: the body of a generator runs when its first value is asked for.
const pythonCall = `

def call(function, args, options):
    result = function(*args, **options)
    if inspect.isgenerator(result):
        next(result, None)
`

func pytestFile(at Place, cases []Case) string {
	var b strings.Builder
	cases, written := apart(cases)
	b.WriteString(pythonHead(at, cases, written, "\nimport pytest\n"))
	for _, g := range groups(cases, inPython) {
		b.WriteString("\n\n@pytest.mark.parametrize(\n    (\"args\", \"options\", \"error\", \"message\"),\n    [\n")
		for i := range g {
			c := &g[i]
			args, options := pythonArguments(c)
			fmt.Fprintf(&b, "        pytest.param(%s, %s, %s, %s, id=%s),\n", args, options, pythonError(c), strconv.Quote(c.Message), quoted(c.title()))
		}
		fmt.Fprintf(&b, "    ],\n)\ndef test_contract_%s(args, options, error, message):\n    with pytest.raises(error, match=re.escape(message)):\n        call(target.%s, args, options)\n", snake(unique(g)), inPython(&g[0]))
	}
	for i := range written {
		c := &written[i]
		fmt.Fprintf(&b, "\n\ndef test_case_%d():  # %s\n    with pytest.raises(%s, match=re.escape(%s)):\n%s\n", c.Number, c.condition(), pythonError(c), quoted(c.Message), indented(c.Body, "        "))
	}
	return b.String()
}

// pythonHead returns what comes before the tests: the mark, the imports, and what the calls with arguments need.
func pythonHead(at Place, cases, written []Case, tool string) string {
	var b strings.Builder
	b.WriteString("# " + Mark + "; it is replaced when the tests are written again.\n")
	if len(cases) > 0 {
		b.WriteString("import inspect\n")
	}
	b.WriteString("import re\n" + tool)
	for _, line := range importsOf(written) {
		b.WriteString(line + "\n")
	}
	b.WriteString("\nimport " + at.Module + " as target\n")
	if len(cases) > 0 {
		b.WriteString(pythonCall)
	}
	return b.String()
}

func unittestFile(at Place, cases []Case) string {
	var b strings.Builder
	cases, written := apart(cases)
	b.WriteString(pythonHead(at, cases, written, "import unittest\n"))
	for _, g := range groups(cases, inPython) {
		fmt.Fprintf(&b, "\n\nclass TestContract%s(unittest.TestCase):\n", camel(unique(g)))
		for i := range g {
			c := &g[i]
			args, options := pythonArguments(c)
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "    def test_case_%d(self):  # %s\n        with self.assertRaisesRegex(%s, re.escape(%s)):\n            call(target.%s, %s, %s)\n",
				c.Number, c.condition(), pythonError(c), strconv.Quote(c.Message), inPython(c), args, options)
		}
	}
	if len(written) > 0 {
		b.WriteString("\n\nclass TestContractErrors(unittest.TestCase):\n")
	}
	for i := range written {
		c := &written[i]
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "    def test_case_%d(self):  # %s\n        with self.assertRaisesRegex(%s, re.escape(%s)):\n%s\n", c.Number, c.condition(), pythonError(c), quoted(c.Message), indented(c.Body, "            "))
	}
	return b.String()
}

// quoted returns a text as a literal of Python and JavaScript.
func quoted(text string) string { return strconv.QuoteToASCII(text) }

// unique names a group: objects that are made in other ways have groups of their own.
func unique(g []Case) string {
	if g[0].Object == nil {
		return g[0].subject()
	}
	return fmt.Sprintf("%s_%d", g[0].subject(), g[0].Number)
}

// pythonInline returns the arguments of a call in one list.
func pythonInline(c *Case) string {
	list, named := pythonLists(c)
	for _, n := range named {
		list = append(list, n[0]+"="+n[1])
	}
	return strings.Join(list, ", ")
}

// snake returns the name of a function as a part of the name of a test.
func snake(name string) string { return strings.ToLower(strings.ReplaceAll(name, ".", "_")) }

// pythonErrors are the exceptions that need no import.
var pythonErrors = strings.Fields(`ArithmeticError AssertionError AttributeError BaseException BufferError EOFError Exception
	FileExistsError FileNotFoundError FloatingPointError ImportError IndexError IOError IsADirectoryError KeyError KeyboardInterrupt LookupError
	MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PermissionError RecursionError
	ReferenceError RuntimeError StopIteration SyntaxError SystemError SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError
	UnicodeError ValueError ZeroDivisionError`)

func pythonError(c *Case) string {
	switch {
	case c.Error == "":
		return "Exception"
	case slices.Contains(pythonErrors, c.Error):
		return c.Error
	}
	return "target." + c.Error
}

// pythonArguments returns the arguments by position and by name, as values of a list and of a dictionary.
func pythonArguments(c *Case) (args, options string) {
	list, named := pythonLists(c)
	var items []string
	for _, n := range named {
		items = append(items, fmt.Sprintf("%q: %s", n[0], n[1]))
	}
	return "[" + strings.Join(list, ", ") + "]", "{" + strings.Join(items, ", ") + "}"
}

// pythonLists returns the arguments by position, and the names and values of the others.
func pythonLists(c *Case) (list []string, named [][2]string) {
	omitted := false
	for i, p := range c.Function.Params {
		x := c.Args[i]
		if p.Variadic {
			omitted = true
			continue
		}
		if x == any(Any{}) && (p.Default != "" || p.Optional) {
			omitted = true
			continue
		}
		if omitted || p.Mode == "keyword" {
			named = append(named, [2]string{p.Name, pythonValue(x, p.Type)})
			continue
		}
		list = append(list, pythonValue(x, p.Type))
	}
	return list, named
}

func pythonValue(x any, typ string) string {
	switch x := x.(type) {
	case Any:
		switch kindOf("python", typ) {
		case Whole, Real:
			return "1"
		case Truth:
			return "True"
		default:
			return `"a"`
		}
	case nil, undefined:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[x]
	case string:
		return textLiteral(x, func(n int) string { return fmt.Sprintf("%q * %d", x[:1], n) })
	case float64:
		switch {
		case math.IsNaN(x):
			return `float("nan")`
		case math.IsInf(x, 0):
			return `float("inf")`
		}
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []any:
		return "[" + joinAll(x, func(x any) string { return pythonValue(x, "") }) + "]"
	}
	return fmt.Sprint(x)
}
