package snapshot

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/reverse-spec/reverse-spec/internal/x/intern"
)

// texts is a string table. "" is number 0.
type texts struct {
	table intern.Table
	err   error // set on overflow
}

func newTexts() (t texts) {
	t.table.Number(nil)
	return t
}

// errTooLarge is returned for a graph that is too large for a snapshot.
var errTooLarge = errors.New("more than 4 GiB of text")

// add appends a string.
func (t *texts) add(s string) uint32 { return t.addBytes(bytesOf(s)) }

func (t *texts) addBytes(s []byte) uint32 {
	if len(s) == 0 || t.full(s) {
		return 0
	}
	return t.table.Add(s)
}

// full reports whether there is no room for another string.
func (t *texts) full(s []byte) bool {
	if len(t.table.Text)+len(s) > math.MaxUint32 || t.table.Len() == math.MaxUint32 {
		t.err = errTooLarge
	}
	return t.err != nil
}

// shared returns the number of a string, appending it if needed.
func (t *texts) shared(s string) uint32 { return t.sharedBytes(bytesOf(s)) }

func (t *texts) sharedBytes(s []byte) uint32 {
	if t.full(s) {
		return 0
	}
	n, _ := t.table.Number(s)
	return n
}

// repeated is a string that is often the one before.
type repeated struct {
	text   string
	number uint32
}

// of is [texts.shared].
func (r *repeated) of(t *texts, s string) uint32 {
	if s != r.text {
		r.text, r.number = s, t.shared(s)
	}
	return r.number
}

// get returns a string, valid until the next add.
func (t *texts) get(n uint32) string {
	s := t.table.Get(n)
	return unsafe.String(unsafe.SliceData(s), len(s))
}

// bytesOf returns the bytes of a string, which nobody changes.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// sorted returns the distinct string numbers sorted by their texts, and the rank of each number.
func (t *texts) sorted(each func(yield func(n uint32))) (rank, sorted []uint32) {
	rank = make([]uint32, t.table.Len())
	each(func(n uint32) {
		if rank[n] == 0 {
			rank[n] = 1
			sorted = append(sorted, n)
		}
	})
	sortTexts(&t.table, sorted)
	for i, n := range sorted {
		rank[n] = uint32(i)
	}
	return rank, sorted
}

// sortTexts sorts numbers of texts by the texts.
func sortTexts(t *intern.Table, numbers []uint32) {
	type key struct {
		first  uint64 // the first bytes
		number uint32
	}
	keys := make([]key, len(numbers))
	for i, n := range numbers {
		var first [8]byte
		copy(first[:], t.Get(n))
		keys[i] = key{binary.BigEndian.Uint64(first[:]), n}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(t.Get(a.number), t.Get(b.number))
	})
	for i, k := range keys {
		numbers[i] = k.number
	}
}
