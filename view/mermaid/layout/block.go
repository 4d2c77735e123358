package layout

import (
	"maps"
	"math"
)

// block is a part of a picture that is placed in itself: from its left upper corner.
type block struct {
	size   Size
	boxes  map[int]Rect
	pieces map[int][]Curve // by edge, in the direction of the layers
	labels map[int]Point   // by edge
	ports  map[int]Point   // by edge: where it crosses the border
}

func newBlock() *block {
	return &block{boxes: map[int]Rect{}, pieces: map[int][]Curve{}, labels: map[int]Point{}, ports: map[int]Point{}}
}

// add takes another block in, at a place.
func (b *block) add(o *block, at Point) {
	for box, r := range o.boxes {
		r.X += at.X
		r.Y += at.Y
		b.boxes[box] = r
	}
	for e, curves := range o.pieces {
		b.pieces[e] = moved(curves, at)
	}
	for e, p := range o.labels {
		b.labels[e] = p.plus(at)
	}
	for e, p := range o.ports {
		b.ports[e] = p.plus(at)
	}
	b.size.W = math.Max(b.size.W, at.X+o.size.W)
	b.size.H = math.Max(b.size.H, at.Y+o.size.H)
}

// turned makes a block of layers that lie from above to below into one whose lines
// lead in a direction.
func (b *block) turned(d Direction) *block {
	turn := func(p Point) Point {
		switch d {
		case Up:
			return Point{p.X, b.size.H - p.Y}
		case Right:
			return Point{p.Y, p.X}
		case Left:
			return Point{b.size.H - p.Y, p.X}
		default:
			return p
		}
	}
	out := newBlock()
	out.size = b.size.turned(d)
	for box, r := range b.boxes {
		p, q := turn(Point{r.X, r.Y}), turn(Point{r.X + r.W, r.Y + r.H})
		out.boxes[box] = Rect{min(p.X, q.X), min(p.Y, q.Y), math.Abs(p.X - q.X), math.Abs(p.Y - q.Y)}
	}
	for e, curves := range b.pieces {
		curves = moved(curves, Point{})
		for i := range curves {
			for k := range curves[i] {
				curves[i][k] = turn(curves[i][k])
			}
		}
		out.pieces[e] = curves
	}
	for e, p := range b.labels {
		out.labels[e] = turn(p)
	}
	for e, p := range b.ports {
		out.ports[e] = turn(p)
	}
	return out
}

// turned is the size in layers that lead in d, and back.
func (s Size) turned(d Direction) Size {
	if d.sideways() {
		return Size{s.H, s.W}
	}
	return s
}

// framed puts the border of a group around what is in it: lines that cross it are
// led on to it.
func (b *block) framed(title Size, d Direction, ports []port) *block {
	out := newBlock()
	top := float64(padding)
	if title.H > 0 {
		top = title.H + padding/2
	}
	out.add(b, Point{padding, top})
	out.size.W = math.Max(out.size.W+padding, title.W+2*padding)
	if shift := (out.size.W - b.size.W - 2*padding) / 2; shift > 0 {
		inner := out
		out = newBlock()
		out.add(inner, Point{shift, 0})
		out.size.W = inner.size.W
	}
	out.size.H += padding
	for _, p := range ports {
		at := out.ports[p.edge]
		border := out.size.border(at, d, p.enter)
		out.ports[p.edge] = border
		if p.enter {
			out.pieces[p.edge] = append([]Curve{straight(border, at)}, out.pieces[p.edge]...)
		} else {
			out.pieces[p.edge] = append(out.pieces[p.edge], straight(at, border))
		}
	}
	return out
}

// border is the point of the border that a line from p reaches.
func (s Size) border(p Point, d Direction, enter bool) Point {
	far := enter == (d == Up || d == Left)
	switch {
	case d.sideways() && far:
		return Point{s.W, p.Y}
	case d.sideways():
		return Point{0, p.Y}
	case far:
		return Point{p.X, s.H}
	default:
		return Point{p.X, 0}
	}
}

func straight(p, q Point) Curve {
	third := func(a, b, t float64) float64 { return a + (b-a)*t/3 }
	return Curve{p, {third(p.X, q.X, 1), third(p.Y, q.Y, 1)}, {third(p.X, q.X, 2), third(p.Y, q.Y, 2)}, q}
}

// pack places blocks in rows, about as wide as a page is, in their order; blocks of one
// box each come last, in a grid.
func pack(blocks []*block) *block {
	var large, single []*block
	for _, b := range blocks {
		if len(b.boxes) == 1 {
			single = append(single, b)
		} else {
			large = append(large, b)
		}
	}
	if len(single) > 0 {
		large = append(large, grid(single))
	}
	return rows(large)
}

