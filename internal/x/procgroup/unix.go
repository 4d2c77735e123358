//go:build unix

// Package procgroup ends commands together with all that they started.
package procgroup

import (
	"os/exec"
	"syscall"
)

// Own puts a command and its children into a process group of their own; when its
// context ends they are told to end.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// Kill ends whoever is left of a command's group, when the command has ended. That
// nobody is left is as it should be, and so is a command that never started.
func Kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
