//go:build unix

package workspace

import "syscall"

// nonBlock makes the opening of a pipe return at once, with or without a writer.
const nonBlock = syscall.O_NONBLOCK
