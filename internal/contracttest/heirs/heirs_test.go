package heirs_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/heirs"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

// classes are test files: a base class, its heirs and theirs, and text that only looks like a class.
var classes = map[string]map[string]string{
	"mvn": {
		"ParserTestCase.java": "package a;\n\npublic abstract class ParserTestCase<T extends Parser> {\n  @Test\n  void parses() {}\n}\n",
		"DefaultParserTest.java": "package a;\n\n// class WrongTest extends ParserTestCase\nclass DefaultParserTest\n    extends a.ParserTestCase<DefaultParser>\n    implements Runnable {\n" +
			"  String s = \"class AlsoWrong extends ParserTestCase {\";\n}\n\nclass StrictParserTest extends DefaultParserTest {}\n",
	},
	"gradle": {
		"BaseTest.kt": "package a\n\nabstract class ParserTestCase(val limit: Int) {\n  @Test fun parses() {}\n}\n\nclass DefaultParserTest : ParserTestCase(3), Runnable {\n}\n\nclass StrictParserTest : DefaultParserTest() {}\n",
	},
	"phpunit": {
		"ParserTestCase.php":    "<?php\nnamespace A;\n\nabstract class ParserTestCase extends \\PHPUnit\\Framework\\TestCase\n{\n    public function parses() {}\n}\n",
		"DefaultParserTest.php": "<?php\nnamespace A;\n\nfinal class DefaultParserTest extends \\A\\ParserTestCase\n{\n}\nclass StrictParserTest extends DefaultParserTest {}\n",
	},
}

// TestTestsOfABaseClassAreThoseOfItsHeirs has reports that name the heirs, one of which failed.
func TestTestsOfABaseClassAreThoseOfItsHeirs(t *testing.T) {
	const report = `<testsuite><testcase classname="a.DefaultParserTest" name="parses"/><testcase classname="a.StrictParserTest" name="parses"><failure message="x"/></testcase></testsuite>`
	for tool, files := range classes {
		t.Run(tool, func(t *testing.T) {
			names := []string{"Missing.java"}
			for name := range files {
				names = append(names, name)
			}
			h := heirs.Of(t.Context(), tool, names, func(file string) ([]byte, error) {
				if text, ok := files[file]; ok {
					return []byte(text), nil
				}
				return nil, errors.New("not there")
			})
			if diff := cmp.Diff([]string{"DefaultParserTest"}, h["ParserTestCase"]); diff != "" {
				t.Error(diff)
			}
			got := h.Results(runner.Read(tool, "", []byte(report)), names[1], "ParserTestCase > parses")
			if len(got) != 2 || runner.Sum(got) != runner.Failed {
				t.Errorf("%+v", got)
			}
			if got := h.Results(runner.Read(tool, "", []byte(report)), names[1], "ParserTestCase > prints"); len(got) != 0 {
				t.Errorf("a test that did not run: %+v", got)
			}
		})
	}
	if h := heirs.Of(t.Context(), "go test", nil, nil); h != nil {
		t.Errorf("Go has classes: %v", h)
	}
}
