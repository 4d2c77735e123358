package view

import (
	"bytes"
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// writer renders the blocks of a spec as HTML with links. Its write methods are goldmark's
// node renderers.
type writer struct {
	doc   *document
	part  int
	files map[string]bool // of the project; places in these files are linked
	lang  message.Lang
	past  bool // requirements have a page of their history
}

// dialect is the Markdown extensions of specs. Columns are aligned by attributes, because the
// content security policy forbids inline styles.
type dialect struct{}

// Extend implements goldmark.Extender.
func (dialect) Extend(m goldmark.Markdown) {
	for _, e := range []goldmark.Extender{
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough, extension.Linkify, extension.TaskList,
	} {
		e.Extend(m)
	}
}

// html renders one part of a document, as w says.
func (d *document) html(part int, w writer) (template.HTML, error) {
	w.doc, w.part = d, part
	to := goldmark.New(
		goldmark.WithExtensions(dialect{}),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(&w, 1))),
	).Renderer()
	var b bytes.Buffer
	item := false
	for _, n := range d.parts[part] {
		if h := d.byNode[n]; h != nil && h.Level <= 3 {
			if item {
				b.WriteString("</article>\n")
			}
			if item = h.Kind != ""; item {
				fmt.Fprintf(&b, "<article class=\"item %s\">\n", h.Kind)
			}
		}
		if err := to.Render(&b, d.source, n); err != nil {
			return "", message.Errorf("%s: %w", d.path, err)
		}
	}
	if item {
		b.WriteString("</article>\n")
	}
	return template.HTML(b.String()), nil // the renderers escape what they write
}

// RegisterFuncs implements goldmark's renderer.NodeRenderer.
func (w *writer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, w.writeHeading)
	r.Register(ast.KindText, w.writeText)
	r.Register(ast.KindCodeSpan, w.writeCodeSpan)
	r.Register(ast.KindLink, w.writeLink)
	r.Register(ast.KindImage, w.writeImage)
	r.Register(ast.KindAutoLink, w.writeAutoLink)
	r.Register(ast.KindHTMLBlock, w.writeHTMLBlock)
	r.Register(ast.KindRawHTML, w.writeRawHTML)
	r.Register(ast.KindFencedCodeBlock, w.writeCodeBlock)
	r.Register(ast.KindCodeBlock, w.writeCodeBlock)
}

func (w *writer) writeHeading(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := w.doc.byNode[n]
	level := n.(*ast.Heading).Level // registered for headings
	switch {
	case h == nil && entering: // inside a list or a quote
		fmt.Fprintf(b, "<h%d>", level)
	case h == nil:
		fmt.Fprintf(b, "</h%d>\n", level)
	case entering:
		fmt.Fprintf(b, "<h%d id=\"%s\">", level, escaped(h.ID))
		if h.Kind != "" {
			fmt.Fprintf(b, "<a class=\"id\" href=\"#%s\">%[1]s</a> ", escaped(h.ID))
		}
	default:
		fmt.Fprintf(b, "</h%d>\n", level)
		w.writeState(b, h)
	}
	return ast.WalkContinue, nil
}

// writeText renders text with links for item ids.
func (w *writer) writeText(b util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	t := n.(*ast.Text) // registered for texts
	text := t.Segment.Value(source)
	switch {
	case t.IsRaw():
		_, _ = b.WriteString(escaped(string(text)))
	case insideLink(n):
		html.DefaultWriter.Write(b, text)
	default:
		w.linked(b, text)
	}
	switch {
	case t.HardLineBreak():
		_, _ = b.WriteString("<br>\n")
	case t.SoftLineBreak():
		_ = b.WriteByte('\n')
	}
	return ast.WalkContinue, nil
}

func insideLink(n ast.Node) bool {
	for n = n.Parent(); n != nil && n.Type() == ast.TypeInline; n = n.Parent() {
		if n.Kind() == ast.KindLink {
			return true
		}
	}
	return false
}

