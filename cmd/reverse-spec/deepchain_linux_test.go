package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/shapes"
)

// chainProject returns a project with a file in big that is a single expression of 150,000
// calls, and a small one in small.
func chainProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, s := range shapes.Of() {
		if s.File != "a.js" || s.Name != "calls with arguments" {
			continue
		}
		for folder, links := range map[string]int{"big": 150_000, "small": 3} {
			if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, folder, s.File), []byte(s.Make(links)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ticks returns the processor time of a process in clock ticks, which unlike wall time does
// not depend on other load.
func ticks(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // it has ended
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return user + system
}

// reach waits until a process has used a number of ticks.
func reach(t *testing.T, pid, want int) {
	t.Helper()
	for begin := time.Now(); ticks(t, pid) < want; time.Sleep(time.Millisecond) {
		if time.Since(begin) > patient {
			t.Fatalf("process %d took no %d ticks", pid, want)
		}
	}
}

// TestCancelledCallsFreeTheirWorkers cancels as many calls as a server has workers, each busy
// with one file. The next call must be answered before any of them could have finished.
func TestCancelledCallsFreeTheirWorkers(t *testing.T) {
	s := startServer(t, chainProject(t), nil)
	s.initialize(t)
	const big, small = `{"name":"prepare","arguments":{"targetPath":"big"}}`, `{"name":"prepare","arguments":{"targetPath":"small"}}`
	begin := ticks(t, s.pid)
	s.ask(t, "tools/call", big)
	alone := ticks(t, s.pid) - begin

	begin = ticks(t, s.pid)
	var calls []int
	for range 4 {
		calls = append(calls, s.send(t, "tools/call", big))
	}
	reach(t, s.pid, begin+alone/4) // they are busy
	for _, id := range calls {
		if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", id); err != nil {
			t.Fatal(err)
		}
	}
	begin = ticks(t, s.pid)
	if m := s.ask(t, "tools/call", small); m.Error != nil || !strings.Contains(string(m.Result), "small/a.js") {
		t.Errorf("the next call: %s %.300s", m.Error, m.Result)
	}
	if spent := ticks(t, s.pid) - begin; spent > alone {
		t.Errorf("the server spent %d ticks until the next answer; one of the four cancelled calls takes %d", spent, alone)
	}
}

// TestAnInterruptIsSeenWithinAFile interrupts commands at several moments of their work on one
// file.
func TestAnInterruptIsSeenWithinAFile(t *testing.T) {
	for _, args := range [][]string{{"generate", "big"}, {"index"}} {
		t.Run(args[0], func(t *testing.T) {
			whole := program(t, chainProject(t), args...)
			if out, err := whole.CombinedOutput(); err != nil {
				t.Fatalf("%v: %.300s", err, out)
			}
			alone := spentBy(whole)
			for part := range 3 {
				cmd := program(t, chainProject(t), args...)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				reach(t, cmd.Process.Pid, int(alone/(10*time.Millisecond))*(part+1)/6) // a tick is 10 ms
				before := time.Duration(ticks(t, cmd.Process.Pid)) * 10 * time.Millisecond
				if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
					t.Fatal(err)
				}
				exit := (*exec.ExitError)(nil)
				if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
					t.Errorf("interrupted after %v of %v: %v", before, alone, err)
				}
				const ending = 250 * time.Millisecond // a collection of garbage, the exit
				if more := spentBy(cmd) - before; more > alone/4+ending {
					t.Errorf("interrupted after %v of %v, it spent %v more", before, alone, more)
				}
			}
		})
	}
}

// spentBy returns the processor time of a finished command.
func spentBy(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
