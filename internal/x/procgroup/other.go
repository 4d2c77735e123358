//go:build !unix

// Package procgroup ends commands together with all their child processes.
package procgroup

import "os/exec"

// Own does nothing where there are no process groups: only the command itself ends
// with its context.
func Own(*exec.Cmd) {}

// OwnKilled does nothing where there are no process groups.
func OwnKilled(*exec.Cmd) {}

// Lower does nothing where there are no process groups.
func Lower(*exec.Cmd) {}

// Kill does nothing where there are no process groups.
func Kill(*exec.Cmd) {}
