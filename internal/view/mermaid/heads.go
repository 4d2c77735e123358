package mermaid

import "github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"

// head is the mark at an end of an edge. Coordinates are pixels along the edge before its end,
// and perpendicular to it.
type head struct {
	cut   float64 // where the edge stops before the end
	marks []mark
}

// mark is a polyline, or a circle around a point.
type mark struct {
	points         []point
	radius         float64
	closed, filled bool
}

// heads are the marks by name.
var heads = map[string]*head{
	"":         {},
	"arrow":    {cut: 7, marks: []mark{{points: []point{{X: 0}, {X: 9, Y: 4}, {X: 7.5}, {X: 9, Y: -4}}, closed: true, filled: true}}},
	"open":     {cut: 1, marks: []mark{{points: []point{{X: 9, Y: 5}, {X: 0.5}, {X: 9, Y: -5}}}}},
	"circle":   {cut: 8, marks: []mark{{points: []point{{X: 4}}, radius: 4}}},
	"cross":    {cut: 5, marks: []mark{{points: []point{{X: 1, Y: 4}, {X: 9, Y: -4}}}, {points: []point{{X: 1, Y: -4}, {X: 9, Y: 4}}}}},
	"triangle": {cut: 13, marks: []mark{{points: []point{{X: 0}, {X: 13, Y: 7}, {X: 13, Y: -7}}, closed: true}}},
	"aggregation": {
		cut: 18, marks: []mark{{points: []point{{X: 0}, {X: 9, Y: 5}, {X: 18}, {X: 9, Y: -5}}, closed: true}},
	},
	"composition": {
		cut: 18, marks: []mark{{points: []point{{X: 0}, {X: 9, Y: 5}, {X: 18}, {X: 9, Y: -5}}, closed: true, filled: true}},
	},
	"lollipop":     {cut: 14, marks: []mark{{points: []point{{X: 7}}, radius: 7}}},
	"one":          {marks: []mark{stroke(7), stroke(12)}},
	"zero or one":  {cut: 20, marks: []mark{stroke(7), {points: []point{{X: 15}}, radius: 5}, stem(10)}},
	"many":         {marks: []mark{crow, stroke(14)}},
	"zero or many": {cut: 24, marks: []mark{crow, {points: []point{{X: 19}}, radius: 5}, stem(14)}},
}

// Parts of marks in entity diagrams.
var crow = mark{points: []point{{X: 0, Y: 6}, {X: 12}, {X: 0, Y: -6}}}

func stroke(at float64) mark { return mark{points: []point{{X: at, Y: 6}, {X: at, Y: -6}}} }

func stem(to float64) mark { return mark{points: []point{{X: 0}, {X: to}}} }

// room returns the length of the edge that must be straight.
func (h *head) room() float64 {
	room := h.cut
	for _, m := range h.marks {
		for _, p := range m.points {
			room = max(room, p.X+m.radius)
		}
	}
	return room
}

// Styles of edges and marks.
var (
	lineStyle = style{"class", "mermaid-line", "stroke", "currentColor", "stroke-opacity", "0.75"}
	headStyle = style{"class", "mermaid-head", "stroke", "currentColor"}
	fullStyle = style{"class", "mermaid-head mermaid-filled", "fill", "currentColor", "stroke", "currentColor"}
)

// draw draws the mark at p for an edge that arrives in direction d, a unit vector.
func (h *head) draw(c *canvas, p, d point) {
	at := func(q point) point {
		return point{X: p.X - d.X*q.X - d.Y*q.Y, Y: p.Y - d.Y*q.X + d.X*q.Y}
	}
	for _, m := range h.marks {
		s := headStyle
		if m.filled {
			s = fullStyle
		}
		if m.radius > 0 {
			c.circle(at(m.points[0]), m.radius, s)
			continue
		}
		var points []point
		for _, q := range m.points {
			points = append(points, at(q))
		}
		d := polyline(points)
		if m.closed {
			d += "Z"
		}
		c.path(s, d)
	}
}

// direction returns the unit vector of a curve's end.
func direction(q layout.Curve) point {
	for i := 2; i >= 0; i-- {
		dx, dy := q[3].X-q[i].X, q[3].Y-q[i].Y
		switch {
		case abs(dx) < 0.01 && abs(dy) < 0.01:
		case abs(dx) > abs(dy):
			return point{X: sign(dx)}
		default:
			return point{Y: sign(dy)}
		}
	}
	return point{Y: 1}
}

func abs(f float64) float64 { return max(f, -f) }

func sign(f float64) float64 {
	if f < 0 {
		return -1
	}
	return 1
}
