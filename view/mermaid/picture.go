package mermaid

import (
	"fmt"
	"slices"

	"github.com/reverse-spec/reverse-spec/view/mermaid/layout"
)

// picture is a diagram of nodes and lines, before it is placed.
type picture struct {
	kind               string
	title, description string
	direction          layout.Direction
	nodes              []*node
	lines              []*connection
}

// node is a box with text, or a group of nodes.
type node struct {
	lines     []string
	shape     *shape
	parts     [][]row // of a class or an entity: what stands below its name
	note      string  // what stands above the name
	class     string  // a class for style sheets
	href      string
	paint     paint
	parent    *node
	group     bool
	bare      bool // a group without a name
	turned    bool
	direction layout.Direction
}

// row is a line of a part of a node: its cells, left to right.
type row struct {
	cells []string
	style style
}

// connection is a line between two nodes.
type connection struct {
	from, to   *node
	lines      []string // its label
	class      string   // a class for style sheets
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

// The bounds of a picture.
const (
	maxNodes = 3000
	maxLines = 10000
	maxDepth = 40
)

// tooLarge says why a picture is not drawn, nil if it is.
func (p *picture) tooLarge() error {
	if len(p.nodes) > maxNodes {
		return fmt.Errorf("mermaid: %d nodes are more than the %d that are drawn", len(p.nodes), maxNodes)
	}
	if len(p.lines) > maxLines {
		return fmt.Errorf("mermaid: %d lines are more than the %d that are drawn", len(p.lines), maxLines)
	}
	for _, n := range p.nodes {
		depth := 0
		for ; n != nil; n = n.parent {
			if depth++; depth > maxDepth {
				return fmt.Errorf("mermaid: groups are more than %d deep in each other", maxDepth)
			}
		}
	}
	return nil
}

// svg places the picture and draws it.
func (p *picture) svg() (string, error) {
	if err := p.tooLarge(); err != nil {
		return "", err
	}
	for _, l := range p.lines {
		if inside(l.from, l.to) || inside(l.to, l.from) {
			return "", &SyntaxError{l.n, "a line between nodes of which none holds the other", first(l.from.lines) + " - " + first(l.to.lines)}
		}
	}
	g := p.graph()
	g.Place()
	c := &canvas{}
	for i, n := range p.nodes {
		if n.group {
			n.drawGroup(c, g.Boxes[i].Rect)
		}
	}
	for i, l := range p.lines {
		l.draw(c, &g.Edges[i], g)
	}
	for i, n := range p.nodes {
		if !n.group {
			n.draw(c, g.Boxes[i].Rect)
		}
	}
	title := p.title
	if title == "" {
		title = p.summary()
	}
	return c.document(p.kind, title, p.description, g.Size), nil
}

func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// inside says whether n stands in the group, at any depth.
func inside(n, group *node) bool {
	for n = n.parent; n != nil; n = n.parent {
		if n == group {
			return true
		}
	}
	return false
}

// summary is the title of a picture that has none: what is in it.
func (p *picture) summary() string {
	const most = 8
	var names []string
	for _, n := range p.nodes {
		if len(n.lines) > 0 && len(names) <= most {
			names = append(names, n.lines[0])
		}
	}
	s := p.kind
	for i, name := range names[:min(len(names), most)] {
		s += map[bool]string{true: ": ", false: ", "}[i == 0] + name
	}
	if len(names) > most {
		s += ", …"
	}
	return s
}

// graph is what is to be placed.
func (p *picture) graph() *layout.Graph {
	g := &layout.Graph{Direction: p.direction}
	index := map[*node]int{nil: -1}
	for i, n := range p.nodes {
		index[n] = i
	}
	for _, n := range p.nodes {
		b := layout.Box{Parent: index[n.parent], Group: n.group, Direction: n.direction, Turned: n.turned}
		if n.group {
			if !n.bare {
				b.Title = sizeOf(n.lines)
			}
		} else {
			b.Size, b.Spread = n.size(), n.shape.spread
		}
		g.Boxes = append(g.Boxes, b)
	}
	for _, l := range p.lines {
		e := layout.Edge{From: index[l.from], To: index[l.to], Layers: l.layers}
		if len(l.lines) > 0 {
			e.Label = sizeOf(l.lines)
			e.Label.W += 8
		}
		e.Tail, e.Head = l.endRoom(l.tail, l.tailText), l.endRoom(l.head, l.headText)
		g.Edges = append(g.Edges, e)
	}
	return g
}

// endRoom is the length that an end of a line takes.
func (l *connection) endRoom(key, text string) float64 {
	room := heads[key].room()
	if text != "" {
		room += lineHeight
	}
	return room
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
	into, back := direction(turned[len(turned)-1]), point{}
	cutEnd(turned, start, into, tail.cut)
	path = reversed(turned)
	back = direction(path[len(path)-1])
	cutEnd(path, end, back, head.cut)
	c.path(slices.Concat(lineStyle, looks[l.look]), curves(path))
	tail.draw(c, start, into)
	head.draw(c, end, back)
	c.lines(l.lines, e.At, textStyle)
	beside(c, l.tailText, start, into, tail.room())
	beside(c, l.headText, end, back, head.room())
}

// beside writes a text beside the end of a line.
func beside(c *canvas, text string, p, d point, room float64) {
	if text == "" {
		return
	}
	const off = 6
	away := room + lineHeight/2
	if d.X != 0 {
		away = room + 4
		anchor := map[bool]string{true: "end", false: "start"}[d.X > 0]
		c.text(text, point{X: p.X - d.X*away, Y: p.Y - lineHeight/2}, textStyle[:4], "text-anchor", anchor)
		return
	}
	c.text(text, point{X: p.X + off, Y: p.Y - d.Y*away}, textStyle[:4], "text-anchor", "start")
}

// fit is where the last of the curves meets the outline of a node.
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

// reversed are the curves from the end to the start.
func reversed(path []layout.Curve) []layout.Curve {
	out := slices.Clone(path)
	slices.Reverse(out)
	for i := range out {
		slices.Reverse(out[i][:])
	}
	return out
}
