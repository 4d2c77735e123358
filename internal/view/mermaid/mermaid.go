// Package mermaid draws Mermaid diagrams as SVG in pure Go, for package view: flowcharts,
// class, sequence, state and entity relationship diagrams in their common syntax. [SVG] draws
// a diagram given as text, [Graph] one given as nodes and edges.
//
// A picture is self-contained. Colours are inherited from the surrounding text, so that it
// suits light and dark pages; style sheets can override them by the classes mermaid-node,
// mermaid-group, mermaid-line, mermaid-head, mermaid-text and similar. It has no scripts or
// style attributes, and labels are plain text.
package mermaid

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// MaxText is the maximum size of a diagram in bytes.
const MaxText = 256 << 10

// kinds maps the first word of a diagram to the function that draws it.
var kinds = map[string]func(*source) (string, error){
	"graph":           drawFlowchart,
	"flowchart":       drawFlowchart,
	"flowchart-elk":   drawFlowchart,
	"classDiagram":    drawClasses,
	"classDiagram-v2": drawClasses,
	"sequenceDiagram": drawSequence,
	"erDiagram":       drawEntities,
	"stateDiagram":    drawStates,
	"stateDiagram-v2": drawStates,
}

// SVG draws a diagram; accessible texts are in lang. The error is a [*SyntaxError] if the text
// cannot be parsed; other errors report a diagram that is too large or of an unsupported kind.
func SVG(text string, lang message.Lang) (string, error) {
	if len(text) > MaxText {
		return "", message.Errorf("%d bytes are more than the %d of a diagram that is drawn", len(text), MaxText)
	}
	s, err := read(text, lang)
	if err != nil {
		return "", err
	}
	name, _ := word(s.lines[0].text)
	name = strings.TrimRight(name, ";:")
	draw := kinds[name]
	if draw == nil {
		return "", s.lines[0].expected(message.New("a kind of diagram that is drawn: %s", strings.Join(known(), ", ")))
	}
	return draw(s)
}

// known lists the supported kinds of diagrams.
func known() []string {
	var out []string
	for name := range kinds {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
