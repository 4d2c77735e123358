//go:build unix

package llm

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command and its children into a process group of their own; when
// its context ends they are told to end.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// killGroup ends whoever is left of a command's group. That nobody is left is as
// it should be.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
