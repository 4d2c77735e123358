package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// populate has the kernel back the next size bytes of the heap. The collector gets them back with the next collection, which their size
// brings about.
func populate(size int) {
	if size <= 0 {
		return
	}
	memory := make([]byte, size)
	_ = unix.Madvise(memory, unix.MADV_POPULATE_WRITE) // kernels before 5.14 refuse it, and back each page when it is used
	runtime.KeepAlive(memory)
}
