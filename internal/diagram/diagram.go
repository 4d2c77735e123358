// Package diagram draws a [Module] as Mermaid diagrams: the calls from
// its entry point, and the state machines in it. [Diagrams] returns them. Only what the code
// shows is drawn; large diagrams are cut or omitted.
package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Module is the input of the diagrams.
type Module struct {
	Name    string
	Lang    string         // language of captions: "en" or "zh"
	Files   []*code.File   // source files, without tests
	Exports []code.Symbol  // merged from all files
	Links   *resolve.Links // of Files; nil for no calls
}

// Diagram is the source of a Mermaid diagram and a caption in Markdown.
type Diagram struct{ Caption, Text string }

// Diagrams returns the diagrams of a module: a call sequence and states. Empty
// diagrams are omitted.
func Diagrams(m Module) []Diagram {
	return slices.Concat(m.sequenceDiagram(), m.stateDiagrams())
}

// notDrawn says how much a diagram omits; "" for nothing.
func (m Module) notDrawn(left int) string {
	if left <= 0 {
		return ""
	}
	return fmt.Sprintf(wording.In(m.Lang, " (%d more are not drawn)", "（另有 %d 项未绘制）"), left)
}

// mermaidText escapes text for any place in a Mermaid diagram.
func mermaidText(text string) string {
	return mermaidEscapes.Replace(strings.Join(strings.Fields(text), " "))
}

// mermaidEscapes are the characters with a meaning in some Mermaid diagram.
var mermaidEscapes = strings.NewReplacer(
	`"`, "#quot;", "#", "#35;", ";", "#59;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", `\`, "#92;",
	"{", "#123;", "}", "#125;", "~", "#126;", "$$", "#36;#36;",
)
