package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// populate has the kernel back the next size bytes of the heap. They are garbage at once, and their size brings about the collection that
// frees them.
func populate(size int) {
	memory := make([]byte, size)
	_ = unix.Madvise(memory, unix.MADV_POPULATE_WRITE) // kernels before 5.14 refuse it, and back each page when it is used
	runtime.KeepAlive(memory)
}
