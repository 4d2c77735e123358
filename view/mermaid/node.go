package mermaid

import (
	"slices"
	"strings"
)

// The looks of groups and of what stands in nodes.
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

// The measures of nodes with parts.
const (
	rowAir  = 7  // above and below the rows of a part
	sideAir = 12 // beside them
	cellAir = 10 // between cells
)

// size is the room that a node takes.
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
	return float64(len(part))*lineHeight + 2*rowAir - 4*boolean(len(part) == 0)
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (n *node) nameSize() size {
	lines := n.lines
	if n.note != "" {
		lines = append(slices.Clone(lines), n.note)
	}
	return sizeOf(lines)
}

// columns are the widths of the cells of a part.
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

// wrap begins what holds the node together: its link, and its class.
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

// drawParts writes the name, and below it the parts with rules between them.
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

// drawGroup draws the frame of a group.
func (n *node) drawGroup(c *canvas, r rect) {
	done := n.wrap(c)
	defer done()
	s := n.paint.over(groupStyle)
	if n.bare {
		s = slices.Concat(s, looks["dashed"])
	}
	c.rect(r, s, 5)
	if !n.bare {
		t := sizeOf(n.lines)
		c.lines(n.lines, point{X: r.X + 10, Y: r.Y + t.H/2 + 4}, n.paint.text(titleStyle))
	}
}

// paint is what a diagram says of the colours of a node.
type paint struct{ fill, stroke, color, width, dashes string }

// read takes properties as style sheets write them: fill:#f9f,stroke:#333. What is
// not a colour or a number is left out.
func (p *paint) read(properties string) {
	for _, property := range strings.FieldsFunc(properties, func(r rune) bool { return r == ',' || r == ';' }) {
		key, value, _ := strings.Cut(property, ":")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch strings.TrimSpace(key) {
		case "fill", "background":
			p.fill = hex(value, p.fill)
		case "stroke":
			p.stroke = hex(value, p.stroke)
		case "color":
			p.color = hex(value, p.color)
		case "stroke-width":
			p.width = number(strings.TrimSuffix(value, "px"), p.width)
		case "stroke-dasharray":
			p.dashes = number(value, p.dashes)
		}
	}
}

// number is the value if it consists of numbers, else the other one.
func number(value, otherwise string) string {
	if value == "" || len(value) > 20 || strings.Trim(value, "0123456789. ") != "" {
		return otherwise
	}
	return value
}

// names are colours that diagrams call by name.
//
//nolint:gochecknoglobals // a table
var names = map[string]string{
	"white": "#ffffff", "black": "#000000", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00",
	"orange": "#ffa500", "purple": "#800080", "pink": "#ffc0cb", "gray": "#808080", "grey": "#808080", "cyan": "#00ffff",
	"lightblue": "#add8e6", "lightgreen": "#90ee90", "lightgrey": "#d3d3d3", "lightgray": "#d3d3d3", "lime": "#00ff00",
	"lightyellow": "#ffffe0", "navy": "#000080", "teal": "#008080", "maroon": "#800000", "brown": "#a52a2a",
	"gold": "#ffd700", "coral": "#ff7f50", "salmon": "#fa8072", "none": "none", "transparent": "none",
}

// hex is a colour as #rrggbb, or none; the other one if it is not known.
func hex(value, otherwise string) string {
	value = strings.ToLower(value)
	if known := names[value]; known != "" {
		return known
	}
	digits, ok := strings.CutPrefix(value, "#")
	if !ok || strings.Trim(digits, "0123456789abcdef") != "" {
		return otherwise
	}
	switch len(digits) {
	case 3, 4:
		return "#" + string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	case 6, 8:
		return "#" + digits[:6]
	}
	return otherwise
}

// over is a style with the colours of the paint.
func (p paint) over(s style) style {
	s = slices.Clone(s)
	set := func(key, value string) {
		if value == "" {
			return
		}
		for i := 0; i+1 < len(s); i += 2 {
			if s[i] == key {
				s[i+1] = value
				return
			}
		}
		s = append(s, key, value)
	}
	set("fill", p.fill)
	if p.fill != "" {
		set("fill-opacity", "1")
	}
	set("stroke", p.stroke)
	if p.stroke != "" {
		set("stroke-opacity", "1")
	}
	set("stroke-width", p.width)
	set("stroke-dasharray", p.dashes)
	return s
}

// text is a style of text that can be read on the fill.
func (p paint) text(s style) style {
	color := p.color
	if color == "" && len(p.fill) == len("#rrggbb") {
		color = "#ffffff"
		if bright(p.fill) {
			color = "#1a1a1a"
		}
	}
	if color == "" {
		return s
	}
	return paint{fill: color}.over(s)
}

// bright says whether dark text stands out from a colour.
func bright(color string) bool {
	value := func(i int) float64 {
		return float64(strings.IndexByte("0123456789abcdef", color[i])*16 + strings.IndexByte("0123456789abcdef", color[i+1]))
	}
	return 0.299*value(1)+0.587*value(3)+0.114*value(5) > 140
}
