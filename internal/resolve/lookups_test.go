package resolve

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHashSet: the set has what was added, once, however it grows.
func TestHashSet(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 129, 5000} {
		var s hashSet
		want := map[uint32]bool{}
		for i := range n {
			h := rand.Uint32() >> (i % 20) // small ones are more often equal, and 0
			want[h] = true
			s.add(h)
			s.add(h)
		}
		if got := s.sorted(); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			t.Errorf("of %d hashes, %d different ones, the set has %d", n, len(want), len(got))
		}
	}
}
