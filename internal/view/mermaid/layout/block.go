package layout

import "math"

// block is a part of a picture with coordinates from its upper left corner.
type block struct {
	size   Size
	boxes  map[int]Rect
	pieces map[int][]Curve // by edge, in the direction of the layers
	labels map[int]Point   // by edge
	ports  map[int]Point   // by edge: where it crosses the border
	title  Point           // start of a group's title
}

func newBlock() *block {
	return &block{boxes: map[int]Rect{}, pieces: map[int][]Curve{}, labels: map[int]Point{}, ports: map[int]Point{}}
}

// add adds another block at an offset.
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

// turned rotates a block laid out from top to bottom into a direction.
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

// turned returns the size for a direction, and back.
func (s Size) turned(d Direction) Size {
	if d.sideways() {
		return Size{s.H, s.W}
	}
	return s
}

// framed adds the border of a group and extends crossing edges to it.
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
	out.title = out.titlePlace(title, ports)
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

// titlePlace returns the position of the title (left, right or middle) that the fewest edges
// cross. Edges do not reach the border yet.
func (b *block) titlePlace(title Size, ports []port) Point {
	const air = 10
	best, fewest := Point{}, len(ports)+1
	for _, x := range []float64{air, b.size.W - title.W - air, (b.size.W - title.W) / 2} {
		crossed := 0
		for _, p := range ports {
			at := b.ports[p.edge]
			if at.Y < b.size.H/2 && at.X > x-air/2 && at.X < x+title.W+air/2 {
				crossed++
			}
		}
		if crossed < fewest {
			best, fewest = Point{x, air / 2}, crossed
		}
	}
	return best
}

// border returns the point of the border that an edge from p reaches.
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
