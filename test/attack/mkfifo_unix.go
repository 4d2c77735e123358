//go:build unix

package main

import "syscall"

// mkfifo creates a FIFO.
func mkfifo(path string) error { return syscall.Mkfifo(path, 0o644) }
