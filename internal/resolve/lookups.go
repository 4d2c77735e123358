package resolve

import (
	"math/rand/v2"
	"slices"
)

// lookups are hashes of names that were looked up, some of them several times.
type lookups struct {
	hashes   []uint32
	distinct int // how many there were when they were last sorted
}

// add adds hashes.
func (n *lookups) add(hashes ...uint32) {
	n.hashes = append(n.hashes, hashes...)
	if len(n.hashes) > 64 && len(n.hashes) > 4*n.distinct {
		n.sorted()
	}
}

// sorted returns each hash once, sorted.
func (n *lookups) sorted() []uint32 {
	slices.Sort(n.hashes)
	n.hashes = slices.Compact(n.hashes)
	n.distinct = len(n.hashes)
	return n.hashes
}

// hashSet is a set of hashes: those of a file's lookups, of which most are added many times.
type hashSet struct {
	slots []uint32 // a power of two, of which at least half are 0
	shift uint32   // 32 less the exponent
	used  int
	zero  bool // 0 is in the set
}

// spreader is odd and not known before the process runs: names cannot be chosen so that their hashes meet.
var spreader = rand.Uint32() | 1

// leastSlots is the exponent of the number of slots of the smallest set.
const leastSlots = 8

// add adds a hash.
func (s *hashSet) add(h uint32) {
	if h == 0 {
		s.zero = true
		return
	}
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	if slot := s.slot(h); *slot == 0 {
		*slot = h
		s.used++
	}
}

// slot returns the slot that has a hash, or the free one for it.
func (s *hashSet) slot(h uint32) *uint32 {
	last := uint32(len(s.slots) - 1)
	for i := h * spreader >> s.shift; ; i = (i + 1) & last {
		if s.slots[i] == h || s.slots[i] == 0 {
			return &s.slots[i]
		}
	}
}

func (s *hashSet) grow() {
	old := s.slots
	if len(old) == 0 {
		s.slots, s.shift = make([]uint32, 1<<leastSlots), 32-leastSlots
		return
	}
	s.slots, s.shift = make([]uint32, 2*len(old)), s.shift-1
	for _, h := range old {
		if h != 0 {
			*s.slot(h) = h
		}
	}
}

// sorted returns the hashes, sorted.
func (s *hashSet) sorted() []uint32 {
	var out []uint32
	if s.zero {
		out = append(out, 0)
	}
	for _, h := range s.slots {
		if h != 0 {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}
