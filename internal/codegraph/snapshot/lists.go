package snapshot

import (
	"cmp"
	"slices"
	"strings"
)

// listing is texts, sorted, with the nodes that are listed under each: its sections.
type listing struct{ keys, ends, places []uint32 }

// add adds a key with its nodes.
func (l *listing) add(key uint32, places ...uint32) {
	l.places = append(l.places, places...)
	l.keys, l.ends = append(l.keys, key), append(l.ends, uint32(len(l.places)))
}

// entry is a node listed under a text.
type entry struct{ key, place uint32 }

// qualified returns the places of nodes, sorted by their qualified names.
func (b *builder) qualified(places []uint32) []uint32 {
	slices.SortFunc(places, b.byQualified)
	return places
}

func (b *builder) byQualified(x, y uint32) int {
	return cmp.Or(strings.Compare(b.strings.get(b.nodes[x].qualified), b.strings.get(b.nodes[y].qualified)), cmp.Compare(x, y))
}

// pathsOf returns nodes by their paths.
func (b *builder) pathsOf(places []uint32) []entry {
	entries := make([]entry, 0, len(places))
	for _, place := range places {
		if path := b.nodes[place].path; path != 0 {
			entries = append(entries, entry{path, place})
		}
	}
	return entries
}

// keys returns nodes by name and by the last part of their qualified name if that differs.
func (b *builder) keys(places []uint32) []entry {
	entries := make([]entry, 0, len(places))
	for _, place := range places {
		name := b.nodes[place].name
		entries = append(entries, entry{name, place})
		if part := lastPart(b.strings.get(b.nodes[place].qualified)); part != b.strings.get(name) {
			entries = append(entries, entry{b.strings.shared(part), place})
		}
	}
	return entries
}

// listed returns the listing of entries, whose places are in order. Equal texts have one number.
func (b *builder) listed(entries []entry) (l listing) {
	rank, sorted := b.strings.sorted(func(yield func(uint32)) {
		for _, e := range entries {
			yield(e.key)
		}
	})
	l.keys, l.places = sorted, make([]uint32, len(entries))
	l.ends = group(len(sorted), len(entries), func(i int) uint32 { return rank[entries[i].key] }, func(i int, to uint32) { l.places[to] = entries[i].place })
	return l
}
