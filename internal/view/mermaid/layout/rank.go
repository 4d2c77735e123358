package layout

import "math"

// rank assigns layers: as high as possible, and then so that edges are short.
func (l *layering) rank() {
	order := l.topological()
	out, in := make([][]int, len(l.items)), make([][]int, len(l.items))
	for i, c := range l.chains {
		out[c.from] = append(out[c.from], i)
		in[c.to] = append(in[c.to], i)
	}
	for _, i := range order {
		for _, c := range in[i] {
			c := &l.chains[c]
			l.items[i].layer = max(l.items[i].layer, l.items[c.from].layer+c.least)
		}
	}
	for changed, round := true, 0; changed && round < 10; round++ {
		changed = false
		for k := range order {
			i := order[len(order)-1-k]
			changed = l.tighten(i, in[i], out[i]) || changed
		}
	}
	l.setBorders()
}

// topological returns the items in topological order.
func (l *layering) topological() []int {
	waiting := make([]int, len(l.items))
	out := make([][]int, len(l.items))
	for _, c := range l.chains {
		waiting[c.to]++
		out[c.from] = append(out[c.from], c.to)
	}
	var order []int
	for i, n := range waiting {
		if n == 0 {
			order = append(order, i)
		}
	}
	for k := 0; k < len(order); k++ {
		for _, to := range out[order[k]] {
			if waiting[to]--; waiting[to] == 0 {
				order = append(order, to)
			}
		}
	}
	return order
}

// tighten moves an item towards the side with more edges, as far as its other edges permit.
func (l *layering) tighten(i int, in, out []int) bool {
	low, high := 0, math.MaxInt
	for _, c := range in {
		low = max(low, l.items[l.chains[c].from].layer+l.chains[c].least)
	}
	for _, c := range out {
		high = min(high, l.items[l.chains[c].to].layer-l.chains[c].least)
	}
	was := l.items[i].layer
	switch {
	case len(out) > len(in):
		l.items[i].layer = high
	case len(in) > len(out):
		l.items[i].layer = low
	}
	return l.items[i].layer != was
}

// setBorders makes layers start at 0, and puts edges to the border into layers above and below
// all boxes.
func (l *layering) setBorders() {
	first, last := math.MaxInt, 0
	for _, i := range l.items {
		if i.box != none {
			first, last = min(first, i.layer), max(last, i.layer)
		}
	}
	above := 0
	for _, c := range l.chains {
		if c.border && l.items[c.from].box == none {
			above = 1
		}
	}
	for i := range l.items {
		l.items[i].layer += above - first
	}
	for _, c := range l.chains {
		switch {
		case !c.border:
		case l.items[c.from].box == none:
			l.items[c.from].layer = 0
		default:
			l.items[c.to].layer = last - first + above + 1
		}
	}
}
