package mermaid

import (
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// picture is a diagram of nodes and edges before its layout.
type picture struct {
	caption
	direction layout.Direction
	nodes     []*node
	lines     []*connection
}

// node is a box with text, or a group of nodes.
type node struct {
	lines     []string
	shape     *shape
	parts     [][]row // sections below the name of a class or entity
	note      string  // shown above the name
	class     string  // class for style sheets
	href      string
	paint     paint
	parent    *node
	group     bool
	bare      bool // a group without a name
	turned    bool
	direction layout.Direction
}

// row is a row of a part: its cells, left to right.
type row struct {
	cells []string
	style style
}

// Limits of a picture.
const (
	maxNodes = 3000
	maxLines = 10000
	maxDepth = 40
)

// tooLarge returns an error if the picture exceeds the limits.
func (p *picture) tooLarge() error {
	if len(p.nodes) > maxNodes {
		return message.Errorf("%d nodes are more than the %d that are drawn", len(p.nodes), maxNodes)
	}
	if len(p.lines) > maxLines {
		return message.Errorf("%d lines are more than the %d that are drawn", len(p.lines), maxLines)
	}
	for _, n := range p.nodes {
		depth := 0
		for ; n != nil; n = n.parent {
			if depth++; depth > maxDepth {
				return message.Errorf("groups are more than %d deep in each other", maxDepth)
			}
		}
	}
	return nil
}

// svg lays out and draws the picture.
func (p *picture) svg() (string, error) {
	if err := p.tooLarge(); err != nil {
		return "", err
	}
	for _, l := range p.lines {
		if inside(l.from, l.to) || inside(l.to, l.from) {
			return "", &SyntaxError{l.n, message.New("a line between nodes of which none holds the other"), first(l.from.lines) + " - " + first(l.to.lines)}
		}
	}
	g := p.graph()
	g.Place()
	c := &canvas{}
	for i, n := range p.nodes {
		if n.group {
			n.drawGroup(c, &g.Boxes[i])
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
	var names []string
	for _, n := range p.nodes {
		if len(n.lines) > 0 {
			names = append(names, n.lines[0])
		}
	}
	return c.document(&p.caption, names, g.Size), nil
}

func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// inside reports whether n is in the group, at any depth.
func inside(n, group *node) bool {
	for n = n.parent; n != nil; n = n.parent {
		if n == group {
			return true
		}
	}
	return false
}

// graph returns the input of the layout.
func (p *picture) graph() *layout.Graph {
	g := &layout.Graph{Direction: p.direction}
	index := map[*node]int{nil: -1}
	for i, n := range p.nodes {
		index[n] = i
	}
	for _, n := range p.nodes {
		b := layout.Box{Parent: index[n.parent], Group: n.group, Direction: n.direction, Turned: n.turned}
		switch {
		case !n.group:
			b.Size, b.Spread = n.size(), n.shape.spread
		case !n.bare:
			b.Title = sizeOf(n.lines)
		}
		g.Boxes = append(g.Boxes, b)
	}
	for _, l := range p.lines {
		e := layout.Edge{From: index[l.from], To: index[l.to], Layers: l.layers, EndWidth: l.endWidth(p.direction)}
		if len(l.lines) > 0 {
			e.Label = sizeOf(l.lines)
			e.Label.W += 8
		}
		e.Tail, e.Head = endRoom(l.tail, l.tailText), endRoom(l.head, l.headText)
		g.Edges = append(g.Edges, e)
	}
	p.widen(g)
	return g
}

// widen widens boxes to make room for the labels at the ends of their edges.
func (p *picture) widen(g *layout.Graph) {
	type side struct {
		box  int
		from bool
	}
	room := map[side]float64{}
	for _, e := range g.Edges {
		if e.EndWidth > 0 {
			room[side{e.From, true}] += e.EndWidth
			room[side{e.To, false}] += e.EndWidth
		}
	}
	for s, w := range room {
		b := &g.Boxes[s.box].Size
		if p.direction == Right || p.direction == Left {
			b.H = max(b.H, w)
		} else {
			b.W = max(b.W, w)
		}
	}
}
