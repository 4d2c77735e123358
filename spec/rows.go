package spec

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/counted"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// maxRowsQuoted bounds the rows of a test's table that are quoted.
const maxRowsQuoted = 6

// rowsOf tells of the table that a test goes through.
func (m *material) rowsOf(c *testCase) string {
	if len(c.Rows) == 0 {
		return ""
	}
	var out []string
	for _, r := range c.Rows[:min(len(c.Rows), maxRowsQuoted)] {
		out = append(out, markdown.Code(r))
	}
	text := wording.In(m.lang, "each of "+counted.Of(len(c.Rows), "row")+": ", "逐一取 "+itoa(len(c.Rows))+" 行：") + strings.Join(out, ", ")
	if len(c.Rows) > maxRowsQuoted {
		text += ", …"
	}
	return text
}

// providers are the marks by which test frameworks hand rows to a test.
var providers = []string{
	"pytest.mark.parametrize(", "parameterized.expand(", "parameterized(", "@ValueSource(", "@CsvSource(", "@MethodSource(", "@EnumSource(", "@CsvFileSource(",
	"@ArgumentsSource(", "InlineData(", "TestCase(", "DataRow(", "MemberData(", "TestCaseSource(", "DataProvider(", "TestWith(", "rstest(", "@dataProvider ", "@testWith ",
}

// providerOf tells where the rows of a test come from that its marks name.
func (m *material) providerOf(c *testCase) string {
	fn := c.file.functions[strings.ReplaceAll(c.Name, " > ", ".")]
	if fn == nil {
		return ""
	}
	var marks []string
	for _, mark := range append(slices.Clone(fn.sym.Decorators), strings.Split(fn.sym.Doc, "\n")...) {
		mark = strings.TrimSpace(mark)
		if slices.ContainsFunc(providers, func(p string) bool { return strings.Contains(mark, p) }) && len(marks) <= maxSteps {
			marks = append(marks, markdown.Code(markdown.Clip(mark, 2*titleBytes)))
		}
	}
	if len(marks) == 0 {
		return ""
	}
	return wording.In(m.lang, "each row of ", "逐行取自 ") + strings.Join(marks, ", ")
}
