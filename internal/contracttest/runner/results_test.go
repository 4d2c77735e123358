package runner_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

// TestResultsAreFoundByTheNamesOfTheCode reads what tools report, and finds tests of the code in it.
func TestResultsAreFoundByTheNamesOfTheCode(t *testing.T) {
	for _, c := range []struct {
		tool, home, report, file, name string
		want                           runner.Status
	}{
		{"go test", "", `{"Action":"pass","Package":"m/cart","Test":"TestBuy"}`, "cart/a_test.go", "TestBuy > tea", runner.Passed},
		{"go test", "", `{"Action":"pass","Package":"m/cart","Test":"TestBuy"}`, "till/a_test.go", "TestBuy", ""},
		{"go test", "tools", `{"Action":"fail","Package":"m","Test":"TestBuy"}`, "tools/a_test.go", "TestBuy", runner.Failed},
		{"go test", "", `{"Action":"skip","Package":"m","Test":"TestBuy"}`, "a_test.go", "TestBuy", runner.Skipped},
		{
			"vitest", "", `{"testResults":[{"name":"/x/a.test.ts","assertionResults":[{"ancestorTitles":["cart"],"title":"is 1/2","status":"passed"}]}]}`,
			"a.test.ts", "cart > is %i/2", runner.Passed,
		},
		{
			"jest", "", `{"testResults":[{"name":"/x/b.test.ts","assertionResults":[{"ancestorTitles":["cart"],"title":"is","status":"failed"}]}]}`,
			"a.test.ts", "cart > is", "",
		},
		{"mocha", "", `{"passes":[],"failures":[{"fullTitle":"cart adds","file":"/x/t/a.js","err":{}}]}`, "t/a.js", "cart > adds", runner.Failed},
		{"node --test", "", "# Subtest: cart\n    # Subtest: adds\n    not ok 1 - adds\nok 1 - cart\n", "a.mjs", "cart > adds", runner.Failed},
		{"ava", "", "ok 1 - cart › adds\n", "a.js", "cart > adds", runner.Passed},
		{"ava", "", "ok 1 - adds # SKIP\n", "a.js", "adds", runner.Skipped},
		{"tape", "", "# adds\nok 1 x\nnot ok 2 y\n# tests 2\n", "a.js", "adds", runner.Failed},
		{"pytest", "", `<testsuites><testsuite><testcase classname="tests.test_a.ATest" name="test_a[1-2]"/></testsuite></testsuites>`, "tests/test_a.py", "ATest > test_a", runner.Passed},
		{"pytest", "", `<testsuites><testsuite><testcase classname="tests.test_b" name="test_a"><failure message="x"/></testcase></testsuite></testsuites>`, "tests/test_b.py", "test_a", runner.Failed},
		{"pytest", "tests", `<testsuites><testsuite><testcase classname="tests.test_c" name="test_a"/></testsuite></testsuites>`, "tests/test_c.py", "test_a", runner.Passed},
		{"unittest", "", "test_a (test_a.ATest.test_a) ... ok\n", "loose/test_a.py", "ATest > test_a", runner.Passed},
		{"unittest", "", "test_a (test_a.ATest)\nIt adds. ... ERROR\n", "test_a.py", "ATest > test_a", runner.Failed},
		{"unittest", "", "test_a (test_a.ATest) ... skipped 'no'\n", "test_a.py", "ATest > test_a", runner.Skipped},
		{"doctest", "", "json.encoder.Encoder ... ok\n", "json/encoder.py", "Encoder > __doc__", runner.Passed},
		{"cargo test", "shop", "test a::b::tests::b ... FAILED\n", "shop/src/a/b.rs", "tests > b", runner.Failed},
		{"cargo test", "", "test panics - should panic ... ok\n", "tests/whole.rs", "panics", runner.Passed},
		{"cargo test --doc", "", "test src/a.rs - a::add (line 3) ... ok\n", "src/a.rs", "add", runner.Passed},
		{"mvn", "", `<testsuite><testcase classname="a.ATest" name="adds"><error message="x"/></testcase></testsuite>`, "src/test/java/a/ATest.java", "ATest > adds", runner.Failed},
		{"gradle", "", `<testsuite><testcase classname="a.ATest$Inner" name="adds()"/></testsuite>`, "ATest.java", "ATest > Inner > adds", runner.Passed},
		{"phpunit", "", `<testsuites><testsuite><testsuite><testcase classname="App.CTest" name="testAdds with data set #1"/></testsuite></testsuite></testsuites>`, "CTest.php", "CTest > testAdds", runner.Passed},
		{"rspec", "", `{"examples":[{"full_description":"a adds","file_path":"./spec/a_spec.rb","status":"pending"}]}`, "spec/a_spec.rb", "a > adds", runner.Skipped},
		{"minitest", "", "BTest#test_adds = 0.00 s = .\n", "b_test.rb", "BTest > test_adds", runner.Passed},
		{"minitest", "", "Rack::A::#nested thing#test_0002_adds (1) to 'it' = 0.00 s = F\n", "spec_a.rb", "Rack::A > #nested thing > adds (1) to 'it'", runner.Failed},
		{"minitest", "", "ATest#test_adds_one = 0.00 s = .\n", "a_test.rb", "ATest > adds one", runner.Passed},
		{"dotnet test", "", `<TestRun><Results><UnitTestResult testName="Shop.ETests.Adds(a: 1)" outcome="Failed"/></Results></TestRun>`, "E.cs", "ETests > Adds", runner.Failed},
		{"swift test", "", "Test Case '-[ShopTests.GTests testAdds]' passed (0.1 seconds)\n", "G.swift", "GTests > testAdds", runner.Passed},
	} {
		got := runner.Sum(runner.Read(c.tool, c.home, []byte(c.report)).Of(c.file, c.name))
		if got != c.want {
			t.Errorf("%s: %s of %s is %q, want %q", c.tool, c.name, c.file, got, c.want)
		}
	}
}

