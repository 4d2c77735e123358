package view

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view/mermaid"
)

// longCode is the number of lines from which a code block is folded.
const longCode = 60

// writeCodeBlock renders a code block, or a diagram as SVG.
func (w *writer) writeCodeBlock(b util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := string(n.Lines().Value(source))
	language := ""
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(f.Language(source))
	}
	if language == "mermaid" {
		w.writeDiagram(b, text)
		return ast.WalkSkipChildren, nil
	}
	lines := strings.Count(text, "\n")
	if lines > longCode {
		fmt.Fprintf(b, "<details class=\"long\"><summary>%s</summary>\n", escaped(strings.TrimSpace(language+" "+w.say(message.Count(lines, "%d line", "%d lines")))))
	}
	fmt.Fprintf(b, "<pre tabindex=\"0\"><code>%s</code></pre>\n", escaped(text))
	if lines > longCode {
		_, _ = b.WriteString("</details>\n")
	}
	return ast.WalkSkipChildren, nil
}

// writeDiagram renders a Mermaid diagram, or its source if that fails.
func (w *writer) writeDiagram(b util.BufWriter, text string) {
	svg, err := mermaid.SVG(text, w.lang)
	if err != nil {
		fmt.Fprintf(b, "<figure class=\"diagram\"><pre tabindex=\"0\"><code>%s</code></pre><figcaption>%s</figcaption></figure>\n",
			escaped(text), escaped(w.say(message.New("Shown as text: %v", err))))
		return
	}
	fmt.Fprintf(b, "<figure class=\"diagram\"><div class=\"picture\" tabindex=\"0\">%s</div></figure>\n", svg)
}

// say returns a message in the language of the pages.
func (w *writer) say(t message.Text) string { return t.In(w.lang) }

// writeHTMLBlock renders HTML as text. The comments around kept text become a mark in the
// margin.
func (w *writer) writeHTMLBlock(b util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := string(n.Lines().Value(source))
	if block := n.(*ast.HTMLBlock); block.HasClosure() { // registered for these
		text += string(block.ClosureLine.Value(source))
	}
	switch strings.TrimSpace(text) {
	case "<!-- keep -->":
		fmt.Fprintf(b, "<p class=\"kept\">%s</p>\n", escaped(w.say(message.New("Kept by hand:"))))
	case "<!-- /keep -->":
	default:
		fmt.Fprintf(b, "<pre class=\"markup\"><code>%s</code></pre>\n", escaped(text))
	}
	return ast.WalkContinue, nil
}

func (w *writer) writeRawHTML(b util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		segments := n.(*ast.RawHTML).Segments // registered for these
		_, _ = b.WriteString(escaped(string(segments.Value(source))))
	}
	return ast.WalkSkipChildren, nil
}

// writeState renders below the heading of an item what covers it, and for a test the result of
// its last run.
func (w *writer) writeState(b util.BufWriter, h *heading) {
	switch {
	case h.Kind == "":
		return
	case h.Kind == "ct":
		state := lastRun(w.doc)
		fmt.Fprintf(b, "<p class=\"state\"><span class=\"chip %s\">%s</span></p>\n", state.Class, escaped(w.say(state.Words)))
		return
	case w.doc.uncovered[h.ID]:
		fmt.Fprintf(b, "<p class=\"state\"><span class=\"chip none\">%s</span>", escaped(w.say(message.New("no contract test"))))
	default:
		_, _ = b.WriteString("<p class=\"state\">")
	}
	w.references(b, message.New("shown by"), h.Scenarios)
	w.references(b, message.New("covered by"), h.Tests)
	if h.Kind == "req" && w.past {
		fmt.Fprintf(b, " <a class=\"past\" href=\"%s#%s\">%s</a>", escaped(at("history", w.doc.path)), escaped(h.ID), escaped(w.say(message.New("history"))))
	}
	_, _ = b.WriteString("</p>\n")
}

// references renders links to the first few items.
func (w *writer) references(b util.BufWriter, label message.Text, ids []string) {
	if len(ids) == 0 {
		return
	}
	fmt.Fprintf(b, " <span class=\"label\">%s</span>", escaped(w.say(label)))
	for _, id := range ids[:min(len(ids), mostRefs)] {
		_ = b.WriteByte(' ')
		w.itemLink(b, w.doc.items[id])
	}
	if more := len(ids) - mostRefs; more > 0 {
		fmt.Fprintf(b, " <span class=\"label\">%s</span>", escaped(w.say(message.New("and %d more", more))))
	}
}

// mostRefs limits the links to scenarios and to tests below a heading.
const mostRefs = 8
