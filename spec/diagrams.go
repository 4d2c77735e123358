package spec

import (
	"fmt"
	"slices"
	"strings"
)

// diagram is a picture in Mermaid's language and the sentence above it.
type diagram struct{ caption, text string }

// diagrams draws the module: what it is made of, what it rests on, what happens
// when it is used, and in which states it can be.
func (m *material) diagrams() string {
	list := slices.Concat(m.classDiagram(), m.dependencyDiagram(), m.sequenceDiagram(), m.stateDiagrams())
	if len(list) == 0 {
		return pick(m.lang, "There are neither types nor imports to draw.", "没有可绘制的类型或依赖。")
	}
	var out []string
	for _, d := range list {
		out = append(out, d.caption+"\n\n"+fenced("mermaid", d.text))
	}
	return strings.Join(out, "\n\n")
}

// notDrawn says how much a diagram leaves out; "" for nothing.
func (m *material) notDrawn(left int) string {
	if left <= 0 {
		return ""
	}
	return fmt.Sprintf(pick(m.lang, " (%d more are not drawn)", "（另有 %d 项未绘制）"), left)
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
