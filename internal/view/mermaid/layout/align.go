package layout

import (
	"cmp"
	"math"
	"slices"
)

// placeAcross assigns coordinates within layers after Brandes and Köpf: items are aligned in
// columns with their median neighbour, and columns are compacted. The average median of four
// variants (up/down, left/right) keeps edges straight where possible and boxes centred over
// their neighbours.
func (l *layering) placeAcross() {
	crossing := l.crossingLong()
	var results [][]float64
	for _, up := range []bool{true, false} {
		for _, mirrored := range []bool{false, true} {
			c := l.columns(crossing, up, mirrored)
			x := c.place(l)
			if mirrored {
				for i := range x {
					x[i] = -x[i]
				}
			}
			results = append(results, x)
		}
	}
	l.takeMiddle(results)
	l.straighten()
}

// crossingLong marks the segments that cross an inner segment of a long edge. Those stay
// straight, so the marked ones cannot.
func (l *layering) crossingLong() []bool {
	out := make([]bool, len(l.segments))
	passes := func(s segment) bool { return l.items[s.a].box == none && l.items[s.b].box == none }
	for _, layer := range l.layers {
		var all, long []int
		for _, i := range layer {
			all = append(all, l.items[i].down...)
		}
		for _, s := range all {
			if passes(l.segments[s]) {
				long = append(long, s)
			}
		}
		for _, s := range all {
			if !passes(l.segments[s]) {
				out[s] = l.crossesOne(s, long)
			}
		}
	}
	return out
}

// crossesOne reports whether a segment crosses one of the inner segments, which are sorted by
// upper end.
func (l *layering) crossesOne(s int, long []int) bool {
	a, b := l.upper(s), l.lower(s)
	for _, o := range long {
		if oa, ob := l.upper(o), l.lower(o); (a < oa) != (b < ob) && a != oa && b != ob {
			return true
		}
	}
	return false
}

// columns are vertically aligned items.
type columns struct {
	root   []int     // by item: the first item of its column
	shift  []float64 // by item: offset to the right of the first
	layers [][]int
	sign   float64 // -1 if mirrored
}

// columns aligns the items in columns with their median neighbour above or below; mirrored
// prefers the right one of two medians.
func (l *layering) columns(crossing []bool, up, mirrored bool) *columns {
	c := &columns{shift: make([]float64, len(l.items)), layers: l.snapshot(), sign: 1}
	if mirrored {
		c.sign = -1
		for _, layer := range c.layers {
			slices.Reverse(layer)
		}
	}
	for i := range l.items {
		c.root = append(c.root, i)
	}
	layers := slices.Clone(c.layers)
	if !up {
		slices.Reverse(layers)
	}
	taken := make([]bool, len(l.items))
	for _, layer := range layers {
		last := math.Inf(-1)
		for _, v := range layer {
			last = c.join(l, v, up, crossing, taken, last)
		}
	}
	return c
}

// join aligns an item with its median neighbour if that is free and to the right of the last
// one used, and returns the last one used.
func (c *columns) join(l *layering, v int, up bool, crossing, taken []bool, last float64) float64 {
	segments := l.items[v].up
	end := func(s int) (item int, at, shift float64) {
		return l.segments[s].a, l.upper(s) * c.sign, (l.segments[s].da - l.segments[s].db) * c.sign
	}
	if !up {
		segments = l.items[v].down
		end = func(s int) (item int, at, shift float64) {
			return l.segments[s].b, l.lower(s) * c.sign, (l.segments[s].db - l.segments[s].da) * c.sign
		}
	}
	sorted := slices.Clone(segments)
	slices.SortStableFunc(sorted, func(s, t int) int {
		_, a, _ := end(s)
		_, b, _ := end(t)
		return cmp.Compare(a, b)
	})
	n := len(sorted)
	for k := max(0, (n-1)/2); k <= n/2 && k < n; k++ {
		w, _, shift := end(sorted[k])
		pos := float64(l.items[w].pos) * c.sign
		if crossing[sorted[k]] || taken[w] || pos <= last {
			continue
		}
		taken[w] = true
		c.root[v] = c.root[w]
		c.shift[v] = c.shift[w] + shift
		return pos
	}
	return last
}

// apart is the minimum distance of two columns.
type apart struct {
	to  int
	gap float64
}

// place compacts the columns and returns the coordinate of each item.
func (c *columns) place(l *layering) []float64 {
	next := make([][]apart, len(l.items))
	waiting := make([]int, len(l.items))
	for _, layer := range c.layers {
		for p := 1; p < len(layer); p++ {
			u, v := layer[p-1], layer[p]
			a, b := c.root[u], c.root[v]
			next[a] = append(next[a], apart{b, l.gap(u, v) + c.shift[u] - c.shift[v]})
			waiting[b]++
		}
	}
	var order []int
	for i := range l.items {
		if c.root[i] == i && waiting[i] == 0 {
			order = append(order, i)
		}
	}
	x := make([]float64, len(l.items))
	for k := 0; k < len(order); k++ {
		for _, n := range next[order[k]] {
			x[n.to] = math.Max(x[n.to], x[order[k]]+n.gap)
			if waiting[n.to]--; waiting[n.to] == 0 {
				order = append(order, n.to)
			}
		}
	}
	for _, i := range slices.Backward(order) {
		nearest := math.Inf(1)
		for _, n := range next[i] {
			nearest = math.Min(nearest, x[n.to]-n.gap)
		}
		if !math.IsInf(nearest, 1) {
			x[i] = math.Max(x[i], nearest)
		}
	}
	out := make([]float64, len(x))
	for i, r := range c.root {
		out[i] = x[r] + c.shift[i]
	}
	return out
}

// takeMiddle aligns the four results at their left or right edges and sets coordinates to the
// median.
func (l *layering) takeMiddle(results [][]float64) {
	type extent struct{ low, high float64 }
	var extents []extent
	narrow := 0
	for k, x := range results {
		e := extent{math.Inf(1), math.Inf(-1)}
		for i, at := range x {
			half := l.items[i].w/2 + l.items[i].loops
			e.low, e.high = math.Min(e.low, at-half), math.Max(e.high, at+half)
		}
		extents = append(extents, e)
		if e.high-e.low < extents[narrow].high-extents[narrow].low {
			narrow = k
		}
	}
	for k, x := range results {
		by := extents[narrow].low - extents[k].low
		if k%2 == 1 {
			by = extents[narrow].high - extents[k].high
		}
		for i := range x {
			x[i] += by
		}
	}
	for i := range l.items {
		at := []float64{results[0][i], results[1][i], results[2][i], results[3][i]}
		slices.Sort(at)
		l.items[i].x = (at[1] + at[2]) / 2
	}
}
