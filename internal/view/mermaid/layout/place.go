package layout

import (
	"cmp"
	"math"
	"slices"
)

// spreadEnds places the ends of edges at a box's side next to each other, in the order of
// their other ends.
func (l *layering) spreadEnds() {
	for i := range l.items {
		it := &l.items[i]
		if it.box == none {
			continue
		}
		l.spreadSide(it, it.up, l.upper, func(s *segment) (at *float64, fixed bool) { return &s.db, s.fixed[1] })
		l.spreadSide(it, it.down, l.lower, func(s *segment) (at *float64, fixed bool) { return &s.da, s.fixed[0] })
	}
}

// spreadSide places the ends at one side of a box: away returns the position of a segment's
// other end, mine its end here.
func (l *layering) spreadSide(it *item, segments []int, away func(int) float64, mine func(*segment) (*float64, bool)) {
	var free []int
	wide := float64(endGap)
	for _, s := range segments {
		if _, fixed := mine(&l.segments[s]); !fixed {
			free = append(free, s)
			wide = math.Max(wide, l.segments[s].wide)
		}
	}
	slices.SortStableFunc(free, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	step := math.Min(wide, it.w*it.spread*0.85/math.Max(1, float64(len(free))))
	for k, s := range free {
		at, _ := mine(&l.segments[s])
		*at = (float64(k) - float64(len(free)-1)/2) * step
	}
}

// gap returns the minimum distance of the centres of two neighbours.
func (l *layering) gap(i, k int) float64 {
	a, b := &l.items[i], &l.items[k]
	between := float64(lineGap)
	switch {
	case a.box != none && b.box != none:
		between = l.boxGap
	case a.box != none || b.box != none:
		between = math.Min(l.boxGap, lineGap*1.4)
	}
	return a.w/2 + a.loops + between + b.loops + b.w/2
}

// straighten removes bends from long edges that can pass several layers at one position. Edges
// that pass one layer stay between their ends if possible.
func (l *layering) straighten() {
	for i := range l.chains {
		c := &l.chains[i]
		if len(c.passing) == 0 {
			continue
		}
		first, last := &l.segments[c.segments[0]], &l.segments[c.segments[len(c.segments)-1]]
		start, end := l.items[c.from].x+first.da, l.items[c.to].x+last.db
		for rest := c.passing; len(rest) > 0; {
			low, high, n := l.corridor(rest)
			at := l.items[rest[n/2]].x
			switch {
			case len(c.passing) == 1:
				at = between(at, math.Min(start, end), math.Max(start, end))
			case n == len(c.passing):
				if at = start; between(start, low, high) != start {
					at = end
				}
			case len(rest) == len(c.passing):
				at = start
			case n == len(rest):
				at = end
			}
			at = between(at, low, high)
			for _, p := range rest[:n] {
				l.items[p].x = at
			}
			rest = rest[n:]
		}
	}
}

// corridor returns the number of items that an edge can pass straight, and the range of
// positions.
func (l *layering) corridor(passing []int) (low, high float64, n int) {
	low, high = math.Inf(-1), math.Inf(1)
	for ; n < len(passing); n++ {
		it := &l.items[passing[n]]
		layer := l.layers[it.layer]
		a, b := math.Inf(-1), math.Inf(1)
		if it.pos > 0 {
			p := layer[it.pos-1]
			a = l.items[p].x + l.gap(p, passing[n])
		}
		if it.pos+1 < len(layer) {
			p := layer[it.pos+1]
			b = l.items[p].x - l.gap(passing[n], p)
		}
		if a = math.Max(a, low); n > 0 && a > math.Min(b, high) {
			break
		}
		low, high = a, math.Min(b, high)
	}
	return low, high, n
}

func between(x, low, high float64) float64 { return math.Max(low, math.Min(x, high)) }
