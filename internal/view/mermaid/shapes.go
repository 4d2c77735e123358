package mermaid

import "math"

// shape is the outline of a node.
type shape struct {
	size   func(text size) size
	draw   func(c *canvas, r rect, s style)
	inset  func(r rect, off float64, across bool) float64 // distance of the outline from its box, off the middle of a side
	spread float64                                        // share of a side where edges may end
	bare   bool                                           // it has no text
}

// Styles of nodes.
var (
	nodeStyle = style{
		"class", "mermaid-node", "fill", "currentColor", "fill-opacity", "0.06", "stroke", "currentColor",
		"stroke-opacity", "0.55",
	}
	ruleStyle  = style{"class", "mermaid-rule", "stroke", "currentColor", "stroke-opacity", "0.55"}
	solidStyle = style{"class", "mermaid-mark", "fill", "currentColor"}
	textStyle  = style{"class", "mermaid-text", "fill", "currentColor", "text-anchor", "middle"}
)

func roomFor(w, h float64) func(size) size {
	return func(t size) size { return size{W: max(t.W+w, 36), H: t.H + h} }
}

func noInset(rect, float64, bool) float64 { return 0 }

// rounded returns a function that draws a rectangle with rounded corners.
func rounded(radius float64) func(*canvas, rect, style) {
	return func(c *canvas, r rect, s style) { c.rect(r, s, min(radius, r.H/2, r.W/2)) }
}

// angular returns a function that draws a polygon. A corner has shares of width and height,
// and a horizontal shift in halves of the height.
func angular(corners ...[3]float64) func(*canvas, rect, style) {
	return func(c *canvas, r rect, s style) {
		var points []point
		for _, k := range corners {
			points = append(points, point{X: r.X + k[0]*r.W + k[2]*r.H/2, Y: r.Y + k[1]*r.H})
		}
		c.polygon(s, points...)
	}
}

// shapes are the shapes of nodes by name.
var shapes = map[string]*shape{
	"rect":       {size: roomFor(28, 20), draw: rounded(3), inset: noInset, spread: 1},
	"rounded":    {size: roomFor(28, 20), draw: rounded(9), inset: noInset, spread: 0.8},
	"stadium":    {size: roomFor(36, 18), draw: rounded(1e3), inset: noInset, spread: 0.6},
	"subroutine": {size: roomFor(44, 20), draw: drawSubroutine, inset: noInset, spread: 1},
	"cylinder":   {size: roomFor(28, 36), draw: drawCylinder, inset: insetCylinder, spread: 0.5},
	"circle":     {size: roundFor(18), draw: drawCircle, inset: insetCircle, spread: 0.3},
	"double":     {size: roundFor(28), draw: drawDouble, inset: insetCircle, spread: 0.3},
	"flag": {
		size: roomFor(40, 20), draw: angular([3]float64{0, 0}, [3]float64{1, 0}, [3]float64{1, 1}, [3]float64{0, 1},
			[3]float64{0, 0.5, 0.6}), inset: noInset, spread: 0.8,
	},
	"diamond": {
		size: func(t size) size { return size{W: t.W*1.3 + 44, H: t.H*1.7 + 20} },
		draw: angular([3]float64{0.5, 0}, [3]float64{1, 0.5}, [3]float64{0.5, 1}, [3]float64{0, 0.5}), inset: insetDiamond,
	},
	"hexagon": {
		size: roomFor(52, 20), draw: angular([3]float64{0, 0, 0.5}, [3]float64{1, 0, -0.5}, [3]float64{1, 0.5},
			[3]float64{1, 1, -0.5}, [3]float64{0, 1, 0.5}, [3]float64{0, 0.5}), inset: noInset, spread: 0.6,
	},
	"lean right":            slanted(0.6, 0, 0, -0.6),
	"lean left":             slanted(0, -0.6, 0.6, 0),
	"trapezoid":             slanted(0.6, -0.6, 0, 0),
	"trapezoid upside down": slanted(0, 0, 0.6, -0.6),
	"text":                  {size: roomFor(8, 4), draw: func(*canvas, rect, style) {}, inset: noInset, spread: 1},
	"note":                  {size: roomFor(24, 16), draw: drawNote, inset: noInset, spread: 0.8},
	"start":                 {size: fixed(16, 16), draw: drawDot, inset: insetCircle, bare: true},
	"end":                   {size: fixed(20, 20), draw: drawTarget, inset: insetCircle, bare: true},
	"bar":                   {size: fixed(70, 7), draw: drawBar, inset: noInset, spread: 1, bare: true},
	"upright bar":           {size: fixed(7, 70), draw: drawBar, inset: noInset, spread: 1, bare: true},
	"choice": {
		size: fixed(30, 30), inset: insetDiamond, bare: true,
		draw: angular([3]float64{0.5, 0}, [3]float64{1, 0.5}, [3]float64{0.5, 1}, [3]float64{0, 0.5}),
	},
}

