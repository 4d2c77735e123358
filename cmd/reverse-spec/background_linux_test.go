package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/daemon"
)

// asking is a project whose commands may ask a process in the background.
type asking struct {
	t       *testing.T
	dir     string
	program string
	setting string
	env     []string
}

func newAsking(t *testing.T) *asking {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeTree(t, dir, map[string]string{
		"go.mod": "module example.com/shop\n", ".gitignore": ".home/\n",
		"a.go": "package shop\n\n// Pay pays.\nfunc Pay() { check() }\n\nfunc check() {}\n",
		"b.go": "package shop\n\nfunc Order() { Pay() }\n",
	})
	a := &asking{t: t, dir: dir, program: "reverse-spec", setting: "1m"}
	t.Cleanup(func() { a.end(syscall.SIGTERM) })
	return a
}

func (a *asking) home() string { return filepath.Join(a.dir, ".home", "data") }

// outcome is what a command leaves behind.
type outcome struct {
	out, err string
	code     int
}

// run runs a command with a setting.
func (a *asking) run(setting string, args ...string) outcome {
	a.t.Helper()
	cmd, out, errs := process(a.t, a.dir, args...)
	if a.program != "reverse-spec" {
		cmd = exec.CommandContext(a.t.Context(), a.program, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = a.dir, out, errs
	}
	cmd.Env = append(os.Environ(), "REVERSE_SPEC_HOME="+a.home(), "GRAPH_DB_PATH=", "LC_ALL=C", "REVERSE_SPEC_LANG=", "TARGET_REPO_PATH=", "CI=", daemon.Variable+"="+setting)
	cmd.Env = append(cmd.Env, a.env...)
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited { //nolint:errorlint // exec returns it as it is
		a.t.Fatal(err)
	}
	return outcome{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// ask runs a command that may ask.
func (a *asking) ask(args ...string) outcome {
	a.t.Helper()
	return a.run(a.setting, args...)
}

// server returns the process that answers; nil for none.
func (a *asking) server() *daemon.Process {
	a.t.Helper()
	var s struct{ Server *daemon.Process }
	if got := a.ask("status", "--json"); json.Unmarshal([]byte(got.out), &s) != nil {
		a.t.Fatal(got)
	}
	return s.Server
}

// answering asks until the process answers, and returns it.
func (a *asking) answering() *daemon.Process {
	a.t.Helper()
	for end := time.Now().Add(patient); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		a.ask("query", "who calls check")
		if p := a.server(); p != nil && p.Questions > 0 && a.followed() {
			return p
		}
	}
	a.t.Fatalf("no process answers; its log: %s", a.log())
	return nil
}

// followed reports whether the files of the project are followed.
func (a *asking) followed() bool {
	var s struct {
		Live []struct {
			Events  bool
			Pending int
			All     bool
		}
	}
	got := a.ask("status", "--json")
	return json.Unmarshal([]byte(got.out), &s) == nil && len(s.Live) > 0 && s.Live[0].Events && !s.Live[0].All && s.Live[0].Pending == 0
}

// log returns the logs of all started processes.
func (a *asking) log() string {
	var b strings.Builder
	files, _ := filepath.Glob(filepath.Join(a.home(), "server", "*.log"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		b.Write(text)
	}
	return b.String()
}

// pids returns the processes that listen or are about to.
func (a *asking) pids() (list []int) {
	files, _ := filepath.Glob(filepath.Join(a.home(), "server", "*.lock"))
	for _, f := range files {
		var h struct{ PID int }
		if text, err := os.ReadFile(f); err == nil && json.Unmarshal(text, &h) == nil && h.PID > 0 {
			list = append(list, h.PID)
		}
	}
	return list
}

// end ends all processes and waits until they have.
func (a *asking) end(how syscall.Signal) {
	for _, pid := range a.pids() {
		_ = syscall.Kill(pid, how)
		for end := time.Now().Add(patient); syscall.Kill(pid, 0) == nil && !isZombie(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				a.t.Errorf("process %d goes on", pid)
				return
			}
		}
	}
}

// isZombie reports whether a process has ended and nobody has waited for it: nobody may, in a container.
func isZombie(pid int) bool {
	text, err := os.ReadFile(filepath.Join("/proc", itoa(pid), "stat"))
	_, after, _ := strings.Cut(string(text), ") ")
	return err == nil && strings.HasPrefix(after, "Z")
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// touchLogs sets when processes were last started: for some seconds after that no other one is.
func (a *asking) touchLogs(when time.Time) {
	files, _ := filepath.Glob(filepath.Join(a.home(), "server", "*.log"))
	for _, f := range files {
		if err := os.Chtimes(f, time.Time{}, when); err != nil {
			a.t.Error(err)
		}
	}
}

// exportedAt is the time in an exported graph.
var exportedAt = regexp.MustCompile(`"exported_at": "[^"]*"`)

// TestAnswersAreTheSameWithAServer, to the byte, and as new as the files.
func TestAnswersAreTheSameWithAServer(t *testing.T) {
	a := newAsking(t)
	before := a.answering()
	commands := [][]string{
		{"query", "who calls Pay"},
		{"query", "--json", "MATCH (f:Function) RETURN f.qualified_name ORDER BY f.name"},
		{"query", "-v", "who calls check"},
		{"query", "--lang", "zh", "谁调用了 Pay"},
		{"query", "who sings"},
		{"query", "MATCH (f:Function"},
		{"call-chain", "Pay"},
		{"call-chain", "Pay", "--json"},
		{"impact", "check"},
		{"impact", "nothing", "--json"},
		{"impact", "nothing", "--lang", "zh"},
		{"snippet", "Pay"},
		{"snippet", "Pay", "--no-index"},
		{"graph", "--around", "Pay"},
		{"graph-rag", "who pays"},
		{"graph-rag", "who pays", "--exclude", "b.go"},
		{"orient", "pay later"},
		{"query", "--project", filepath.Join(a.dir, "none"), "who calls Pay"},
	}
	compare := func(change string) {
		t.Helper()
		for _, args := range commands {
			with, without := a.ask(args...), a.run("0", args...)
			with.out, without.out = exportedAt.ReplaceAllString(with.out, ""), exportedAt.ReplaceAllString(without.out, "")
			if with != without {
				t.Errorf("%s: %v: with a server\n%+v\nwithout\n%+v", change, args, with, without)
			}
		}
	}
	compare("at first")
	writeTree(t, a.dir, map[string]string{"b.go": "package shop\n\nfunc Order() { Pay(); check() }\n", "c.go": "package shop\n\nfunc Later() { Pay() }\n"})
	if got := a.ask("query", "who calls Pay"); !strings.Contains(got.out, "Later") {
		t.Errorf("a file that was just written is not in the answer: %+v", got)
	}
	compare("after a change")
	if err := os.Remove(filepath.Join(a.dir, "c.go")); err != nil {
		t.Fatal(err)
	}
	if got := a.ask("query", "who calls Pay"); strings.Contains(got.out, "Later") {
		t.Errorf("a file that was just removed is in the answer: %+v", got)
	}
	after := a.server()
	if after == nil || after.PID != before.PID || after.Questions < before.Questions+int64(len(commands)) {
		t.Errorf("asked %+v, then %+v", before, after)
	}
	if got := a.ask("status"); !strings.Contains(got.out, "process "+itoa(after.PID)) {
		t.Errorf("status: %+v", got)
	}
	if got := a.ask("doctor"); !strings.Contains(got.out, "process "+itoa(after.PID)) {
		t.Errorf("doctor: %+v", got)
	}
}

// TestKilledServerIsReplaced, and one that hangs is not waited for.
func TestKilledServerIsReplaced(t *testing.T) {
	a := newAsking(t)
	first := a.answering()
	want := a.run("0", "query", "who calls Pay")
	if err := syscall.Kill(first.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if got := a.ask("query", "who calls Pay"); got != want {
		t.Errorf("beside a process that hangs: %+v", got)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	a.end(syscall.SIGKILL)
	if sockets, _ := filepath.Glob(filepath.Join(a.home(), "server", "*.sock")); len(sockets) != 1 {
		t.Errorf("the killed process left %v", sockets)
	}
	if got := a.ask("query", "who calls Pay"); got != want {
		t.Errorf("after a kill: %+v", got)
	}
	a.touchLogs(time.Now().Add(-time.Hour))
	if second := a.answering(); second.PID == first.PID {
		t.Errorf("the same process: %+v", second)
	}
}

// TestOtherBuildsHaveOtherServers: a new program does not ask an old one.
func TestOtherBuildsHaveOtherServers(t *testing.T) {
	a := newAsking(t)
	first := a.answering()
	here, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "reverse-spec")
	copyFile(t, here, other)
	a.program = other
	if p := a.server(); p != nil {
		t.Errorf("another build asks %+v", p)
	}
	if second := a.answering(); second.PID == first.PID {
		t.Errorf("the same process: %+v", second)
	}
	a.env = []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.excludesFile", "GIT_CONFIG_VALUE_0=/dev/null"}
	if p := a.server(); p != nil {
		t.Errorf("with other rules for files it asks %+v", p)
	}
}

// TestServerEndsWhenIdle and leaves no socket, nor a file of its state.
func TestServerEndsWhenIdle(t *testing.T) {
	a := newAsking(t)
	a.setting = "3s"
	p := a.answering()
	for end := time.Now().Add(patient); syscall.Kill(p.PID, 0) == nil && !isZombie(p.PID); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it goes on: %s", a.log())
		}
	}
	for _, pattern := range []string{"server/*.sock", "server/*.lock", "projects/*.live.*"} {
		if left, _ := filepath.Glob(filepath.Join(a.home(), pattern)); len(left) > 0 {
			t.Errorf("it left %v", left)
		}
	}
	a.touchLogs(time.Now()) // the next question starts none
	if got, want := a.ask("query", "who calls Pay"), a.run("0", "query", "who calls Pay"); got != want {
		t.Errorf("%+v", got)
	}
}

// TestNoServerIsStarted where it is turned off, in CI, for a small project, and by commands that ask no graph.
func TestNoServerIsStarted(t *testing.T) {
	a := newAsking(t)
	a.run("0", "index")
	for name, c := range map[string]struct {
		setting string
		env     []string
		args    []string
	}{
		"off":           {"0", nil, []string{"query", "who calls Pay"}},
		"in CI":         {"", []string{"CI=true"}, []string{"query", "who calls Pay"}},
		"small":         {"", nil, []string{"query", "who calls Pay"}},
		"not compared":  {"1m", nil, []string{"query", "--no-index", "who calls Pay"}},
		"a selection":   {"1m", nil, []string{"query", "--exclude", "b.go", "who calls Pay"}},
		"another order": {"1m", nil, []string{"list"}},
	} {
		a.env = c.env
		if got := a.run(c.setting, c.args...); got.code != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if _, err := os.Stat(filepath.Join(a.home(), "server")); err == nil {
			t.Errorf("%s: a process was started", name)
		}
	}
	if got := a.run("never", "query", "who calls Pay"); got.code != exitUsage || !strings.Contains(got.err, daemon.Variable) {
		t.Errorf("a wrong setting: %+v", got)
	}
}

// TestOthersHaveNoAccess to the socket; where they have, it is not used.
func TestOthersHaveNoAccess(t *testing.T) {
	a := newAsking(t)
	a.answering()
	folder := filepath.Join(a.home(), "server")
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && (path == folder || strings.HasSuffix(path, ".sock")) && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if p := a.server(); p != nil {
		t.Errorf("it asks %+v", p)
	}
	if got, want := a.ask("query", "who calls Pay"), a.run("0", "query", "who calls Pay"); got != want {
		t.Errorf("%+v", got)
	}
}

// TestMCPServerAnswersCommands while its client is there.
func TestMCPServerAnswersCommands(t *testing.T) {
	a := newAsking(t)
	a.env = []string{"HOME=" + filepath.Join(a.dir, ".home"), "XDG_CONFIG_HOME=" + filepath.Join(a.dir, ".home")}
	s := startServer(t, a.dir, []string{"CI=", daemon.Variable + "=1"})
	s.send(t, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	p := a.answering()
	if p.PID != s.pid || p.Idle != 0 {
		t.Errorf("process %d answers, not the server %d: %+v", p.PID, s.pid, p)
	}
	if got, want := a.ask("query", "who calls Pay"), a.run("0", "query", "who calls Pay"); got != want {
		t.Errorf("%+v", got)
	}
	s.stop()
	if p := a.server(); p != nil && p.PID == s.pid {
		t.Errorf("it answers still: %+v", p)
	}
}
