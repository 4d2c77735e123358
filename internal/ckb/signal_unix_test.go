//go:build unix

package ckb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// signal sends a signal: "STOP" or "KILL".
func signal(t *testing.T, p *os.Process, name string) {
	t.Helper()
	s := map[string]os.Signal{"STOP": syscall.SIGSTOP, "KILL": syscall.SIGKILL}[name]
	if err := p.Signal(s); err != nil {
		t.Error(err)
	}
	for name == "STOP" && running(p.Pid) { // a busy machine delivers late
		runtime.Gosched()
	}
}

// running reports whether a thread of a process is neither stopped nor gone; false where
// the system does not say.
func running(pid int) bool {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil {
		return false
	}
	for _, file := range threads {
		text, err := os.ReadFile(file)
		_, state, ok := strings.Cut(string(text), ") ")
		if err == nil && ok && !strings.HasPrefix(state, "T") && !strings.HasPrefix(state, "Z") {
			return true
		}
	}
	return false
}