// pageShape is how much wider than high a picture should be.
const pageShape = 1.7

func rows(blocks []*block) *block {
	var area, widest float64
	for _, b := range blocks {
		area += (b.size.W + blockGap) * (b.size.H + blockGap)
		widest = math.Max(widest, b.size.W)
	}
	limit := math.Max(widest, math.Sqrt(area*pageShape))
	out := newBlock()
	var at Point
	var high float64
	for _, b := range blocks {
		if at.X > 0 && at.X+b.size.W > limit {
			at = Point{0, at.Y + high + blockGap}
			high = 0
		}
		out.add(b, at)
		at.X += b.size.W + blockGap
		high = math.Max(high, b.size.H)
	}
	return out
}

// grid places blocks in columns.
func grid(blocks []*block) *block {
	best, bestShape := newBlock(), math.Inf(1)
	for columns := 1; columns <= min(len(blocks), 40); columns++ {
		rows := (len(blocks) + columns - 1) / columns
		var w, h float64
		widths, heights := make([]float64, columns), make([]float64, rows)
		for i, b := range blocks {
			widths[i%columns] = math.Max(widths[i%columns], b.size.W)
			heights[i/columns] = math.Max(heights[i/columns], b.size.H)
		}
		for _, x := range widths {
			w += x + blockGap/2
		}
		for _, x := range heights {
			h += x + blockGap/2
		}
		empty := 1 + 0.3*float64(rows*columns-len(blocks))/float64(len(blocks))
		if shape := math.Max(w/(h*pageShape), h*pageShape/w) * empty; shape < bestShape {
			best, bestShape = inGrid(blocks, widths, heights), shape
		}
	}
	return best
}

func inGrid(blocks []*block, widths, heights []float64) *block {
	out := newBlock()
	var at Point
	for i, b := range blocks {
		column, row := i%len(widths), i/len(widths)
		if i > 0 && column == 0 {
			at = Point{0, at.Y + heights[row-1] + blockGap/2}
		}
		out.add(b, at.plus(Point{(widths[column] - b.size.W) / 2, 0}))
		at.X += widths[column] + blockGap/2
	}
	return out
}

// placeInside places what stands in a group, and gives the group its size.
func (t *tree) placeInside(group int) *block {
	d := t.direction(group)
	whole := newBlock()
	if t.children[group] != nil {
		whole = t.placeParts(group, d)
	}
	for box, r := range whole.boxes {
		t.g.Boxes[box].Rect = r
	}
	if group == t.root {
		return whole
	}
	b := &t.g.Boxes[group]
	whole = whole.framed(b.Title, d, t.crossing[group])
	for box, r := range whole.boxes {
		t.g.Boxes[box].Rect = r
	}
	b.Size = whole.size
	return whole
}

// placeParts places each connected part by itself. Those whose lines cross the border
// of the group are one part, which takes the whole height.
func (t *tree) placeParts(group int, d Direction) *block {
	ported, rest := t.parts(group)
	var free []*block
	for _, p := range rest {
		free = append(free, t.layer(p, d).turned(d))
	}
	if len(ported) == 0 {
		return pack(free)
	}
	main := t.layer(ported, d).turned(d)
	if len(free) == 0 {
		return main
	}
	beside := pack(free)
	at := Point{main.size.W + blockGap, 0}
	if d.sideways() {
		at = Point{0, main.size.H + blockGap}
	}
	out := newBlock()
	out.add(main, Point{})
	out.add(beside, at)
	out.ports = maps.Clone(main.ports)
	return out
}

// parts are the connected parts of what stands in a group: those that lines lead to
// from outside, drawn together, and each of the others.
func (t *tree) parts(group int) (ported []int, rest [][]int) {
	leader := map[int]int{}
	var find func(int) int
	find = func(i int) int {
		if leader[i] != i {
			leader[i] = find(leader[i])
		}
		return leader[i]
	}
	join := func(a, b int) {
		a, b = find(a), find(b)
		leader[max(a, b)] = min(a, b)
	}
	for _, c := range t.children[group] {
		leader[c] = c
	}
	for _, e := range t.within[group] {
		join(t.lifted[e].from, t.lifted[e].to)
	}
	for _, p := range t.crossing[group] {
		join(p.child, t.crossing[group][0].child)
	}
	at := map[int]int{}
	for _, c := range t.children[group] {
		if len(t.crossing[group]) > 0 && find(c) == find(t.crossing[group][0].child) {
			ported = append(ported, c)
			continue
		}
		if _, known := at[find(c)]; !known {
			at[find(c)] = len(rest)
			rest = append(rest, nil)
		}
		rest[at[find(c)]] = append(rest[at[find(c)]], c)
	}
	return ported, rest
}
