package mermaid

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

type (
	point = layout.Point
	size  = layout.Size
	rect  = layout.Rect
)

// canvas is an SVG picture under construction.
type canvas struct {
	b     strings.Builder
	links bool // it contains links
}

// style is a list of attributes and values. Colours are inherited from the page's text; style
// sheets may override them by class.
type style []string

// tag writes an element without content.
func (c *canvas) tag(name string, s style, attributes ...string) {
	c.start(name, s, attributes...)
	c.b.WriteString("/>\n")
}

func (c *canvas) start(name string, s style, attributes ...string) {
	c.b.WriteString("<" + name)
	for _, list := range [][]string{s, attributes} {
		for i := 0; i+1 < len(list); i += 2 {
			c.b.WriteString(" " + list[i] + `="` + escaped(list[i+1]) + `"`)
		}
	}
}

// open writes the start tag of an element with content.
func (c *canvas) open(name string, s style, attributes ...string) {
	c.start(name, s, attributes...)
	c.b.WriteString(">")
}

// close writes an end tag, on a line of its own, so that pictures can be compared.
func (c *canvas) close(name string) { c.b.WriteString("</" + name + ">\n") }

// element writes an element with text.
func (c *canvas) element(name, content string, s style, attributes ...string) {
	c.open(name, s, attributes...)
	c.b.WriteString(escaped(content))
	c.close(name)
}

// escaped escapes text for XML. Characters that are not allowed in XML are dropped.
func escaped(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < utf8.RuneSelf && !strings.ContainsRune(`<>&"`, rune(s[i]))
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&#34;")
		case r < ' ', r == 0xfffe, r == 0xffff:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// num formats a number of pixels as briefly as possible.
func num(f float64) string {
	f = math.Round(f*10) / 10
	if f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return "0"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func (c *canvas) rect(r rect, s style, radius float64) {
	at := []string{"x", num(r.X), "y", num(r.Y), "width", num(r.W), "height", num(r.H)}
	if radius > 0 {
		at = append(at, "rx", num(radius))
	}
	c.tag("rect", s, at...)
}

func (c *canvas) circle(p point, radius float64, s style) {
	c.tag("circle", s, "cx", num(p.X), "cy", num(p.Y), "r", num(radius))
}

// polygon draws a closed polygon.
func (c *canvas) polygon(s style, points ...point) { c.path(s, polyline(points)+"Z") }

func (c *canvas) path(s style, d string) { c.tag("path", s, "d", d) }

func polyline(points []point) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + pair(p))
	}
	return b.String()
}

func pair(p point) string { return num(p.X) + "," + num(p.Y) }

// curves returns the path of curves, with a gap where one does not start at the end of the
// previous one.
func curves(list []layout.Curve) string {
	var b strings.Builder
	for i, q := range list {
		if i == 0 || list[i-1][3] != q[0] {
			b.WriteString("M" + pair(q[0]))
		}
		if isStraight(q) {
			b.WriteString("L" + pair(q[3]))
		} else {
			b.WriteString("C" + pair(q[1]) + " " + pair(q[2]) + " " + pair(q[3]))
		}
	}
	return b.String()
}

func isStraight(q layout.Curve) bool {
	across := func(p point) float64 {
		return (p.X-q[0].X)*(q[3].Y-q[0].Y) - (p.Y-q[0].Y)*(q[3].X-q[0].X)
	}
	return math.Abs(across(q[1]))+math.Abs(across(q[2])) < 0.5
}

// lines writes lines of text centred on a point.
func (c *canvas) lines(lines []string, middle point, s style) {
	y := middle.Y - lineHeight*float64(len(lines)-1)/2
	for _, l := range lines {
		if l != "" {
			c.text(l, point{X: middle.X, Y: y}, s)
		}
		y += lineHeight
	}
}

// text writes a line of text centred vertically on a point.
func (c *canvas) text(content string, at point, s style, attributes ...string) {
	const down = fontSize * 0.35 // from the middle of lower-case letters to the baseline
	c.element("text", content, s, append([]string{"x", num(at.X), "y", num(at.Y + down)}, attributes...)...)
}

// link opens a link if the address is safe; done closes it.
func (c *canvas) link(href string) (done func()) {
	if href = safe(href); href == "" {
		return func() {}
	}
	c.links = true
	c.open("a", nil, "href", href)
	return func() { c.close("a") }
}

// safe returns the address if it leads to a page, otherwise "", for scripts above all.
func safe(href string) string {
	href = strings.TrimSpace(href)
	scheme, _, found := strings.Cut(href, ":")
	if found && !strings.ContainsAny(scheme, "/?#") {
		if s := strings.ToLower(scheme); s != "http" && s != "https" {
			return ""
		}
	}
	return href
}

// caption describes a picture.
type caption struct {
	kind        string // the type of diagram
	heading     string // shown above it
	title       string // accessible name
	description string // accessible description
}

// name returns the accessible name: the picture's own title, or else a summary of its content.
func (t *caption) name(content []string) string {
	const most = 8
	switch {
	case t.title != "":
		return t.title
	case t.heading != "":
		return t.heading
	case len(content) == 0:
		return t.kind
	case len(content) > most:
		content = append(content[:most:most], "…")
	}
	return t.kind + ": " + strings.Join(content, ", ")
}

// Dimensions of a whole picture.
const (
	margin        = 8
	headingHeight = 32
)

// document returns the complete SVG document; content summarises the picture.
func (c *canvas) document(t *caption, content []string, s size) string {
	role := "img"
	if c.links {
		role = "group" // links inside role img are unreachable
	}
	top := 0.0
	if t.heading != "" {
		top = headingHeight
		s.W = max(s.W, width(t.heading)*1.2)
	}
	d := &canvas{}
	w, h := math.Ceil(s.W)+2*margin, math.Ceil(s.H)+top+2*margin
	d.open("svg", style{
		"xmlns", "http://www.w3.org/2000/svg", "class", "mermaid", "role", role, "aria-roledescription", t.kind,
		"width", num(w), "height", num(h), "viewBox", fmt.Sprintf("%d %s %s %s", -margin, num(-margin-top), num(w), num(h)),
		"font-family", "system-ui, sans-serif", "font-size", strconv.Itoa(fontSize), "fill", "none",
		"stroke-linejoin", "round", "stroke-linecap", "round",
	})
	d.element("title", t.name(content), nil)
	if t.description != "" {
		d.element("desc", t.description, nil)
	}
	if t.heading != "" {
		at := point{X: s.W / 2, Y: -headingHeight / 2}
		d.text(t.heading, at, slices.Concat(nameStyle, style{"font-size", "16"}))
	}
	d.b.WriteString(c.b.String())
	d.close("svg")
	return d.b.String()
}
