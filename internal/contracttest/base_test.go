package contracttest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// TestAChangeTouchesTheSpecsWhoseTestsItMayChange gives one changed file at a time.
func TestAChangeTouchesTheSpecsWhoseTestsItMayChange(t *testing.T) {
	p := openProject(t, map[string]string{"a.spec.md": front + script("CT-1", "python3 -m pytest -q tests/unit/test_shop.py")})
	lockFor(t, p, &spec.Spec{ContractTests: []spec.ContractTest{{ID: "CT-1", Runs: []lock.Tests{{File: "tests/unit/test_shop.py", Tool: "pytest", Tests: []lock.Test{{Name: "sells"}}}}}}})
	for file, want := range map[string]bool{
		"a.spec.md": true, "tests/unit/test_shop.py": true, "pyproject.toml": true, "tests/conftest.py": true, ".pytest.ini": true, "uv.lock": true,
		"README.md": false, "tests/unit/test_other.py": false, "other/conftest.py": false, "other/pyproject.toml": false,
	} {
		if got := len(contracttest.Touched(p, []string{"a.spec.md"}, []string{file})) == 1; got != want {
			t.Errorf("a change of %s touches the spec: %v, want %v", file, got, want)
		}
	}
}

// TestWhatFailedHasItsLine has a tool report a failure whose output names the test file, after a file of the code.
func TestWhatFailedHasItsLine(t *testing.T) {
	report := `<testsuites><testsuite><testcase classname="test_shop" name="sells"><failure message="sold out">shop/__init__.py:3: in sell&#10;test_shop.py:12: SoldOut</failure></testcase></testsuite></testsuites>`
	p := inEnvironment(t, broken{tool: "pytest", program: "echo '" + report + `' >"$TEST_REPORT"; exit 1`})
	s := verified(t, p, contracttest.Options{})
	if got := s.Tests[0].NotPassed; len(got) != 1 || got[0].Line != 12 {
		t.Errorf("%+v", got)
	}
}

// TestOnlyTestsOfMissingFilesAreGone has a tool that refuses to run anything without one of its files, as pytest does.
func TestOnlyTestsOfMissingFilesAreGone(t *testing.T) {
	p := inEnvironment(t, broken{tool: "pytest", program: "echo 'ERROR: file or directory not found: test_gone.py' >&2; exit 4"})
	page := filepath.Join(p.Root(), "a.spec.md")
	write(t, page, strings.Replace(read(t, page), "skeletonHash", "oldHash", 1))
	lockFor(t, p, &spec.Spec{ContractTests: []spec.ContractTest{{ID: "CT-1", Runs: []lock.Tests{
		{File: "test_gone.py", Tool: "pytest", Tests: []lock.Test{{Name: "buys"}}}, {File: "test_shop.py", Tool: "pytest", Tests: []lock.Test{{Name: "sells"}}},
	}}}})
	got := verified(t, p, contracttest.Options{}).Tests[0]
	if want := "1 of 2 tests are gone: buys (test_gone.py)"; got.Outcome != contracttest.Failed || got.Reason != want {
		t.Errorf("%s %q, want %q", got.Outcome, got.Reason, want)
	}
}
