package resolve

import (
	"hash/maphash"
	"math/bits"
)

// names finds declarations by their names. A map with a list for each name takes several times as much memory, and much more of the garbage
// collector's time: a kernel has six million declarations. The nil names have none.
type names struct {
	list  []*decl  // those of one name together, in the order in which they were added
	slots []uint32 // a hash table with open addressing: the index in list of the first of a name, plus one; 0 is free
}

// nameSeed makes it impossible to choose names with equal hashes.
var nameSeed = maphash.MakeSeed()

// add adds a declaration. [names.of] finds it after the next index.
func (n *names) add(d *decl) { n.list = append(n.list, d) }

// of returns the declarations of a name. The list must not be changed.
func (n *names) of(name string) []*decl {
	if n == nil || len(n.slots) == 0 {
		return nil
	}
	slot := n.slot(name)
	if n.slots[slot] == 0 {
		return nil
	}
	from := int(n.slots[slot] - 1)
	to := from + 1
	for to < len(n.list) && n.list[to].name == name {
		to++
	}
	return n.list[from:to:to]
}

// slot returns the slot of a name, or the free one for it.
func (n *names) slot(name string) uint32 {
	last := uint32(len(n.slots) - 1)
	for at := uint32(maphash.String(nameSeed, name)) & last; ; at = (at + 1) & last {
		if i := n.slots[at]; i == 0 || n.list[i-1].name == name {
			return at
		}
	}
}

// index makes the table of the declarations, and groups them.
func (n *names) index() {
	n.slots = make([]uint32, 1<<bits.Len(uint(len(n.list)+len(n.list)/2)))
	slotOf, count := make([]uint32, len(n.list)), make([]uint32, len(n.slots))
	for i, d := range n.list {
		slot := n.slot(d.name)
		if n.slots[slot] == 0 {
			n.slots[slot] = uint32(i + 1)
		}
		slotOf[i] = slot
		count[slot]++
	}
	grouped := make([]*decl, len(n.list))
	begun, next := make([]bool, len(n.slots)), uint32(0)
	for i, d := range n.list {
		slot := slotOf[i]
		if !begun[slot] {
			begun[slot] = true
			n.slots[slot] = next + 1
			count[slot], next = next, next+count[slot] // from here on where the next of the group goes
		}
		grouped[count[slot]] = d
		count[slot]++
	}
	n.list = grouped
}