// TestCoverageIsOfLines reads what tools measure.
func TestCoverageIsOfLines(t *testing.T) {
	type line struct{ ran, known bool }
	for _, c := range []struct {
		tool, file, text string
		want             []line // from the first line
	}{
		{"go test", "profile", "mode: set\nm/cart/a.go:1.10,3.2 1 1\nm/cart/a.go:3.2,5.3 1 0\n", []line{{true, true}, {true, true}, {true, true}, {false, true}, {false, true}, {}}},
		{"vitest", "coverage-final.json", `{"/x/cart/a.go":{"statementMap":{"0":{"start":{"line":1}},"1":{"start":{"line":3}}},"s":{"0":2,"1":0}}}`, []line{{true, true}, {}, {false, true}}},
		{"pytest", "coverage.json", `{"files":{"cart/a.go":{"executed_lines":[1],"missing_lines":[2]}}}`, []line{{true, true}, {false, true}, {}}},
		{"cargo test", "lcov", "SF:/x/cart/a.go\nDA:1,4\nDA:3,0\nend_of_record\nSF:other.go\nDA:2,1\n", []line{{true, true}, {}, {false, true}}},
		{"mvn", "lcov", "SF:cart/a.go\nDA:2,7\n", []line{{}, {true, true}}},
		{"minitest", "coverage.json", `{"ruby":{"coverage":{"/x/cart/a.go":{"lines":[3,null,0]}}}}`, []line{{true, true}, {}, {false, true}}},
		{"phpunit", "clover.xml", `<coverage><project><package name="p"><file name="/x/cart/a.go"><line num="1" type="method" count="0"/><line num="2" type="stmt" count="1"/></file></package></project></coverage>`, []line{{}, {true, true}}},
	} {
		got := runner.ReadCoverage(c.tool, func(name string) ([]byte, error) {
			if name != c.file {
				return nil, errors.New("not there")
			}
			return []byte(c.text), nil
		})
		var lines []line
		for i := range c.want {
			ran, known := got.Ran("cart/a.go", i+1)
			lines = append(lines, line{ran, known})
		}
		if diff := cmp.Diff(c.want, lines, cmp.AllowUnexported(line{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.tool, diff)
		}
	}
}
