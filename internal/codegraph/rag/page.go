package rag

import (
	"cmp"
	"slices"
)

// Page leaves of a chain the hops behind the first ones, in the order in which they were
// found, as many as fit into a number of bytes of JSON by what size says, and at least
// one. A hop that was skipped stays, marked, where one of the page hangs on it. It
// returns how many hops are on the page, and how many behind it.
func (c *Chain) Page(offset, room int, size func(*Hop) int) (taken, left int) {
	above := map[*Hop]*Hop{} // what a hop hangs on
	var hops []*Hop
	for _, root := range c.Chain {
		hops = append(hops, gather(root, above)...)
	}
	slices.SortFunc(hops, func(a, b *Hop) int { return cmp.Compare(a.order, b.order) })
	hops = hops[min(offset, len(hops)):]
	shown := map[*Hop]bool{}
	for _, h := range hops {
		var fresh []*Hop
		for at := h; at != nil && !shown[at]; at = above[at] {
			at.Given = at.order <= offset && above[at] != nil
			room -= size(at.alone())
			fresh = append(fresh, at)
		}
		if room < 0 && taken > 0 {
			break
		}
		for _, at := range fresh {
			shown[at] = true
		}
		taken++
	}
	for _, root := range c.Chain {
		root.prune(shown)
	}
	return taken, len(hops) - taken
}

// gather returns all that hangs on a hop, and notes on what each hangs.
func gather(h *Hop, above map[*Hop]*Hop) []*Hop {
	var out []*Hop
	for _, list := range [][]*Hop{h.Callers, h.Callees} {
		for _, under := range list {
			above[under] = h
			out = append(append(out, under), gather(under, above)...)
		}
	}
	return out
}

// alone is a hop without what hangs on it.
func (h *Hop) alone() *Hop {
	bare := *h
	bare.Callers, bare.Callees = []*Hop{}, []*Hop{}
	return &bare
}

// prune takes off what is not shown.
func (h *Hop) prune(shown map[*Hop]bool) {
	for _, list := range []*[]*Hop{&h.Callers, &h.Callees} {
		*list = slices.DeleteFunc(*list, func(under *Hop) bool { return !shown[under] })
		for _, under := range *list {
			under.prune(shown)
		}
	}
}
