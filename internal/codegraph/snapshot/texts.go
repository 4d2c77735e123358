package snapshot

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unsafe"
)

// texts are strings by their numbers. "" is 0.
type texts struct {
	text  []byte
	ends  []uint32          // ends[n-1] is where string n begins
	known map[string]uint32 // those that are shared
	err   error             // there are too many
}

func newTexts() texts { return texts{ends: []uint32{0}, known: map[string]uint32{"": 0}} }

// errTooLarge is the error for a graph that a snapshot has no room for.
var errTooLarge = errors.New("more than 4 GiB of text")

// add adds a string.
func (t *texts) add(s string) uint32 {
	if s == "" {
		return 0
	}
	if len(t.text)+len(s) > math.MaxUint32 || len(t.ends) == math.MaxUint32 {
		t.err = errTooLarge
		return 0
	}
	t.text = append(t.text, s...)
	t.ends = append(t.ends, uint32(len(t.text)))
	return uint32(len(t.ends) - 1)
}

// shared adds a string that may be there.
func (t *texts) shared(s string) uint32 {
	if n, ok := t.known[s]; ok {
		return n
	}
	n := t.add(s)
	t.known[strings.Clone(s)] = n
	return n
}

// get returns a string, which is good until the next is added.
func (t *texts) get(n uint32) string {
	if n == 0 {
		return ""
	}
	from, to := t.ends[n-1], t.ends[n]
	return unsafe.String(unsafe.SliceData(t.text[from:]), int(to-from))
}

// sorted returns the strings whose numbers are given, each once, in the order of
// their texts, and for each of these numbers its place there.
func (t *texts) sorted(each func(yield func(n uint32))) (rank map[uint32]uint32, sorted []uint32) {
	rank = map[uint32]uint32{}
	each(func(n uint32) {
		if _, there := rank[n]; !there {
			rank[n] = 0
			sorted = append(sorted, n)
		}
	})
	slices.SortFunc(sorted, func(a, b uint32) int { return strings.Compare(t.get(a), t.get(b)) })
	for i, n := range sorted {
		rank[n] = uint32(i)
	}
	return rank, sorted
}
