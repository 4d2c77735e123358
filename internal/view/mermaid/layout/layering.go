package layout

import "math"

// layering is a connected component in layers from top to bottom.
type layering struct {
	items    []item
	segments []segment
	chains   []chain
	loops    []loop
	layers   [][]int
	thick    []float64 // height of each layer
	boxGap   float64
}

// loop is an edge from a box to itself.
type loop struct {
	edge, item int
	label      Size
	end        float64 // length of the straight ends
	inner      float64 // room for the loops between it and the box
}

// item occupies a place in a layer: a box, or a long edge that passes.
type item struct {
	box      int // none for an edge
	w, h     float64
	loops    float64 // room for loops on each side
	spread   float64
	layer    int
	pos      int     // position within the layer
	x, y     float64 // centre
	up, down []int   // segments
}

// none is the box of an item without one.
const none = -1

// segment is an edge between items of adjacent layers.
type segment struct {
	a, b   int     // items, upper first
	da, db float64 // offsets of its ends from the items' centres
	wide   float64 // width of its ends
	fixed  [2]bool // fixed offsets, because the edge continues within a box
}

// chain is an edge across layers.
type chain struct {
	edge       int
	from, to   int // items, upper first
	least      int // minimum number of layers between its ends
	da, db     float64
	fa, fb     bool // da, db are fixed
	label      Size
	wide       float64 // width of its ends
	tail, head float64 // lengths of the straight parts at the upper and lower end
	border     bool    // one end is the group's border
	passing    []int   // items between its ends
	segments   []int
	labelled   int  // item of its label; none if unlabelled
	direct     bool // too long; drawn regardless of what is between
}

// maxPassing limits the items for passing edges.
const maxPassing = 20000

// layer lays out a connected component of a group.
func (t *tree) layer(boxes []int, d Direction) *block {
	l := t.newLayering(boxes, d)
	l.rank()
	l.pass()
	l.order()
	l.spreadEnds()
	l.placeAcross()
	l.placeAlong()
	return l.block()
}

func (t *tree) newLayering(boxes []int, d Direction) *layering {
	l := &layering{boxGap: boxGap}
	if d.sideways() {
		l.boxGap = boxGapLow
	}
	at := map[int]int{}
	for _, b := range boxes {
		at[b] = len(l.items)
		size := t.g.Boxes[b].turned(d)
		l.items = append(l.items, item{box: b, w: size.W, h: size.H, spread: t.g.Boxes[b].Spread})
	}
	group := t.parent(boxes[0])
	l.addLines(t, group, at, d)
	l.addPorts(t, group, at, d)
	return l
}

// addLines adds the edges between boxes. If an edge has a label or parallel edges, it gets a
// layer of its own, and all edges span one more layer.
func (l *layering) addLines(t *tree, group int, at map[int]int, d Direction) {
	pairs, apart := map[[2]int]bool{}, false
	for _, e := range t.within[group] {
		lift, edge := t.lifted[e], &t.g.Edges[e]
		from, here := at[lift.from]
		if !here {
			continue
		}
		if lift.loop {
			i := &l.items[from]
			own := loop{e, from, edge.Label.turned(d), math.Max(edge.Tail, edge.Head), i.loops}
			l.loops = append(l.loops, own)
			i.loops += own.end + loopRoom + own.label.W
			continue
		}
		c := chain{
			edge: e, from: from, to: at[lift.to], label: edge.Label.turned(d), tail: edge.Tail, head: edge.Head,
			wide: edge.EndWidth, labelled: none,
		}
		c.da, c.fa = t.portOf(e, lift.from, d)
		c.db, c.fb = t.portOf(e, lift.to, d)
		if lift.reversed {
			c.from, c.to, c.tail, c.head = c.to, c.from, c.head, c.tail
			c.da, c.db, c.fa, c.fb = c.db, c.da, c.fb, c.fa
		}
		pair := [2]int{c.from, c.to}
		apart = apart || edge.Label.W > 0 || pairs[pair]
		pairs[pair] = true
		l.chains = append(l.chains, c)
	}
	for i := range l.chains {
		c := &l.chains[i]
		c.least = max(1, t.g.Edges[c.edge].Layers)
		if apart {
			c.least *= 2
		}
	}
}

// loopRoom is the width of a loop.
const loopRoom = 20

// portOf returns the offset where an edge ends at a box, if it continues within the box.
func (t *tree) portOf(edge, box int, d Direction) (at float64, ok bool) {
	inside := t.insides[box]
	if inside == nil {
		return 0, false
	}
	p, ok := inside.ports[edge]
	if d.sideways() {
		return p.Y - inside.size.H/2, ok
	}
	return p.X - inside.size.W/2, ok
}

// addPorts adds the edges across the group's border.
func (l *layering) addPorts(t *tree, group int, at map[int]int, d Direction) {
	for _, p := range t.crossing[group] {
		child, here := at[p.child]
		if !here {
			continue
		}
		c := chain{edge: p.edge, from: len(l.items), to: child, least: 1, border: true, labelled: none}
		c.db, c.fb = t.portOf(p.edge, p.child, d)
		e := &t.g.Edges[p.edge]
		enter, leave := e.Head, e.Tail
		if t.lifted[p.edge].reversed {
			enter, leave = leave, enter
		}
		c.head = enter
		if !p.enter {
			c.from, c.to = c.to, c.from
			c.da, c.fa, c.db, c.fb = c.db, c.fb, 0, false
			c.tail, c.head = leave, 0
		}
		l.items = append(l.items, item{box: none})
		l.chains = append(l.chains, c)
	}
}

// pass gives each edge an item in each layer that it passes, and its label a layer.
func (l *layering) pass() {
	passing := 0
	for i := range l.chains {
		c := &l.chains[i]
		from, to := l.items[c.from].layer, l.items[c.to].layer
		if passing += to - from - 1; passing > maxPassing {
			passing -= to - from - 1
			c.direct = true
			continue
		}
		last, labelAt := c.from, from+(to-from)/2-(to-from)/2%2+1
		if labelAt >= to {
			labelAt = to - 1
		}
		for layer := from + 1; layer < to; layer++ {
			next := item{box: none, layer: layer}
			if layer == labelAt && c.label.W > 0 {
				next.w, next.h = c.label.W, c.label.H
				c.labelled = len(l.items)
			}
			c.passing = append(c.passing, len(l.items))
			l.items = append(l.items, next)
			l.join(c, last, len(l.items)-1)
			last = len(l.items) - 1
		}
		l.join(c, last, c.to)
	}
	for i := range l.items {
		for l.items[i].layer >= len(l.layers) {
			l.layers = append(l.layers, nil)
		}
	}
}

// join adds a segment of a chain.
func (l *layering) join(c *chain, a, b int) {
	s := segment{a: a, b: b, wide: c.wide}
	if a == c.from {
		s.da, s.fixed[0] = c.da, c.fa
	}
	if b == c.to {
		s.db, s.fixed[1] = c.db, c.fb
	}
	k := len(l.segments)
	l.segments = append(l.segments, s)
	l.items[a].down = append(l.items[a].down, k)
	l.items[b].up = append(l.items[b].up, k)
	c.segments = append(c.segments, k)
}