func fixed(w, h float64) func(size) size { return func(size) size { return size{W: w, H: h} } }

// slanted returns a quadrilateral with shifted corners: the upper two, then the lower two.
func slanted(leftTop, rightTop, leftBottom, rightBottom float64) *shape {
	return &shape{
		size: roomFor(48, 20), inset: noInset, spread: 0.6,
		draw: angular([3]float64{0, 0, leftTop}, [3]float64{1, 0, rightTop}, [3]float64{1, 1, rightBottom},
			[3]float64{0, 1, leftBottom}),
	}
}

// roundFor returns the size of a circle around text.
func roundFor(air float64) func(size) size {
	return func(t size) size {
		d := math.Hypot(t.W, t.H*0.6) + air
		return size{W: d, H: d}
	}
}

func middle(r rect) point { return point{X: r.X + r.W/2, Y: r.Y + r.H/2} }

func drawCircle(c *canvas, r rect, s style) { c.circle(middle(r), r.W/2, s) }

func drawDouble(c *canvas, r rect, s style) {
	c.circle(middle(r), r.W/2, s)
	c.circle(middle(r), r.W/2-4, ruleStyle)
}

func drawDot(c *canvas, r rect, _ style) { c.circle(middle(r), r.W/2, solidStyle) }

func drawTarget(c *canvas, r rect, _ style) {
	c.circle(middle(r), r.W/2, ruleStyle)
	c.circle(middle(r), r.W/2-4.5, solidStyle)
}

func drawBar(c *canvas, r rect, _ style) { c.rect(r, solidStyle, 2) }

func drawSubroutine(c *canvas, r rect, s style) {
	c.rect(r, s, 2)
	for _, x := range []float64{r.X + 8, r.X + r.W - 8} {
		c.path(ruleStyle, polyline([]point{{X: x, Y: r.Y}, {X: x, Y: r.Y + r.H}}))
	}
}

// lid is the height of a cylinder's lid.
const lid = 8

func drawCylinder(c *canvas, r rect, s style) {
	arc := func(down string) string {
		return "a" + num(r.W/2) + "," + num(lid) + " 0 0 " + down
	}
	c.path(s, "M"+pair(point{X: r.X, Y: r.Y + lid})+arc("1 ")+num(r.W)+",0v"+num(r.H-2*lid)+arc("1 ")+num(-r.W)+",0Z")
	c.path(ruleStyle, "M"+pair(point{X: r.X, Y: r.Y + lid})+arc("0 ")+num(r.W)+",0")
}

func insetCylinder(r rect, off float64, across bool) float64 {
	if across {
		return 0
	}
	share := min(1, math.Abs(off)*2/r.W)
	return lid * (1 - math.Sqrt(1-share*share))
}

func insetCircle(r rect, off float64, _ bool) float64 {
	radius := r.W / 2
	off = min(math.Abs(off), radius)
	return radius - math.Sqrt(radius*radius-off*off)
}

func insetDiamond(r rect, off float64, across bool) float64 {
	side, depth := r.W/2, r.H/2
	if across {
		side, depth = depth, side
	}
	return depth * min(1, math.Abs(off)/side)
}

// fold is the size of a note's folded corner.
const fold = 8

func drawNote(c *canvas, r rect, s style) {
	right, bottom := r.X+r.W, r.Y+r.H
	c.polygon(s, point{X: r.X, Y: r.Y}, point{X: right - fold, Y: r.Y}, point{X: right, Y: r.Y + fold},
		point{X: right, Y: bottom}, point{X: r.X, Y: bottom})
	c.path(ruleStyle, polyline([]point{{X: right - fold, Y: r.Y}, {X: right - fold, Y: r.Y + fold}, {X: right, Y: r.Y + fold}}))
}
