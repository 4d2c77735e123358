//go:build unix

package ckb_test

import (
	"os"
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
}
