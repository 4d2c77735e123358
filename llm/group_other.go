//go:build !unix

package llm

import "os/exec"

// ownGroup does nothing where there are no process groups: the command alone is
// ended with its context.
func ownGroup(*exec.Cmd) {}

// killGroup does nothing where there are no process groups.
func killGroup(*exec.Cmd) {}
