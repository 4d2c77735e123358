package reuse_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/reuse"
)

// TestZero: what a pool returns is zero and as long as asked for, whatever was given up before.
func TestZero(t *testing.T) {
	var pool reuse.Pool[int]
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := range 300 {
				list := pool.Get(n)
				if len(list) != n || slices.ContainsFunc(list, func(i int) bool { return i != 0 }) {
					t.Errorf("%d values, asked for %d: %v", len(list), n, list)
				}
				for i := range list {
					list[i] = i + 1
				}
				pool.Put(append(list, n+1))
			}
		})
	}
	wg.Wait()
}

// TestReuse: the memory that is given up serves what fits it.
func TestReuse(t *testing.T) {
	var pool reuse.Pool[byte]
	list := make([]byte, 1<<10)
	const rounds = 100
	if n := testing.AllocsPerRun(rounds, func() {
		pool.Put(list)
		list = pool.Get(1 << 10)
	}); n > 2 { // that of the pool's own pointer; under the race detector the pool drops some
		t.Errorf("%v allocations for a slice that was given up", n)
	}
}
