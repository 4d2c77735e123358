package mermaid

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// connection is a line between two nodes.
type connection struct {
	from, to   *node
	lines      []string // its label
	class      string   // a class for style sheets, "" for none
	look       string   // a key of looks
	tail, head string   // keys of heads
	tailText   string   // what stands beside its ends
	headText   string
	layers     int
	n          int // the line of the text
}

// looks are the ways lines are drawn.
//
//nolint:gochecknoglobals // a table
var looks = map[string]style{
	"":       nil,
	"dotted": {"stroke-dasharray", "3 4"},
	"dashed": {"stroke-dasharray", "6 4"},
	"thick":  {"stroke-width", "2.5"},
}

// unseen is the look of lines that only place what they join.
const unseen = "unseen"

// endRoom returns the length that an end of a line takes.
func endRoom(key, text string) float64 {
	room := heads[key].room()
	if text != "" {
		room += lineHeight
	}
	return room
}

// endWidth returns how wide the ends of a line are with what stands beside them.
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

// draw draws the line, its ends and its label.
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

// besideLine is how far from a line the text at its end stands.
const besideLine = 6

// beside writes a text beside the end of a line.
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

// fit returns where the last of the curves meets the outline of a node.
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

// cutEnd lets the last curve end before p, where the mark at its end begins. It is
// straight there.
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
