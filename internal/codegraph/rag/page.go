package rag

import (
	"cmp"
	"slices"
)

// Page reduces a chain to the hops after the first offset ones, in the order of discovery, as many as fit into room
// bytes of JSON as measured by size, and at least one. A hop of an earlier page stays, marked Given, if a hop of
// this page is below it. It returns the number of hops on the page and after it.
func (c *Chain) Page(offset, room int, size func(*Hop) int) (taken, left int) {
	above := map[*Hop]*Hop{} // parents
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

// gather returns all hops below h and records their parents.
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

// alone returns a copy of the hop without its callers and callees.
func (h *Hop) alone() *Hop {
	bare := *h
	bare.Callers, bare.Callees = []*Hop{}, []*Hop{}
	return &bare
}

// prune removes hops that are not shown.
func (h *Hop) prune(shown map[*Hop]bool) {
	for _, list := range []*[]*Hop{&h.Callers, &h.Callees} {
		*list = slices.DeleteFunc(*list, func(under *Hop) bool { return !shown[under] })
		for _, under := range *list {
			under.prune(shown)
		}
	}
}
