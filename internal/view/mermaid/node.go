package mermaid

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// Styles of groups and of the contents of nodes.
var (
	groupStyle = style{
		"class", "mermaid-group", "fill", "currentColor", "fill-opacity", "0.03", "stroke", "currentColor",
		"stroke-opacity", "0.3",
	}
	nameStyle   = style{"class", "mermaid-name", "fill", "currentColor", "text-anchor", "middle", "font-weight", "600"}
	titleStyle  = style{"class", "mermaid-name", "fill", "currentColor", "font-weight", "600"}
	memberStyle = style{"class", "mermaid-member", "fill", "currentColor"}
	remarkStyle = style{
		"class", "mermaid-remark", "fill", "currentColor", "fill-opacity", "0.7", "text-anchor", "middle", "font-size", "12",
	}
)

// Dimensions of nodes with parts.
const (
	rowAir  = 7  // above and below the rows of a part
	sideAir = 12 // on each side
	cellAir = 10 // between cells
)

// size returns the size of a node.
func (n *node) size() size {
	if n.shape.bare {
		return n.shape.size(size{})
	}
	if n.parts == nil {
		return n.shape.size(sizeOf(n.lines))
	}
	name := n.nameSize()
	s := size{W: name.W*1.05 + 2*sideAir, H: name.H + 2*rowAir}
	for _, part := range n.parts {
		w := -float64(cellAir)
		for _, column := range columns(part) {
			w += column + cellAir
		}
		s.W = max(s.W, w+2*sideAir)
		s.H += partHeight(part)
	}
	return s
}

func partHeight(part []row) float64 {
	return float64(len(part))*lineHeight + 2*rowAir
}

func (n *node) nameSize() size {
	lines := n.lines
	if n.note != "" {
		lines = append(slices.Clone(lines), n.note)
	}
	return sizeOf(lines)
}

// columns returns the widths of a part's columns.
func columns(part []row) []float64 {
	var out []float64
	for _, r := range part {
		for i, cell := range r.cells {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], width(cell))
		}
	}
	return out
}

// draw draws the node in its place.
func (n *node) draw(c *canvas, r rect) {
	done := n.wrap(c)
	defer done()
	n.shape.draw(c, r, n.paint.over(nodeStyle))
	switch {
	case n.shape.bare:
	case n.parts != nil:
		n.drawParts(c, r)
	default:
		c.lines(n.lines, middle(r), n.paint.text(textStyle))
	}
}

// wrap opens the elements around a node: its link and its class.
func (n *node) wrap(c *canvas) (done func()) {
	unlink := c.link(n.href)
	if n.class == "" {
		return unlink
	}
	c.open("g", nil, "class", n.class)
	return func() {
		c.close("g")
		unlink()
	}
}

// drawParts writes the name and below it the parts, separated by rules.
func (n *node) drawParts(c *canvas, r rect) {
	name := n.nameSize()
	at := point{X: r.X + r.W/2, Y: r.Y + rowAir + lineHeight/2}
	if n.note != "" {
		c.text(n.note, at, n.paint.text(remarkStyle))
		at.Y += lineHeight
	}
	for _, l := range n.lines {
		c.text(l, at, n.paint.text(nameStyle))
		at.Y += lineHeight
	}
	y := r.Y + name.H + 2*rowAir
	for _, part := range n.parts {
		c.path(ruleStyle, polyline([]point{{X: r.X, Y: y}, {X: r.X + r.W, Y: y}}))
		widths := columns(part)
		for i, row := range part {
			x := r.X + sideAir
			for k, cell := range row.cells {
				middle := y + rowAir + lineHeight*(float64(i)+0.5)
				c.text(cell, point{X: x, Y: middle}, slices.Concat(n.paint.text(memberStyle), row.style))
				x += widths[k] + cellAir
			}
		}
		y += partHeight(part)
	}
}

// drawGroup draws the border of a group.
func (n *node) drawGroup(c *canvas, b *layout.Box) {
	done := n.wrap(c)
	defer done()
	s := n.paint.over(groupStyle)
	if n.bare {
		s = slices.Concat(s, looks["dashed"])
	}
	c.rect(b.Rect, s, 5)
	if !n.bare {
		t := sizeOf(n.lines)
		c.lines(n.lines, point{X: b.TitleAt.X, Y: b.TitleAt.Y + t.H/2}, n.paint.text(titleStyle))
	}
}
