package mermaid

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// connection is an edge between two nodes.
type connection struct {
	from, to   *node
	lines      []string // its label
	class      string   // class for style sheets; "" for none
	look       string   // a key of looks
	tail, head string   // keys of heads
	tailText   string   // labels at its ends
	headText   string
	layers     int
	n          int // line number in the source
}

// looks are the line styles of edges.
var looks = map[string]style{
	"":       nil,
	"dotted": {"stroke-dasharray", "3 4"},
	"dashed": {"stroke-dasharray", "6 4"},
	"thick":  {"stroke-width", "2.5"},
}

// unseen is the look of invisible edges, which only affect the layout.
const unseen = "unseen"

// endRoom returns the length of the mark at an end of an edge.
func endRoom(key, text string) float64 {
	room := heads[key].room()
	if text != "" {
		room += lineHeight
	}
	return room
}

// endWidth returns the width of the ends of an edge with their labels.
func (l *connection) endWidth(d layout.Direction) float64 {
	switch {
	case l.tailText == "" && l.headText == "":
		return 0
	case d == Right || d == Left:
		return lineHeight
	default:
		return max(width(l.tailText), width(l.headText)) + besideLine + 4
	}
}

// draw draws the edge, its ends and its label.
func (l *connection) draw(c *canvas, e *layout.Edge, g *layout.Graph) {
	if l.look == unseen || len(e.Path) == 0 {
		return
	}
	if l.class != "" {
		c.open("g", nil, "class", l.class)
		defer c.close("g")
	}
	path := slices.Clone(e.Path)
	end := l.fit(path, l.to, g.Boxes[e.To].Rect)
	turned := reversed(path)
	start := l.fit(turned, l.from, g.Boxes[e.From].Rect)
	tail, head := heads[l.tail], heads[l.head]
	into := direction(turned[len(turned)-1])
	cutEnd(turned, start, into, tail.cut)
	path = reversed(turned)
	back := direction(path[len(path)-1])
	cutEnd(path, end, back, head.cut)
	c.path(slices.Concat(lineStyle, looks[l.look]), curves(path))
	tail.draw(c, start, into)
	head.draw(c, end, back)
	c.lines(l.lines, e.At, textStyle)
	beside(c, l.tailText, start, into, tail.room())
	beside(c, l.headText, end, back, head.room())
}

// besideLine is the distance between an edge and the label at its end.
const besideLine = 6

// beside writes a label at the end of an edge.
func beside(c *canvas, text string, p, d point, room float64) {
	if text == "" {
		return
	}
	away := room + lineHeight/2
	if d.X != 0 {
		away = room + 4
		anchor := map[bool]string{true: "end", false: "start"}[d.X > 0]
		c.text(text, point{X: p.X - d.X*away, Y: p.Y - lineHeight/2}, textStyle[:4], "text-anchor", anchor)
		return
	}
	c.text(text, point{X: p.X + besideLine, Y: p.Y - d.Y*away}, textStyle[:4], "text-anchor", "start")
}

// fit returns the point where the last curve meets the outline of a node.
func (l *connection) fit(path []layout.Curve, n *node, r rect) point {
	last := path[len(path)-1]
	end := last[3]
	if n.group {
		return end
	}
	d, m := direction(last), middle(r)
	if d.X != 0 {
		end.X += d.X * n.shape.inset(r, end.Y-m.Y, true)
	} else {
		end.Y += d.Y * n.shape.inset(r, end.X-m.X, false)
	}
	return end
}

// cutEnd shortens the last curve, which is straight there, to make room for the mark at p.
func cutEnd(path []layout.Curve, p, d point, cut float64) {
	last := &path[len(path)-1]
	end := point{X: p.X - d.X*cut, Y: p.Y - d.Y*cut}
	if isStraight(*last) {
		*last = layout.Curve{last[0], last[0], end, end}
		return
	}
	last[3] = end
}

// reversed returns the curves from the end to the start.
func reversed(path []layout.Curve) []layout.Curve {
	out := slices.Clone(path)
	slices.Reverse(out)
	for i := range out {
		slices.Reverse(out[i][:])
	}
	return out
}