// linked renders text with links for item ids.
func (w *writer) linked(b util.BufWriter, text []byte) {
	written := 0
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && isIDByte(text[end]) {
			end++
		}
		if h := w.doc.items[string(text[i:end])]; h != nil {
			html.DefaultWriter.Write(b, text[written:i])
			w.itemLink(b, h)
			written = end
		}
		i = end + 1
	}
	html.DefaultWriter.Write(b, text[written:])
}

func isIDByte(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// itemLink renders a link to an item.
func (w *writer) itemLink(b util.BufWriter, h *heading) {
	fmt.Fprintf(b, "<a class=\"ref %s\" href=\"%s\" title=\"%s\">%s</a>", h.Kind, escaped(w.doc.address(h, w.part)), escaped(h.Title), escaped(h.ID))
}

// address returns the address of a heading, as seen from a part.
func (d *document) address(h *heading, from int) string {
	fragment := "#" + template.URLQueryEscaper(h.ID)
	if h.Part == from {
		return fragment
	}
	return fmt.Sprintf("%s?part=%d%s", at("spec", d.path), h.Part+1, fragment)
}

// writeCodeSpan renders code, as a link if it is a place in a file.
func (w *writer) writeCodeSpan(b util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var text strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			text.Write(bytes.ReplaceAll(t.Segment.Value(source), []byte("\n"), []byte(" ")))
		}
	}
	words := text.String()
	long := w.doc.spec.LongPlace(words)
	to := w.fileLink(long)
	if file, line, ok := cutPlace(long); ok {
		if to = w.fileLink(file); strings.HasPrefix(to, "/source/") {
			to = lineLink(file, line)
		}
	}
	if to == "" || insideLink(n) {
		fmt.Fprintf(b, "<code>%s</code>", escaped(words))
	} else {
		fmt.Fprintf(b, "<a class=\"place\" href=\"%s\"><code>%s</code></a>", escaped(to), escaped(words))
	}
	return ast.WalkSkipChildren, nil
}

func (w *writer) writeLink(b util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	l := n.(*ast.Link) // registered for links
	to := w.target(string(l.Destination))
	switch {
	case to == "":
	case entering:
		fmt.Fprintf(b, "<a href=\"%s\" rel=\"noreferrer\">", escaped(to))
	default:
		_, _ = b.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

// writeImage renders the alternative text of an image; the image itself would have to be
// fetched.
func (w *writer) writeImage(b util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = b.WriteString("<span class=\"image\">")
	} else {
		_, _ = b.WriteString("</span>")
	}
	return ast.WalkContinue, nil
}

func (w *writer) writeAutoLink(b util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	l := n.(*ast.AutoLink) // registered for these links
	label := escaped(string(l.Label(source)))
	to := string(l.URL(source))
	if l.AutoLinkType == ast.AutoLinkEmail {
		to = "mailto:" + to
	}
	if !outward(to) {
		_, _ = b.WriteString(label)
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(b, "<a href=\"%s\" rel=\"noreferrer\">%s</a>", escaped(to), label)
	return ast.WalkContinue, nil
}

// target returns the address of a link in a spec: external, a heading, or a file relative to
// the spec; "" for anything else.
func (w *writer) target(to string) string {
	if outward(to) {
		return to
	}
	file, fragment, _ := strings.Cut(to, "#")
	if file == "" {
		for _, h := range w.doc.headings {
			if h.ID == fragment {
				return w.doc.address(h, w.part)
			}
		}
		return ""
	}
	return w.fileLink(path.Join(path.Dir(w.doc.path), file))
}

// fileLink returns the address of a file of the project; "" if there is none.
func (w *writer) fileLink(file string) string {
	switch {
	case !w.files[file]:
		return ""
	case strings.HasSuffix(file, spec.Suffix):
		return at("spec", file)
	}
	return at("source", file)
}

// outward reports whether an address is external and has a harmless scheme.
func outward(to string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(to), ":")
	return ok && (scheme == "https" || scheme == "http" || scheme == "mailto")
}

func escaped(text string) string { return template.HTMLEscapeString(text) }
