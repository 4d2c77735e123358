package snapshot

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// qualified returns the places, sorted by the qualified names of their nodes.
func (x *extension) qualified() ([]uint32, error) {
	kept := make([]uint32, 0, len(x.old.qualified))
	for _, place := range x.old.qualified {
		if uint64(place) >= uint64(len(x.kept)) {
			return nil, ErrDamaged
		}
		if x.kept[place] {
			kept = append(kept, x.now[place]-1)
		}
	}
	all := make([]uint32, 0, len(x.b.nodes))
	for _, place := range x.b.qualified(slices.Clone(x.fresh)) {
		before := sort.Search(len(kept), func(i int) bool { return x.b.byQualified(kept[i], place) > 0 })
		all, kept = append(append(all, kept[:before]...), place), kept[before:]
	}
	return append(all, kept...), nil
}

// listed merges an old listing with new entries.
func (x *extension) listed(old listing, entries []entry) (l listing, err error) {
	get := x.b.strings.get
	slices.SortFunc(entries, func(p, q entry) int {
		return cmp.Or(strings.Compare(get(p.key), get(q.key)), cmp.Compare(p.place, q.place))
	})
	l = listing{make([]uint32, 0, len(old.keys)), make([]uint32, 0, len(old.keys)), make([]uint32, 0, len(old.places)+len(entries))}
	next := 0
	for len(entries) > 0 {
		key := entries[0].key
		n := 1
		for n < len(entries) && get(entries[n].key) == get(key) {
			n++
		}
		at, found, err := find(old.keys[next:], get(key), x.old.bytesOf)
		if err != nil {
			return l, err
		}
		if err := x.relist(&l, old, next, next+at); err != nil {
			return l, err
		}
		next += at
		var places []uint32
		if found {
			if places, err = x.places(old, next); err != nil {
				return l, err
			}
			next++
		}
		for _, e := range entries[:n] {
			places = append(places, e.place)
		}
		slices.Sort(places)
		l.add(key, places...)
		entries = entries[n:]
	}
	return l, x.relist(&l, old, next, len(old.keys))
}

// relist takes over the keys from one to another that have nodes.
func (x *extension) relist(l *listing, old listing, from, to int) error {
	for i := from; i < to; i++ {
		places, err := x.places(old, i)
		if err != nil {
			return err
		}
		if len(places) == 0 {
			continue
		}
		key, err := x.text(old.keys[i])
		if err != nil {
			return err
		}
		l.add(key, places...)
	}
	return nil
}

// places returns the places now of the nodes under a key that are taken over.
func (x *extension) places(old listing, key int) (places []uint32, err error) {
	some, err := span(old.places, old.ends, key)
	for _, place := range some {
		if uint64(place) >= uint64(len(x.kept)) {
			return nil, ErrDamaged
		}
		if x.kept[place] {
			places = append(places, x.now[place]-1)
		}
	}
	return places, err
}

// inverted merges the old full-text index with the words of the nodes that were read.
func (x *extension) inverted() (all inverted, err error) {
	w, old := &x.b.words, x.old
	whole := make([]bool, len(old.nodes))
	for i := range old.nodes {
		whole[i] = old.nodes[i].flags&flagWhole != 0
	}
	m := w.finish()
	if !m.agree(newMeasures(old.sizes, whole)) {
		return all, errOther
	}
	all.postings = make([]byte, 0, len(old.postings)+len(old.postings)/64)
	var list, merged []impact
	next := 0
	err = w.each(m, func(_ int, stem []byte, fresh []impact) error {
		at, found, err := find(old.terms[next:], string(stem), old.bytesOf)
		if err != nil {
			return err
		}
		if err := x.retake(&all, next, next+at, &list); err != nil {
			return err
		}
		next += at
		if found {
			if list, err = x.impacts(next, list[:0]); err != nil {
				return err
			}
			next++
			merged = joined(merged[:0], fresh, list)
			fresh = merged
		}
		if len(fresh) > 0 {
			all.add(x.b.strings.sharedBytes(stem), fresh)
		}
		return nil
	})
	if err != nil {
		return all, err
	}
	return all, x.retake(&all, next, len(old.terms), &list)
}

// joined appends two lists sorted by place, in that order.
func joined(to, a, b []impact) []impact {
	for len(a) > 0 && len(b) > 0 {
		if a[0].place <= b[0].place {
			to, a = append(to, a[0]), a[1:]
		} else {
			to, b = append(to, b[0]), b[1:]
		}
	}
	return append(append(to, a...), b...)
}

// retake takes over the terms from one to another that have postings.
func (x *extension) retake(all *inverted, from, to int, list *[]impact) (err error) {
	for i := from; i < to; i++ {
		if *list, err = x.impacts(i, (*list)[:0]); err != nil {
			return err
		}
		if len(*list) == 0 {
			continue
		}
		term, err := x.text(x.old.terms[i])
		if err != nil {
			return err
		}
		all.add(term, *list)
	}
	return nil
}

// impacts appends the old postings of a term at nodes that are taken over.
func (x *extension) impacts(term int, to []impact) ([]impact, error) {
	postings, err := span(x.old.postings, x.old.termEnds, term)
	if err != nil {
		return to, err
	}
	err = eachImpact(postings, len(x.kept), func(place uint32, of byte) error {
		if x.kept[place] {
			to = append(to, impact{x.now[place] - 1, of})
		}
		return nil
	})
	return to, err
}
