package contracttest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// front is front matter with fields for results.
const front = "---\ntype: module-spec\nlast_verified: \"\" # never\nhealth: unverified\n---\n\n# shop\n\n## 1. Requirements\n\n### REQ-1: it sells\n\n## 4. Contract tests\n\n"

// script formats a contract test as in a spec.
func script(id string, lines ...string) string {
	return fmt.Sprintf("### %s: of %[1]s\n\n**Type**: behavior\n\n**Covers**: REQ-1\n\n**Script**:\n```bash\n%s\n```\n\n", id, strings.Join(lines, "\n"))
}

// openProject creates a project with files and opens it.
func openProject(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// day is the time of the tests.
func day() time.Time { return time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC) }

// verified runs the tests of the spec "a.spec.md".
func verified(t *testing.T, p *project.Project, opts contracttest.Options) contracttest.Spec {
	t.Helper()
	opts.Now = day
	r, err := contracttest.Verify(t.Context(), p, []string{"a.spec.md"}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r.Specs[0]
}

// untimed drops the fields of results that are not compared.
func untimed() cmp.Option {
	return cmp.Options{cmpopts.IgnoreFields(contracttest.Test{}, "Millis", "Script"), cmpopts.IgnoreFields(contracttest.Spec{}, "Items"), cmpopts.IgnoreUnexported(contracttest.Test{}), cmpopts.EquateEmpty()}
}

func TestEveryTestHasAResult(t *testing.T) {
	p := openProject(t, map[string]string{"a.txt": "here\n", "a.spec.md": front +
		script("CT-1", "grep -q here a.txt") +
		script("CT-2", "echo no such thing; false | cat; echo not reached") +
		script("CT-3", "no-such-program --x | cat") +
		script("CT-4", "printf 'a\\xffb\\x1b[31mred\\r\\n' >&2; exit 7") +
		script("CT-5", "kill -9 $$") +
		script("CT-6") +
		script("CT-7", "cat; test -z \"$(cat)\"") +
		strings.Replace(script("CT-8", "true"), "**Script**", "**Needs**: sh, no-such-toolchain\n\n**Script**", 1)})
	got := verified(t, p, contracttest.Options{})
	test := func(id string, o contracttest.Outcome, reason, output string) contracttest.Test {
		return contracttest.Test{
			ID: id, Title: "of " + id, Type: "behavior", Covers: []string{"REQ-1"}, Outcome: o, Reason: reason, Output: output,
		}
	}
	needs := test("CT-8", contracttest.Blocked, "no-such-toolchain is not installed", "")
	needs.Needs, needs.Absent = []string{"sh", "no-such-toolchain"}, "no-such-toolchain"
	want := contracttest.Spec{
		Path: "a.spec.md", Health: "failing", Updated: true, Matrix: []contracttest.Row{}, Uncovered: []string{},
		Tests: []contracttest.Test{
			test("CT-1", contracttest.Passed, "", ""),
			test("CT-2", contracttest.Failed, "exit status 1: no such thing", "no such thing"),
			test("CT-3", contracttest.Failed, "exit status 127: no-such-program: command not found", "no-such-program: command not found"),
			test("CT-4", contracttest.Failed, "exit status 7: a\uFFFDbred", "a\uFFFDbred"),
			test("CT-5", contracttest.Blocked, "the tool was killed: signal: killed", ""),
			test("CT-6", contracttest.Failed, "the test has no script", ""),
			test("CT-7", contracttest.Passed, "", ""),
			needs,
		},
	}
	if diff := cmp.Diff(want, got, untimed()); diff != "" {
		t.Error(diff)
	}
}

func TestAMissingToolchainIsNotAFailure(t *testing.T) {
	p := openProject(t, map[string]string{"a.spec.md": front + script("CT-1", "go version | cat") + script("CT-2", "true")})
	bin := t.TempDir()
	for _, name := range []string{"bash", "cat"} {
		at, err := exec.LookPath(name)
		if err != nil {
			t.Skip(name + " is not installed")
		}
		if err := os.Symlink(at, filepath.Join(bin, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	t.Setenv("PATH", bin)
	got := verified(t, p, contracttest.Options{})
	if got.Tests[0].Outcome != contracttest.Blocked || got.Tests[0].Reason != "go is not installed" || got.Health != "unverified" {
		t.Errorf("%+v", got)
	}
}

func TestATestThatHangsIsEndedWithItsChildren(t *testing.T) {
	p := openProject(t, map[string]string{"a.spec.md": front + script("CT-1",
		"trap '' TERM",
		"for i in 1 2 3; do (trap '' TERM; sleep 600 & echo $! >pid.$i; wait) & done",
		"until [ -s pid.1 ] && [ -s pid.2 ] && [ -s pid.3 ]; do :; done",
		"echo hangs; while :; do wait; done")})
	got := verified(t, p, contracttest.Options{Timeout: 500 * time.Millisecond})
	if c := got.Tests[0]; c.Outcome != contracttest.TimedOut || c.Reason != "not done after 500ms" || !strings.HasPrefix(c.Output, "hangs") {
		t.Errorf("%+v", c)
	}
	gone(t, p, "pid.1", "pid.2", "pid.3")
}

func TestLeftoverProcessesAreKilled(t *testing.T) {
	p := openProject(t, map[string]string{"a.spec.md": front + script("CT-1",
		"(sleep 600 & echo $! >pid.1; sleep 600) &",
		"until [ -s pid.1 ]; do :; done",
		"echo done")})
	start := time.Now()
	if c := verified(t, p, contracttest.Options{}).Tests[0]; c.Outcome != contracttest.Passed {
		t.Errorf("%+v", c)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the child was waited for: %s", took)
	}
	gone(t, p, "pid.1")
}

// killPending matches the status of a process that was killed and has not run since: on a busy machine that takes a while.
var killPending = regexp.MustCompile(`(?m)^(?:ShdPnd|SigPnd):\t[0-9a-f]*[13579bdf]..$`)

// gone fails if the process whose id is in a file is alive. A killed process may remain as a
// zombie until its parent has waited for it.
func gone(t *testing.T, p *project.Project, files ...string) {
	t.Helper()
	for _, f := range files {
		pid, err := strconv.Atoi(strings.TrimSpace(read(t, filepath.Join(p.Root(), f))))
		if err != nil {
			t.Fatal(err)
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err == nil && !strings.Contains(string(status), "State:\tZ") && !killPending.Match(status) && strings.Contains(string(status), "Name:\tsleep") {
			t.Errorf("process %d lives:\n%s", pid, status)
		}
	}
}

func TestLongOutputKeepsBothEnds(t *testing.T) {
	p := openProject(t, map[string]string{"a.spec.md": front +
		script("CT-1", "echo first; head -c 1000000 /dev/zero | tr '\\0' x; echo; echo last; false") +
		script("CT-2", "yes")})
	got := verified(t, p, contracttest.Options{}).Tests
	if out := got[0].Output; !strings.HasPrefix(out, "first\nxxx") || !strings.HasSuffix(out, "xxx\nlast") ||
		!strings.Contains(out, "bytes left out") || len(out) > 100_000 {
		t.Errorf("%d bytes: %.40s", len(out), out)
	}
	if c := got[1]; c.Outcome != contracttest.Failed || c.Reason != "wrote more than 64 MiB" || len(c.Output) > 100_000 {
		t.Errorf("%s: %s, %d bytes", c.Outcome, c.Reason, len(c.Output))
	}
}

func TestNothingButTheFieldsIsWritten(t *testing.T) {
	text := front + script("CT-1", "true") + "health: unverified\r\n"
	p := openProject(t, map[string]string{"a.spec.md": text})
	verified(t, p, contracttest.Options{})
	want := strings.Replace(text, "last_verified: \"\" # never\nhealth: unverified", "last_verified: \"2026-11-21\" # never\nhealth: active", 1)
	if diff := cmp.Diff(want, read(t, filepath.Join(p.Root(), "a.spec.md"))); diff != "" {
		t.Error(diff)
	}
}

func TestSuccessOfSomeTestsIsNotWritten(t *testing.T) {
	text := front + script("CT-1", "true") + script("CT-2", "false")
	p := openProject(t, map[string]string{"a.spec.md": text})
	s := verified(t, p, contracttest.Options{Only: []string{"CT-1"}})
	if s.Updated || s.Health != "unverified" || s.Note == "" || len(s.Tests) != 1 || read(t, filepath.Join(p.Root(), "a.spec.md")) != text {
		t.Errorf("%+v", s)
	}
	if s := verified(t, p, contracttest.Options{Only: []string{"CT-2"}}); !s.Updated || s.Health != "failing" {
		t.Errorf("%+v", s)
	}
	_, err := contracttest.List(t.Context(), p, []string{"a.spec.md"}, contracttest.Options{Only: []string{"CT-3"}})
	if unknown, ok := errors.AsType[*contracttest.UnknownTestError](err); !ok || unknown.ID != "CT-3" || unknown.Hint().Empty() {
		t.Errorf("%v", err)
	}
}

func TestAFileThatMayNotBeWrittenStays(t *testing.T) {
	text := front + script("CT-1", "true")
	p := openProject(t, map[string]string{"b/other.md": text, "a/go.mod": "module a\n"})
	inner, err := project.Open(filepath.Join(p.Root(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	outside := filepath.Join(p.Root(), "b", "other.md")
	if _, err := contracttest.List(t.Context(), inner, []string{outside}, contracttest.Options{}); err == nil {
		t.Error("a spec outside the project was read")
	}
	opts := contracttest.Options{Outside: true, Now: day}
	for _, c := range []struct {
		mode    os.FileMode
		updated bool
	}{{0o444, false}, {0o644, true}} {
		if err := os.Chmod(outside, c.mode); err != nil {
			t.Fatal(err)
		}
		r, err := contracttest.Verify(t.Context(), inner, []string{outside}, opts)
		if err != nil || r.Specs[0].Updated != c.updated || (read(t, outside) != text) != c.updated {
			t.Errorf("%v: %+v %v", c.mode, r, err)
		}
	}
}

func TestTestsRunInParallelAndAreReportedInOrder(t *testing.T) {
	// Each waits for the other, so that sequential execution would never end.
	p := openProject(t, map[string]string{"a.spec.md": front +
		script("CT-1", "touch one; until [ -e two ]; do :; done") +
		script("CT-2", "touch two; until [ -e one ]; do :; done")})
	r, err := contracttest.Verify(t.Context(), p, []string{"a.spec.md"}, contracttest.Options{Jobs: 2})
	if err != nil || r.Passed != 2 || r.Specs[0].Tests[0].ID != "CT-1" || !r.OK() {
		t.Errorf("%+v %v", r, err)
	}
}

// The tests of interfaces run as one comparison; where that finds something, the one of which it is true runs alone and says what.
func TestInterfacesAreComparedTogether(t *testing.T) {
	files, paths := map[string]string{}, []string{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		file := "specs/" + name + ".spec.md"
		paths = append(paths, file)
		files[file] = front + script("CT-"+strings.ToUpper(name)+"-001", "reverse-spec diff "+file+" --fail-on breaking")
	}
	p := openProject(t, files)
	program := filepath.Join(t.TempDir(), "program")
	log := program + ".log"
	text := "#!/bin/sh\necho \"$@\" >>" + log + "\ncase \"$*\" in *c.spec.md*) echo drifted; exit 3;; esac\n"
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := contracttest.Verify(t.Context(), p, paths, contracttest.Options{Program: program, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Specs {
		got = append(got, strings.TrimSpace(string(s.Tests[0].Outcome)+" "+s.Tests[0].Reason))
	}
	if diff := cmp.Diff([]string{"passed", "passed", "failed exit status 3: drifted", "passed", "passed"}, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	const one, end = "specs/%s.spec.md ", "--fail-on breaking"
	call := func(names ...string) string {
		line := "diff "
		for _, name := range names {
			line += fmt.Sprintf(one, name)
		}
		return line + end
	}
	want := []string{call("a", "b", "c", "d", "e"), call("a", "b"), call("c", "d", "e"), call("d", "e"), call("c")}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(read(t, log)), "\n")); diff != "" {
		t.Errorf("comparisons (-want +got):\n%s", diff)
	}
}

func TestAnInterruptedRunLeavesTheSpecAsItWas(t *testing.T) {
	text := front + script("CT-1", "touch started; sleep 600")
	p := openProject(t, map[string]string{"a.spec.md": text})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(p.Root(), "started")); err == nil {
				cancel()
			}
		}
	}()
	_, err := contracttest.Verify(ctx, p, []string{"a.spec.md"}, contracttest.Options{})
	if !errors.Is(err, context.Canceled) || read(t, filepath.Join(p.Root(), "a.spec.md")) != text {
		t.Error(err)
	}
}

func TestAllFindsTheSpecsOfAProject(t *testing.T) {
	p := openProject(t, map[string]string{
		"specs/_index.spec.md": "", "specs/a.spec.md": front, "docs/b.spec.md": front, "specs/c.md": front,
	})
	got, err := spec.Paths(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"docs/b.spec.md", "specs/a.spec.md"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestTestsThatSettingsLeaveOut: a test that is in its file and that the tool did not run, though it succeeded, is no failure: its
// settings select other tests.
func TestTestsThatSettingsLeaveOut(t *testing.T) {
	p := openStock(t)
	second := "\nfunc TestTakeUnderStress(t *testing.T) {\n\tif left, err := Take(2, 1); left != 1 || err != nil {\n\t\tt.Error(left, err)\n\t}\n}\n"
	write(t, filepath.Join(p.Root(), "stock_test.go"), stock["stock_test.go"]+second)
	generate(t, p)
	write(t, filepath.Join(p.Root(), "bin", "go"), "#!/bin/sh\ncat <<'X' >>\"$TEST_REPORT\"\n{\"Action\":\"pass\",\"Package\":\"example.com/stock\",\"Test\":\"TestTake\"}\nX\ncat \"$TEST_REPORT\"\n")
	if err := os.Chmod(filepath.Join(p.Root(), "bin", "go"), 0o755); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", filepath.Join(p.Root(), "bin")+":/usr/bin:/bin")
	verify := func() contracttest.Test {
		r, err := contracttest.Verify(t.Context(), p, []string{stockSpec}, contracttest.Options{NoUpdate: true})
		if err != nil {
			t.Fatal(err)
		}
		tests := r.Specs[0].Tests
		return tests[len(tests)-1]
	}
	if got := verify(); got.Outcome != contracttest.Passed || len(got.NotPassed) != 1 || got.NotPassed[0].Outcome != contracttest.Omitted || got.NotPassed[0].Name != "TestTakeUnderStress" {
		t.Errorf("it is in its file: %+v", got)
	}
	write(t, filepath.Join(p.Root(), "stock_test.go"), stock["stock_test.go"])
	if got := verify(); got.Outcome != contracttest.Failed || len(got.NotPassed) != 1 || got.NotPassed[0].Outcome != contracttest.Gone {
		t.Errorf("it is gone: %+v", got)
	}
}
