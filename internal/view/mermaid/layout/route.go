package layout

import "math"

// placeAlong places the layers below each other, with more distance if edges run far to the
// side.
func (l *layering) placeAlong() {
	y := 0.0
	for k, layer := range l.layers {
		high := 0.0
		for _, i := range layer {
			high = math.Max(high, l.items[i].h)
		}
		l.thick = append(l.thick, high)
		for _, i := range layer {
			l.items[i].y = y + high/2
		}
		y += high + l.distance(k)
	}
}

// distance returns the space below a layer.
func (l *layering) distance(layer int) float64 {
	far, from, to := 0.0, 0.0, 0.0
	boxes := 0.0
	for _, i := range l.layers[layer] {
		for _, s := range l.items[i].down {
			s := &l.segments[s]
			a, b := &l.items[s.a], &l.items[s.b]
			far = math.Max(far, math.Abs(a.x+s.da-b.x-s.db))
			if a.box != none && b.box != none {
				boxes = 1
			}
		}
	}
	for i := range l.chains {
		c := &l.chains[i]
		if l.items[c.from].layer == layer {
			from = math.Max(from, c.tail)
		}
		if l.items[c.to].layer == layer+1 {
			to = math.Max(to, c.head)
		}
	}
	least := layerGap * (1 + boxes) / 2
	return between(far*0.22, least, layerGapMax) + from + to
}

// bend is a point of an edge; after a label there is a gap.
type bend struct {
	Point
	hidden bool
}

// block returns the component, with coordinates from its upper left corner.
func (l *layering) block() *block {
	b := newBlock()
	left, right, bottom := math.Inf(1), math.Inf(-1), 0.0
	for _, it := range l.items {
		left = math.Min(left, it.x-it.w/2-it.loops)
		right = math.Max(right, it.x+it.w/2+it.loops)
		bottom = math.Max(bottom, it.y+it.h/2)
	}
	for i := range l.items {
		it := &l.items[i]
		it.x -= left
		if it.box != none {
			b.boxes[it.box] = Rect{it.x - it.w/2, it.y - it.h/2, it.w, it.h}
		}
	}
	b.size = Size{right - left, bottom}
	for i := range l.chains {
		l.draw(&l.chains[i], b)
	}
	for _, o := range l.loops {
		l.drawLoop(o, b)
	}
	return b
}

// drawLoop adds a loop at the right side of its box, around the loops drawn before.
func (l *layering) drawLoop(o loop, b *block) {
	it := &l.items[o.item]
	reach := math.Min(it.h/2-4, 9)
	if o.inner > 0 {
		reach = it.h/2 - 2
	}
	right := it.x + it.w/2
	at := func(x, y float64) Point { return Point{right + x, it.y + y} }
	straightTo := o.inner + o.end
	turn := straightTo + loopRoom - 6
	b.pieces[o.edge] = []Curve{
		straight(at(0, -reach), at(straightTo, -reach)),
		{at(straightTo, -reach), at(turn, -reach), at(turn, reach), at(straightTo, reach)},
		straight(at(straightTo, reach), at(0, reach)),
	}
	b.labels[o.edge] = at(turn+o.label.W/2, 0)
}

// draw adds an edge to the block.
func (l *layering) draw(c *chain, b *block) {
	from, to := &l.items[c.from], &l.items[c.to]
	da, db := c.da, c.db
	if !c.direct {
		da, db = l.segments[c.segments[0]].da, l.segments[c.segments[len(c.segments)-1]].db
	}
	start := Point{from.x + da, from.y + from.h/2}
	end := Point{to.x + db, to.y - to.h/2}
	bends := []bend{{Point: start}, {Point: Point{start.X, math.Max(start.Y+c.tail, l.edge(from.layer, 1))}}}
	for _, p := range c.passing {
		bends = append(bends, l.through(p, p == c.labelled)...)
	}
	bends = append(bends, bend{Point: Point{end.X, math.Min(end.Y-c.head, l.edge(to.layer, -1))}}, bend{Point: end})
	b.pieces[c.edge] = smooth(bends)
	switch {
	case c.labelled != none:
		b.labels[c.edge] = Point{l.items[c.labelled].x, l.items[c.labelled].y}
	case !c.border:
		b.labels[c.edge] = Point{(start.X + end.X) / 2, (start.Y + end.Y) / 2}
	}
	if c.border {
		p := start
		if to.box == none {
			p = end
		}
		b.ports[c.edge] = p
	}
}

// edge returns the upper (-1) or lower (1) edge of a layer.
func (l *layering) edge(layer int, side float64) float64 {
	return l.items[l.layers[layer][0]].y + side*l.thick[layer]/2
}

// through returns the points where an edge passes a layer.
func (l *layering) through(item int, label bool) []bend {
	it := &l.items[item]
	top, bottom := l.edge(it.layer, -1), l.edge(it.layer, 1)
	out := []bend{{Point: Point{it.x, top}}}
	if label {
		const air = 2
		out = append(
			out,
			bend{Point{it.x, it.y - it.h/2 - air}, true}, bend{Point{it.x, it.y + it.h/2 + air}, false},
		)
	}
	return append(out, bend{Point: Point{it.x, bottom}})
}

// smooth returns a smooth curve through points from top to bottom. It stays between the
// horizontal positions of adjacent points.
func smooth(bends []bend) []Curve {
	points := bends[:1]
	for _, b := range bends[1:] {
		last := &points[len(points)-1]
		if b.Y-last.Y < 0.5 {
			last.hidden = last.hidden || b.hidden
			continue
		}
		points = append(points, b)
	}
	end := bends[len(bends)-1]
	points[len(points)-1].Point = end.Point
	slopes := slopes(points)
	var out []Curve
	for i := 0; i+1 < len(points); i++ {
		if points[i].hidden {
			continue
		}
		p, q := points[i].Point, points[i+1].Point
		third := (q.Y - p.Y) / 3
		out = append(out, Curve{
			p, {p.X + slopes[i]*third, p.Y + third}, {q.X - slopes[i+1]*third, q.Y - third}, q,
		})
	}
	return out
}

// slopes returns the slope at each point, horizontal per vertical distance: vertical at both
// ends and at turns.
func slopes(points []bend) []float64 {
	out := make([]float64, len(points))
	secant := func(i int) float64 {
		return (points[i+1].X - points[i].X) / (points[i+1].Y - points[i].Y)
	}
	for i := 1; i+1 < len(points); i++ {
		if a, b := secant(i-1), secant(i); a*b > 0 {
			out[i] = 2 * a * b / (a + b)
		}
	}
	return out
}
