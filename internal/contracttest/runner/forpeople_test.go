package runner_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

func TestScriptForPeopleHasNoFlagsOfReports(t *testing.T) {
	for script, want := range map[string]string{
		"go test -count=1 ${TEST_REPORT:+-json} .":                              "go test -count=1 .",
		"python3 -m pytest -q ${TEST_REPORT:+--junitxml=\"$TEST_REPORT\"} a.py": "python3 -m pytest -q a.py",
		"cargo test": "cargo test",
	} {
		if got := runner.ForPeople(script); got != want {
			t.Errorf("%s: %s, want %s", script, got, want)
		}
	}
}
