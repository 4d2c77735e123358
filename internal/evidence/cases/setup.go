package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// setUps are the names of functions that test frameworks run before each test.
var setUps = setOf("setUp", "setup", "setup_method", "setUpClass", "setup_class", "setUpWithError", "before", "beforeEach", "SetUp", "Setup", "TestInitialize", "init", "initialize")

// above returns the set-up that applies to a test: the file's, and the statements before it in
// enclosing tests.
func (c *Case) above() []code.Step {
	if c.around == nil {
		before := slices.DeleteFunc(slices.Clone(c.file.shared), func(s code.Step) bool {
			return s.Line > c.Line || s.Until > 0 && s.Until < c.Line || c.file.apart(s.Line, c.Line)
		})
		return append(before, c.setUp()...)
	}
	return append(c.around.above(), slices.DeleteFunc(slices.Clone(c.around.steps), func(s code.Step) bool { return s.Line > c.Line })...)
}

// maxBases limits the length of inheritance chains.
const maxBases = 8

// setUp returns the set-up of a test's class and its base classes in the file.
func (c *Case) setUp() []code.Step {
	class := c.file.exports.links.Find(c.file.Path, strings.TrimSuffix(c.owner(), "."), c.Line)
	var out []code.Step
	for range maxBases {
		if class == nil || class.Path() == "" {
			break
		}
		for name := range setUps {
			if fn := c.file.functions[class.Path()+"."+name]; fn != nil {
				out = append(slices.Clone(fn.steps), out...)
			}
		}
		class = c.file.base(class)
	}
	slices.SortStableFunc(out, func(a, b code.Step) int { return a.Line - b.Line })
	return out
}

// base returns the first base class of a class that is in the file, or nil.
func (t *testFile) base(class *resolve.Node) *resolve.Node {
	for _, u := range t.exports.links.Uses(class) {
		if u.Type == codegraph.Inherits && u.To.File == t.Path && u.To != class {
			return u.To
		}
	}
	return nil
}

// needed returns the set-up steps that set a name which the test's own steps use but do not
// set, the last one for each name.
func (c *Case) needed(a Acts) []code.Step {
	var out []code.Step
	last := map[string]int{}
	for _, s := range c.above() {
		name := setBy(s)
		if name == "" || isNoise(s) || slices.ContainsFunc(c.steps, func(own code.Step) bool { return setBy(own) == name }) {
			continue
		}
		speaks := func(own code.Step) bool { return hasWord(own.Text, name) && !strings.Contains(own.Text, "."+name) }
		if !slices.ContainsFunc(a.Given, speaks) && !slices.ContainsFunc(a.When, speaks) && !slices.ContainsFunc(a.Then, speaks) {
			continue
		}
		if i, again := last[name]; again {
			out[i] = s
			continue
		}
		last[name] = len(out)
		out = append(out, s)
	}
	return out
}

// setBy returns the name that a statement sets; "" if it sets none.
func setBy(s code.Step) string {
	left, _, _ := cutAssign(s.Text)
	words := strings.Fields(left)
	if len(words) == 0 {
		return ""
	}
	return strings.TrimSuffix(words[len(words)-1], ":")
}

// providers are the marks with which test frameworks pass rows to a test.
var providers = []string{
	"pytest.mark.parametrize(", "parameterized.expand(", "parameterized(", "@ValueSource(", "@CsvSource(", "@MethodSource(", "@EnumSource(", "@CsvFileSource(",
	"@ArgumentsSource(", "InlineData(", "TestCase(", "DataRow(", "MemberData(", "TestCaseSource(", "DataProvider(", "TestWith(", "rstest(", "#[case(", "test_case(", "@dataProvider ", "@testWith ",
}

// Providers returns the marks of the test's function that provide its rows.
func (c *Case) Providers() []string {
	fn := c.file.functions[strings.ReplaceAll(c.Name, " > ", ".")]
	if fn == nil {
		return nil
	}
	var marks []string
	for _, mark := range append(slices.Clone(fn.sym.Decorators), strings.Split(fn.sym.Doc, "\n")...) {
		mark = strings.TrimSpace(mark)
		if slices.ContainsFunc(providers, func(p string) bool { return strings.Contains(mark, p) }) {
			marks = append(marks, mark)
		}
	}
	return marks
}
