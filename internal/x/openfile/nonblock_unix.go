//go:build unix

package openfile

import "syscall"

// NonBlock makes the opening of a FIFO return at once, with or without a writer.
const NonBlock = syscall.O_NONBLOCK
