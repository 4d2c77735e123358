//go:build !unix

// Package group ends commands together with all that they started.
package group

import "os/exec"

// Own does nothing where there are no process groups: the command alone is ended
// with its context.
func Own(*exec.Cmd) {}

// Kill does nothing where there are no process groups.
func Kill(*exec.Cmd) {}
