//go:build !unix

package main

import "errors"

// mkfifo fails: there are no FIFOs.
func mkfifo(string) error { return errors.ErrUnsupported }
