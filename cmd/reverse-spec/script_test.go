package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/daemon"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
	"github.com/reverse-spec/reverse-spec/spec"
)

func TestMain(m *testing.M) {
	if _, set := os.LookupEnv(daemon.Variable); !set { // a test that starts a process in the background says so
		if err := os.Setenv(daemon.Variable, "0"); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){"reverse-spec": main})
}

// TestScripts runs the manual: each file in testdata/script documents a command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setUpScript,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"contract-tests": contractTests,
		},
	})
}

// setUpScript gives a script a home, git, and models of its own.
func setUpScript(e *testscript.Env) error {
	index, err := filepath.Abs("../../internal/codegraph/scip/testdata/python.scip")
	if err != nil {
		return err
	}
	e.Setenv("PYTHON_SCIP", index)
	e.Setenv("PROGRAM", filepath.SplitList(e.Getenv("PATH"))[0]) // the folder with this program alone
	e.Setenv("ANTHROPIC_API_KEY", "")
	model := llmtest.StartFunc(fakeModel)
	e.Defer(model.Close)
	e.Setenv("FAKE_MODEL", model.URL)
	e.Setenv("REVERSE_SPEC_HOME", filepath.Join(e.WorkDir, ".graphs"))
	e.Setenv("GRAPH_DB_PATH", "")
	e.Setenv(daemon.Variable, "0")
	if cache, err := os.UserCacheDir(); err == nil { // to build the standard library anew takes minutes
		e.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
	}
	e.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	e.Setenv("GIT_AUTHOR_NAME", "a")
	e.Setenv("GIT_AUTHOR_EMAIL", "a@example.com")
	e.Setenv("GIT_COMMITTER_NAME", "a")
	e.Setenv("GIT_COMMITTER_EMAIL", "a@example.com")
	return nil
}

// contractTests runs the scripts of a spec's contract tests in the current folder, without
// package contracttest: all must pass, or with ! one must fail.
func contractTests(ts *testscript.TestScript, neg bool, args []string) {
	s, err := spec.Parse([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	if len(s.ContractTests) == 0 {
		ts.Fatalf("%s has no contract tests", args[0])
	}
	var failed []string
	for _, ct := range s.ContractTests {
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", ct.Script)
		cmd.Dir = ts.MkAbs(".")
		cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			failed = append(failed, ct.ID+": "+string(out))
		}
	}
	if (len(failed) > 0) != neg {
		ts.Fatalf("%d of %d contract tests failed:\n%s", len(failed), len(s.ContractTests), strings.Join(failed, "\n"))
	}
}

// TestEveryCommandHasItsManual checks that each command has a script.
func TestEveryCommandHasItsManual(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, s := range scripts {
		have[strings.TrimSuffix(filepath.Base(s), ".txt")] = true
	}
	for _, c := range newRoot(streams{}, "en").Commands() {
		if !have[c.Name()] && c.Name() != "help" {
			t.Errorf("no script shows %s", c.Name())
		}
		if c.Long == "" && c.Name() != "version" && c.Name() != "completion" {
			t.Errorf("%s has no long help", c.Name())
		}
	}
}
