package mermaid

import (
	"slices"
	"strings"
)

// paint has the colours that a diagram sets for a node.
type paint struct{ fill, stroke, color, width, dashes string }

// read parses style properties: fill:#f9f,stroke:#333. Values other than colours and numbers
// are ignored.
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

// number returns value if it consists of numbers, and otherwise the default.
func number(value, otherwise string) string {
	if value == "" || len(value) > 20 || strings.Trim(value, "0123456789. ") != "" {
		return otherwise
	}
	return value
}

// names are the supported colour names.
var names = map[string]string{
	"white": "#ffffff", "black": "#000000", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00",
	"orange": "#ffa500", "purple": "#800080", "pink": "#ffc0cb", "gray": "#808080", "grey": "#808080", "cyan": "#00ffff",
	"lightblue": "#add8e6", "lightgreen": "#90ee90", "lightgrey": "#d3d3d3", "lightgray": "#d3d3d3", "lime": "#00ff00",
	"lightyellow": "#ffffe0", "navy": "#000080", "teal": "#008080", "maroon": "#800000", "brown": "#a52a2a",
	"gold": "#ffd700", "coral": "#ff7f50", "salmon": "#fa8072", "none": "none", "transparent": "none",
}

// hex returns a colour as #rrggbb or none, or the default if it is unknown.
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

// over returns a style with the colours of the paint.
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

// text returns a text style that is legible on the fill.
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

// bright reports whether dark text is legible on a colour.
func bright(color string) bool {
	value := func(i int) float64 {
		return float64(strings.IndexByte("0123456789abcdef", color[i])*16 + strings.IndexByte("0123456789abcdef", color[i+1]))
	}
	return 0.299*value(1)+0.587*value(3)+0.114*value(5) > 140
}

// add adds the properties that another paint sets.
func (p *paint) add(o paint) {
	for _, k := range []struct{ to, from *string }{
		{&p.fill, &o.fill}, {&p.stroke, &o.stroke}, {&p.color, &o.color}, {&p.width, &o.width}, {&p.dashes, &o.dashes},
	} {
		if *k.from != "" {
			*k.to = *k.from
		}
	}
}
