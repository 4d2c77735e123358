//go:build !unix

// Package procgroup ends commands together with all their child processes.
package group

import "os/exec"

// Own does nothing on systems without process groups: only the command itself ends with its context.
func Own(*exec.Cmd) {}

// Kill does nothing on systems without process groups.
func Kill(*exec.Cmd) {}
