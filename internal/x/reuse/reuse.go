// Package reuse keeps the memory of slices for those that are needed next.
package reuse

import "sync"

// Pool holds slices that are no longer used. It is safe for concurrent use, and holds none for long. The zero Pool is ready.
type Pool[T any] struct{ idle sync.Pool }

// Get returns a slice of n zero values, with the capacity of one that was given up.
func (p *Pool[T]) Get(n int) []T {
	if list, ok := p.idle.Get().(*[]T); ok && cap(*list) >= n {
		return (*list)[:n]
	}
	return make([]T, n)
}

// Put gives up a slice: nothing may refer to its array any more. What is beyond its length must be zero, as it is after append.
func (p *Pool[T]) Put(list []T) {
	if cap(list) == 0 {
		return
	}
	clear(list)
	p.idle.Put(&list)
}
