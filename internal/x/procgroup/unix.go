//go:build unix

// Package procgroup ends commands together with all their child processes: [Own], [OwnKilled]
// and [Kill] for a command with a context, and [Group] for one that lives until it
// is ended, and must not outlive this process.
package procgroup

import (
	"os/exec"
	"syscall"
)

// Own puts a command and its children into a process group of their own. When the command's
// context ends, the group is asked to end (SIGTERM).
func Own(cmd *exec.Cmd) { own(cmd, syscall.SIGTERM) }

// OwnKilled is [Own] for a group that is killed instead.
func OwnKilled(cmd *exec.Cmd) { own(cmd, syscall.SIGKILL) }

func own(cmd *exec.Cmd, end syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, end) }
}

// Lower has a command that was started, and what it starts, run only with the processor time that others leave.
func Lower(cmd *exec.Cmd) {
	const nice = 10
	_ = syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, nice) // else it is only less polite
}

// Kill kills what is left of a command's group after the command has ended. A group
// without processes is not an error, nor is a command that never started.
func Kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
