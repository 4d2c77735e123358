// Package arena lends memory that the garbage collector does not know, for long lists that live through much other work: in the heap they
// would make it grow by several times their size between two collections.
package arena

import (
	"errors"
	"unsafe"
)

// Arena is memory outside the heap. The zero value is empty. It is not safe for concurrent use.
type Arena struct{ blocks [][]byte }

// List returns an empty list with room for n values, which must not have pointers; memory is taken as it is filled. A longer list goes
// to the heap. It is nil where there is no such memory. Nothing of it may be used after [Arena.Free].
func List[T any](a *Arena, n int) []T {
	block := reserve(n * int(unsafe.Sizeof(*new(T))))
	if len(block) == 0 {
		return nil
	}
	a.blocks = append(a.blocks, block)
	return unsafe.Slice((*T)(unsafe.Pointer(&block[0])), n)[:0]
}

// Free gives the memory back.
func (a *Arena) Free() error {
	var err error
	for _, block := range a.blocks {
		err = errors.Join(err, release(block))
	}
	a.blocks = nil
	return err
}
