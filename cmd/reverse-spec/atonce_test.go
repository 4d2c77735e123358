package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
)

// manyFiles returns a project that takes a while to index.
func manyFiles(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module example.com/many\n", ".gitignore": ".home/\n"}
	for i := range 200 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package many\n\nfunc F%d() { F%d() }\n", i, (i+1)%200)
	}
	writeTree(t, dir, files)
	return dir
}

// process returns a command that runs this program in a project, with its own store.
func process(t *testing.T, dir string, args ...string) (*exec.Cmd, *bytes.Buffer, *syncBuffer) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "reverse-spec", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REVERSE_SPEC_HOME="+filepath.Join(dir, ".home", "data"), "GRAPH_DB_PATH=", "LC_ALL=C", "REVERSE_SPEC_LANG=", "TARGET_REPO_PATH=")
	out, errs := &bytes.Buffer{}, &syncBuffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	return cmd, out, errs
}

// held takes the lock of a project's graph, like another indexing process.
func held(t *testing.T, dir string) (release func()) {
	t.Helper()
	s, err := sqlite.Open(sqlite.Options{Home: filepath.Join(dir, ".home", "data")})
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := s.Lock(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	done := false
	release = func() {
		if done {
			return
		}
		done = true
		if err := unlock(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(release)
	return release
}

// until waits for a text in a process's output.
func until(t *testing.T, b *syncBuffer, text string) {
	t.Helper()
	for end := time.Now().Add(patient); !strings.Contains(b.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %q in %q", text, b.String())
		}
	}
}

func TestTwoProcessesIndexAtOnce(t *testing.T) {
	dir := manyFiles(t)
	one, out1, errs1 := process(t, dir, "index", "--json")
	two, out2, errs2 := process(t, dir, "index", "--json")
	for _, cmd := range []*exec.Cmd{one, two} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	if err1, err2 := one.Wait(), two.Wait(); err1 != nil || err2 != nil {
		t.Fatalf("%v, %v\n%s\n%s", err1, err2, errs1, errs2)
	}
	modes := map[string]int{}
	for _, out := range []*bytes.Buffer{out1, out2} {
		var sum struct {
			Mode  string
			Files int
		}
		if err := json.Unmarshal(out.Bytes(), &sum); err != nil || sum.Files != 200 {
			t.Errorf("%v %s", err, out)
		}
		modes[sum.Mode]++
	}
	if modes["full"] != 1 || modes["unchanged"] != 1 {
		t.Errorf("%v", modes)
	}
}

func TestAnIndexWaitsForAnotherProcess(t *testing.T) {
	dir := manyFiles(t)
	release := held(t, dir)
	cmd, out, errs := process(t, dir, "index", "--wait", "300ms")
	if err := cmd.Run(); err == nil || !strings.Contains(errs.String(), fmt.Sprintf("another process (%d) has been indexing project", os.Getpid())) ||
		!strings.Contains(errs.String(), "after 300ms it is still at work") || strings.Contains(errs.String(), "stop") {
		t.Errorf("the limit: %v\n%s%s", err, out, errs)
	}
	cmd, out, errs = process(t, dir, "index")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, errs, "has been indexing project")
	release()
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "  200  ") {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
	release = held(t, dir)
	cmd, out, errs = process(t, dir, "impact", "F1") // a query uses the previous graph and says so
	if err := cmd.Run(); err != nil || !strings.Contains(errs.String(), "has been indexing project") || !strings.Contains(out.String(), "F0") {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
	release()
}

// A killed process holds no lock.
func TestAKilledIndexIsNotWaitedFor(t *testing.T) {
	dir := manyFiles(t)
	watch, _, _ := process(t, dir, "index", "--watch")
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	locks := filepath.Join(dir, ".home", "data", "projects", "*.lock")
	for end := time.Now().Add(patient); ; time.Sleep(time.Millisecond) {
		if found, err := filepath.Glob(locks); err == nil && len(found) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it never took the lock")
		}
	}
	if err := watch.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = watch.Wait() // killed
	cmd, out, errs := process(t, dir, "index", "--wait", "0")
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "  200  ") {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
}

// TestTwoCallsIndexAtOnce: three calls of a server wait for another process; one is cancelled,
// and the others share the result of one run.
func TestTwoCallsIndexAtOnce(t *testing.T) {
	dir := manyFiles(t)
	release := held(t, dir)
	s := startServer(t, dir, nil)
	s.initialize(t)
	call := func() int {
		return s.send(t, "tools/call", fmt.Sprintf(`{"name":"index_repository","arguments":{},"_meta":{"progressToken":%d}}`, s.last+1))
	}
	first, second, third := call(), call(), call()
	waits := map[string]bool{}
	s.wait(t, "progress of all three", func(m rpcMessage) bool {
		if m.Method == "notifications/progress" && strings.Contains(string(m.Params), "has been indexing project") {
			waits[string(m.Params)[:30]] = true
		}
		return len(waits) == 3
	})
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", first); err != nil {
		t.Fatal(err)
	}
	s.ask(t, "ping", `{}`)
	release()
	answers := map[int]string{}
	s.wait(t, "both answers", func(m rpcMessage) bool {
		if m.Method == "" {
			answers[m.ID] = string(m.Result)
		}
		return answers[second] != "" && answers[third] != ""
	})
	if answers[second] != answers[third] || !strings.Contains(answers[second], "Successfully indexed repository") || !strings.Contains(answers[second], "  200  ") {
		t.Errorf("%s\n%s", answers[second], answers[third])
	}
	if answers[first] != "" {
		t.Errorf("the cancelled one was answered: %s", answers[first])
	}
}
