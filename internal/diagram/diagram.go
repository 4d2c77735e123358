// Package diagram draws a module as pictures in Mermaid's language: its types, what it imports, the
// calls from where it starts, and the states of what it sets. What the code does not show is not
// drawn, and what is too large to be read is cut or left out.
package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Module is what a module is drawn from.
type Module struct {
	Name    string
	Lang    string        // of captions: "en" or "zh"
	Files   []*code.File  // its sources, without tests
	Exports []code.Symbol // of all its files together
	// What it imports: modules named relative to a file, and the others.
	Internal, External []string
}

// Diagram is a picture in Mermaid's language and the sentence above it, in Markdown.
type Diagram struct{ Caption, Text string }

// Diagrams draws the module: what it is made of, what it depends on, what happens
// when it is used, and in which states it can be. Of what there is nothing to draw
// of there is no diagram.
func Diagrams(m Module) []Diagram {
	return slices.Concat(m.classDiagram(), m.importDiagram(), m.sequenceDiagram(), m.stateDiagrams())
}

// notDrawn says how much a diagram leaves out; "" for nothing.
func (m Module) notDrawn(left int) string {
	if left <= 0 {
		return ""
	}
	return fmt.Sprintf(wording.In(m.Lang, " (%d more are not drawn)", "（另有 %d 项未绘制）"), left)
}

// mermaidText writes a text so that Mermaid shows it as it is, wherever in a
// diagram a text may stand. What is safe stays readable.
func mermaidText(text string) string {
	return mermaidEscapes.Replace(strings.Join(strings.Fields(text), " "))
}

// mermaidEscapes are the characters that mean something in one diagram or another.
//
//nolint:gochecknoglobals // a table
var mermaidEscapes = strings.NewReplacer(
	`"`, "#quot;", "#", "#35;", ";", "#59;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", `\`, "#92;",
	"{", "#123;", "}", "#125;", "~", "#126;", "$$", "#36;#36;",
)

// mermaidID makes a name an identifier in a diagram.
func mermaidID(name string) string {
	id := strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
	if slices.Contains(mermaidWords, strings.ToLower(id)) {
		id += "_"
	}
	return id
}

// mermaidWords are identifiers that Mermaid takes for words of its own.
//
//nolint:gochecknoglobals // a table
var mermaidWords = []string{
	"call", "callback", "class", "classdef", "classdiagram", "click", "cssclass", "default", "direction", "end", "graph", "href",
	"link", "namespace", "note", "o", "style", "subgraph", "x", "__proto__",
}
