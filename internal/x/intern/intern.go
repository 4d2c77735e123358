// Package intern numbers texts.
package intern

import (
	"bytes"
	"hash/maphash"
)

// Table is a list of texts, numbered from 0, one behind the other. The zero value is empty. It holds less than 4 GiB.
type Table struct {
	Text  []byte
	Ends  []uint32 // text n begins at Ends[n-1]
	slots []slot   // as many as a power of two; at most half of them are taken
	taken int
}

// slot is an entry of a hash table with open addressing.
type slot struct{ hash, number uint32 } // number + 1; 0 if it is free

// seed makes it impossible to choose texts with equal hashes.
var seed = maphash.MakeSeed()

const fewestSlots = 64

// fewCleared is how many slots are cleared in less time than a new table takes to grow.
const fewCleared = 4096

// Len returns the number of texts.
func (t *Table) Len() int { return len(t.Ends) }

// Get returns a text. Nobody may change it.
func (t *Table) Get(n uint32) []byte {
	from := uint32(0)
	if n > 0 {
		from = t.Ends[n-1]
	}
	return t.Text[from:t.Ends[n]:t.Ends[n]]
}

// Add appends a text, even if there is an equal one, and returns its number.
func (t *Table) Add(text []byte) uint32 {
	t.Text = append(t.Text, text...)
	t.Ends = append(t.Ends, uint32(len(t.Text)))
	return uint32(len(t.Ends) - 1)
}

// Number returns the number of a text, and appends it if it is not yet known to Number.
func (t *Table) Number(text []byte) (n uint32, known bool) {
	if 2*t.taken >= len(t.slots) {
		t.grow()
	}
	hash := uint32(maphash.Bytes(seed, text))
	at := hash
	for ; ; at++ {
		s := &t.slots[at&uint32(len(t.slots)-1)]
		if s.number == 0 {
			break
		}
		if s.hash == hash && bytes.Equal(t.Get(s.number-1), text) {
			return s.number - 1, true
		}
	}
	n = t.Add(text)
	t.slots[at&uint32(len(t.slots)-1)] = slot{hash, n + 1}
	t.taken++
	return n, false
}

// grow doubles the slots.
func (t *Table) grow() {
	old := t.slots
	t.slots = make([]slot, max(fewestSlots, 2*len(old)))
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := s.hash
		for ; t.slots[at&uint32(len(t.slots)-1)].number != 0; at++ {
		}
		t.slots[at&uint32(len(t.slots)-1)] = s
	}
}

// Reset empties the table and keeps memory for about as many texts.
func (t *Table) Reset() {
	if len(t.slots) > fewCleared && 16*t.taken < len(t.slots) {
		t.slots = nil
	}
	clear(t.slots)
	t.Text, t.Ends, t.taken = t.Text[:0], t.Ends[:0], 0
}
