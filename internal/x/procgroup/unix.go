//go:build unix

// Package procgroup ends commands together with all their child processes.
package procgroup

import (
	"os/exec"
	"syscall"
)

// Own runs a command in a new process group, which is terminated when the command's context ends.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// Kill kills the remaining processes of a command's group after the command ended. It is no error if there are none
// or the command never started.
func Kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
