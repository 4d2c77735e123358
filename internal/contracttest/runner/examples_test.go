package runner_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

// TestExamplesRunAsTheProjectRunsThem: pytest compares what examples print as its settings say, and doctest knows nothing of them.
func TestExamplesRunAsTheProjectRunsThem(t *testing.T) {
	for settings, want := range map[string]string{
		"[tool.pytest.ini_options]\ndoctest_optionflags = [\"ALLOW_UNICODE\"]\n":                          "python3 -m pytest -q --doctest-modules ${TEST_REPORT:+--junitxml=\"$TEST_REPORT\"} shop/till.py",
		"[tool.pytest.ini_options]\naddopts = \"--doctest-modules\"\ntestpaths = [\"tests\", \"shop\"]\n": "python3 -m pytest -q --doctest-modules",
		"[tool.pytest.ini_options]\naddopts = \"--doctest-modules\"\ntestpaths = [\"tests\"]\n":           "python3 -c '\nimport doctest",
		"[project]\nname = \"shop\"\n": "python3 -c '\nimport doctest",
	} {
		files := map[string]string{"pyproject.toml": settings, "shop/__init__.py": "", "shop/till.py": ""}
		read := func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}
		f := &code.File{Path: "shop/till.py", Language: "python", Tests: []code.Test{{Name: "pay", Runner: runner.PythonDoc}, {Name: "ask", Runner: runner.PythonDoc, Lacks: "client"}}}
		tool, err := runner.Find(read, f, runner.PythonDoc)
		if err != nil {
			t.Fatal(err)
		}
		if filter := tool.Filter(f.Tests[1]); filter != "" {
			t.Errorf("an example that lacks a name is run: %s", filter)
		}
		only := []string{tool.Filter(f.Tests[0])}
		if got := runner.Script([]runner.Selection{{Tool: tool, Filters: only, All: only}}, false); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", settings, got, want)
		}
	}
}
