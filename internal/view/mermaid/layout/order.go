package layout

import (
	"cmp"
	"slices"
)

// Limits of the crossing reduction.
const (
	maxSweeps   = 24
	maxStale    = 5          // sweeps without improvement
	maxWork     = 40_000_000 // steps
	maxCompared = 400        // pairs of segments per comparison of neighbours
)

// order sorts the items of each layer to reduce crossings: by median of their neighbours above
// and below in turns, and by swapping adjacent items.
func (l *layering) order() {
	l.firstOrder()
	best, fewest := l.snapshot(), l.crossings()
	work := len(l.segments)
	for sweep, stale := 0, 0; sweep < maxSweeps && stale < maxStale && fewest > 0 && work < maxWork; sweep++ {
		for k := range l.layers {
			if sweep%2 == 1 {
				k = len(l.layers) - 1 - k
			}
			l.sortLayer(k, sweep%2 == 0)
		}
		work += l.transpose() + 10*len(l.segments)
		if n := l.crossings(); n < fewest {
			best, fewest, stale = l.snapshot(), n, 0
		} else {
			stale++
		}
	}
	for k := range best {
		l.layers[k] = best[k]
		l.number(k)
	}
}

func (l *layering) snapshot() [][]int {
	var out [][]int
	for _, layer := range l.layers {
		out = append(out, slices.Clone(layer))
	}
	return out
}

func (l *layering) number(layer int) {
	for pos, i := range l.layers[layer] {
		l.items[i].pos = pos
	}
}

// firstOrder places connected items side by side, by depth-first traversal.
func (l *layering) firstOrder() {
	seen := make([]bool, len(l.items))
	var stack []int
	for start := range l.items {
		stack = append(stack, start)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[i] {
				continue
			}
			seen[i] = true
			it := &l.items[i]
			l.layers[it.layer] = append(l.layers[it.layer], i)
			for _, s := range slices.Backward(it.up) {
				stack = append(stack, l.segments[s].a)
			}
			for _, s := range slices.Backward(it.down) {
				stack = append(stack, l.segments[s].b)
			}
		}
	}
	for k := range l.layers {
		l.number(k)
	}
}

// place returns the position where an edge ends in a layer.
func (l *layering) place(item int, offset float64) float64 {
	i := &l.items[item]
	return float64(i.pos) + 0.9*offset/(i.w+1)
}

// upper and lower return the positions of a segment's ends.
func (l *layering) upper(s int) float64 { return l.place(l.segments[s].a, l.segments[s].da) }
func (l *layering) lower(s int) float64 { return l.place(l.segments[s].b, l.segments[s].db) }

// sortLayer sorts the items of a layer by the median of their neighbours above or below. Items
// without any keep their position.
func (l *layering) sortLayer(layer int, fromAbove bool) {
	type wish struct {
		item int
		at   float64
	}
	var wishes []wish
	var positions []int
	for pos, i := range l.layers[layer] {
		sum, n := 0.0, 0
		if fromAbove {
			for _, s := range l.items[i].up {
				sum, n = sum+l.upper(s), n+1
			}
		} else {
			for _, s := range l.items[i].down {
				sum, n = sum+l.lower(s), n+1
			}
		}
		if n > 0 {
			wishes = append(wishes, wish{i, sum / float64(n)})
			positions = append(positions, pos)
		}
	}
	slices.SortStableFunc(wishes, func(a, b wish) int { return cmp.Compare(a.at, b.at) })
	for k, w := range wishes {
		l.layers[layer][positions[k]] = w.item
	}
	l.number(layer)
}

// transpose swaps adjacent items while that reduces crossings, and returns the number of
// steps.
func (l *layering) transpose() (work int) {
	for better, round := true, 0; better && round < 4; round++ {
		better = false
		for k := range l.layers {
			layer := l.layers[k]
			for p := 0; p+1 < len(layer); p++ {
				gain, steps := l.gain(layer[p], layer[p+1])
				work += steps
				if gain > 0 {
					layer[p], layer[p+1] = layer[p+1], layer[p]
					l.items[layer[p]].pos, l.items[layer[p+1]].pos = p, p+1
					better = true
				}
			}
		}
	}
	return work
}

// gain returns the reduction of crossings if two adjacent items are swapped.
func (l *layering) gain(u, v int) (gain, steps int) {
	compare := func(su, sv []int, end func(int) float64) {
		if len(su)*len(sv) > maxCompared {
			return
		}
		steps += len(su)*len(sv) + 1
		for _, a := range su {
			for _, b := range sv {
				gain += cmp.Compare(end(a), end(b))
			}
		}
	}
	compare(l.items[u].up, l.items[v].up, l.upper)
	compare(l.items[u].down, l.items[v].down, l.lower)
	return gain, steps
}

// crossings counts the crossings of all lines.
func (l *layering) crossings() int {
	n := 0
	for _, layer := range l.layers {
		var ends [][2]float64
		for _, i := range layer {
			for _, s := range l.items[i].down {
				ends = append(ends, [2]float64{l.upper(s), l.lower(s)})
			}
		}
		slices.SortFunc(ends, func(a, b [2]float64) int {
			return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
		})
		below := make([]float64, len(ends))
		for i, e := range ends {
			below[i] = e[1]
		}
		n += inversions(below, make([]float64, len(below)))
	}
	return n
}

// inversions sorts values and counts inversions.
func inversions(values, spare []float64) int {
	if len(values) < 2 {
		return 0
	}
	half := len(values) / 2
	n := inversions(values[:half], spare[:half]) + inversions(values[half:], spare[half:])
	copy(spare, values)
	left, right := spare[:half], spare[half:]
	for i := range values {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			values[i], left = left[0], left[1:]
		} else {
			values[i], right = right[0], right[1:]
			n += len(left)
		}
	}
	return n
}
