//go:build unix

package openfile

import "syscall"

// NonBlock makes opening a FIFO return at once, with or without a writer.
const NonBlock = syscall.O_NONBLOCK
