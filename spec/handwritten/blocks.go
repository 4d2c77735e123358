package handwritten

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// block is a heading, a paragraph, the text of an item of a list, or code.
type block struct {
	level     int // of a heading; 0 for others
	text      string
	line, end int // 1-based
	depth     int // of the list that it is in; 0 for none
	ordered   bool
	code      bool
}

// reader collects the blocks of a text in order.
type reader struct {
	source []byte
	out    []block
}

func read(source []byte) []block {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	source = withoutFront(source)
	r := &reader{source: source}
	doc := goldmark.New().Parser().Parse(text.NewReader(source))
	r.children(doc, 0, false)
	return r.out
}

// withoutFront blanks a front matter, so that lines stay.
func withoutFront(source []byte) []byte {
	rest, ok := bytes.CutPrefix(source, []byte("---\n"))
	if !ok {
		return source
	}
	end := bytes.Index(rest, []byte("\n---\n"))
	if end < 0 {
		return source
	}
	front := source[:len("---\n")+end+len("\n---\n")]
	return append(bytes.Repeat([]byte("\n"), bytes.Count(front, []byte("\n"))), source[len(front):]...)
}

func (r *reader) children(n ast.Node, depth int, ordered bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			r.add(c, block{level: c.Level})
		case *ast.List:
			for item := c.FirstChild(); item != nil; item = item.NextSibling() {
				r.children(item, depth+1, c.IsOrdered())
			}
		case *ast.Paragraph, *ast.TextBlock:
			// Only the first text of an item is the item itself.
			first := depth == 0 || c.PreviousSibling() == nil
			r.add(c, block{depth: depth, ordered: ordered && first})
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			r.add(c, block{depth: depth, code: true})
		case *ast.Blockquote:
			r.children(c, depth, ordered)
		}
	}
}

func (r *reader) add(n ast.Node, b block) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	first, last := lines.At(0), lines.At(lines.Len()-1)
	var out []string
	for i := range lines.Len() {
		segment := lines.At(i)
		out = append(out, strings.TrimRight(string(segment.Value(r.source)), "\n"))
	}
	b.text = strings.TrimSpace(strings.Join(out, "\n"))
	if b.text == "" {
		return
	}
	b.line = bytes.Count(r.source[:first.Start], []byte("\n")) + 1
	b.end = bytes.Count(r.source[:max(last.Start, last.Stop-1)], []byte("\n")) + 1
	if b.level > 0 {
		b.text = strings.TrimSpace(strings.TrimRight(b.text, "#"))
	}
	r.out = append(r.out, b)
}
