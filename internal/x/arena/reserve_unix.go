//go:build unix

package arena

import (
	"math/bits"

	"golang.org/x/sys/unix"
)

// reserve returns memory of a size; nil if there is none, or if addresses are scarce.
func reserve(size int) []byte {
	if bits.UintSize < 64 {
		return nil
	}
	block, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return block
}

func release(block []byte) error { return unix.Munmap(block) }
