package contracttest_test

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

func TestCheckerReturnsTheResultOfEachTest(t *testing.T) {
	p := openProject(t, map[string]string{"bin/tool": "#!/bin/sh\n"})
	got, err := contracttest.Checker(contracttest.Options{Jobs: 2})(t.Context(), p, []spec.ContractTest{
		{Script: "test -e bin/tool"},
		{Script: "exit 4"},
		{Script: "true", Needs: []string{"sh", "no-such-toolchain"}},
		{Script: "true", Needs: []string{"bin/absent"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []spec.Checked{{Passed: true}, {Reason: "exit status 4, and the test printed nothing"}, {Blocked: true, Absent: "no-such-toolchain"}, {Blocked: true, Absent: "bin/absent"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnInterruptedCheckIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := contracttest.Checker(contracttest.Options{})(ctx, openProject(t, nil), []spec.ContractTest{{Script: "true"}}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// shop returns a module with a passing and a failing test.
func shop(t *testing.T) *project.Project {
	t.Helper()
	for _, name := range []string{"go", "awk"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	return openProject(t, map[string]string{
		"go.mod":  "module example.com/shop\n\ngo 1.24\n",
		"shop.go": "// Package shop sells.\npackage shop\n\n// Buy buys.\nfunc Buy(n int) int { return n }\n\n// Sell sells.\nfunc Sell(n int) int { return n }\n",
		"shop_test.go": "package shop\n\nimport \"testing\"\n\n" +
			"func TestBuy(t *testing.T) {\n\tif Buy(1) != 1 {\n\t\tt.Error()\n\t}\n}\n\n" +
			"func TestSell(t *testing.T) {\n\tif Sell(1) != 2 {\n\t\tt.Error()\n\t}\n}\n",
	})
}

// TestFailingContractTestsAreNotWritten: passing tests of a file are in the spec; failing ones
// are listed with the reason.
func TestFailingContractTestsAreNotWritten(t *testing.T) {
	p := shop(t)
	r, err := spec.Generate(t.Context(), p, ".", spec.GenerateOptions{Now: day, Check: contracttest.Checker(contracttest.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Load(p, r.SpecPath)
	if err != nil || len(s.ContractTests) != 2 {
		t.Fatalf("%v %+v", err, s.ContractTests)
	}
	schema, behavior := s.ContractTests[0], s.ContractTests[1]
	want := []spec.ContractTest{{
		ID: schema.ID, Title: "no change breaks users of the interface", Type: "schema", Checked: "read from the code", Text: schema.Text,
		Script: "reverse-spec diff " + r.SpecPath + " --fail-on breaking",
	}, {
		ID: behavior.ID, Title: "tests run by go test: 1 of 2 in shop_test.go", Type: "behavior", Covers: behavior.Covers, Needs: []string{"go"}, Checked: "passed",
		Script: "go test -count=1 ${TEST_REPORT:+-json} -run '^TestBuy$' .",
		Runs: []spec.RecordedTests{{
			Contract: behavior.ID, File: "shop_test.go", Tool: "go test", Tests: []lock.Test{{Name: "TestBuy", Covers: behavior.Covers}},
		}},
	}}
	if diff := cmp.Diff(want, s.ContractTests); diff != "" {
		t.Error(diff)
	}
	if part := "- `TestSell` (`shop_test.go:11`): does not pass: shop_test.go:13:"; !strings.Contains(s.Risks, part) {
		t.Errorf("%q is not in\n%s", part, s.Risks)
	}
	if !strings.Contains(strings.Join(r.Warnings, "\n"), "1 test left out of the contract tests") {
		t.Error(r.Warnings)
	}
}

// TestAnOldCheckIsForgotten: a spec written without check says so.
func TestAnOldCheckIsForgotten(t *testing.T) {
	p := shop(t)
	with := func(result spec.Checked) spec.Check {
		return func(_ context.Context, _ *project.Project, tests []spec.ContractTest, _ []string) ([]spec.Checked, error) {
			return slices.Repeat([]spec.Checked{result}, len(tests)), nil
		}
	}
	passed, absent := with(spec.Checked{Passed: true}), with(spec.Checked{Absent: "jq"})
	for _, c := range []struct {
		check spec.Check
		lang  string
		want  []string
	}{
		{absent, "en", []string{"read from the code", "not run: jq is not installed"}},
		{absent, "zh", []string{"读自代码", "未运行：未安装 jq"}},
		{passed, "en", []string{"read from the code", "passed"}},
		{passed, "zh", []string{"读自代码", "通过"}},
		{nil, "en", []string{"not run", "not run"}},
	} {
		r, err := spec.Generate(t.Context(), p, ".", spec.GenerateOptions{Now: day, Check: c.check, Lang: c.lang})
		if err != nil {
			t.Fatal(err)
		}
		s, err := spec.Load(p, r.SpecPath)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, ct := range s.ContractTests {
			got = append(got, ct.Checked)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestReasonsAreInTheLanguageOfTheSpec: the reasons for leaving out tests are in the spec's
// language, whatever that of the run.
func TestReasonsAreInTheLanguageOfTheSpec(t *testing.T) {
	for lang, want := range map[message.Lang]string{
		message.Chinese: "`TestSell` (`shop_test.go:11`): 未通过：shop_test.go:13:",
		message.English: "`TestSell` (`shop_test.go:11`): does not pass: shop_test.go:13:",
	} {
		p := shop(t)
		other := message.English
		if lang == message.English {
			other = message.Chinese
		}
		ctx := message.With(t.Context(), message.Choice{Lang: other})
		r, err := spec.Generate(ctx, p, ".", spec.GenerateOptions{Now: day, Check: contracttest.Checker(contracttest.Options{}), Lang: string(lang)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := spec.Load(p, r.SpecPath)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.Risks, want) {
			t.Errorf("%s is not in\n%s", want, s.Risks)
		}
	}
}
