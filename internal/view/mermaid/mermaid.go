// Package mermaid draws Mermaid diagrams as SVG without running anything: flowcharts,
// class, sequence, state and entity diagrams, as far as people commonly write them.
//
// A picture stands by itself. Its colours are those of the text around it, so that it
// is right on a light page and on a dark one; a style sheet can say otherwise by the
// classes mermaid-node, mermaid-group, mermaid-line, mermaid-head, mermaid-text and the
// like. It holds no script and no style attribute, and what a diagram says is text.
package mermaid

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// MaxText is how many bytes a diagram may have.
const MaxText = 256 << 10

// kinds are the diagrams by the word that begins them.
//
//nolint:gochecknoglobals // a table
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

// SVG draws a diagram; what is said of the picture beyond the text is in a language. The
// error is a [*SyntaxError] where the text cannot be read, and tells in words what is too
// large, or of a kind that is not drawn.
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

// known lists the kinds of diagrams.
func known() []string {
	var out []string
	for name := range kinds {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
