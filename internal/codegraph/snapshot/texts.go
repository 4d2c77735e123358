package snapshot

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unsafe"
)

// texts is a string table. "" is number 0.
type texts struct {
	text  []byte
	ends  []uint32          // string n begins at ends[n-1]
	known map[string]uint32 // shared strings
	err   error             // set on overflow
}

func newTexts() texts { return texts{ends: []uint32{0}, known: map[string]uint32{"": 0}} }

// errTooLarge is returned for a graph that is too large for a snapshot.
var errTooLarge = errors.New("more than 4 GiB of text")

// add appends a string.
func (t *texts) add(s string) uint32 { return t.addBytes(unsafe.Slice(unsafe.StringData(s), len(s))) }

func (t *texts) addBytes(s []byte) uint32 {
	if len(s) == 0 {
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

// shared returns the number of a string, appending it if needed.
func (t *texts) shared(s string) uint32 {
	if n, ok := t.known[s]; ok {
		return n
	}
	n := t.add(s)
	t.known[strings.Clone(s)] = n
	return n
}

// get returns a string, valid until the next add.
func (t *texts) get(n uint32) string {
	if n == 0 {
		return ""
	}
	from, to := t.ends[n-1], t.ends[n]
	return unsafe.String(unsafe.SliceData(t.text[from:]), int(to-from))
}

// sorted returns the distinct string numbers sorted by their texts, and the rank of each number.
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
